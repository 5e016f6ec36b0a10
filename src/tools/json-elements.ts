/** From the first character of something to behind its last. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** The array that makes most of a JSON text, by where its elements stand in it. */
export interface JsonElements {
  /** Keys that lead to the array; [] where it is the whole text. */
  readonly path: readonly string[];
  readonly elements: readonly Span[];
}

const DEEPEST = 8;

/**
 * Finds the elements of the array that a JSON text is, or that is the largest member of the object that it is, and so on
 * inwards; undefined where the text is not JSON or holds no such array with elements.
 *
 * The elements are found in the text itself: parsed and written again, `1.0` and `12345678901234567890` would be other numbers.
 */
export function findElements(text: string): JsonElements | undefined {
  if (!/^\s*[[{]/.test(text) || !isJson(text)) return undefined;
  const path: string[] = [];
  let at = text.search(/\S/);
  while (text[at] === '{' && path.length < DEEPEST) {
    const largest = largestMember(text, at);
    if (largest === undefined) return undefined;
    path.push(largest.key);
    at = largest.value.start;
  }
  if (text[at] !== '[') return undefined;
  const elements = spansIn(text, at);
  return elements.length === 0 ? undefined : { path, elements };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function largestMember(text: string, open: number): { readonly key: string; readonly value: Span } | undefined {
  const spans = spansIn(text, open);
  let largest: { readonly key: string; readonly value: Span } | undefined;
  for (let index = 0; index + 1 < spans.length; index += 2) {
    const [key, value] = [spans[index], spans[index + 1]];
    if (key === undefined || value === undefined) break;
    if (largest === undefined || value.end - value.start > largest.value.end - largest.value.start) {
      largest = { key: String(JSON.parse(text.slice(key.start, key.end))), value };
    }
  }
  return largest;
}

/** The values directly inside an array; the keys and values, in turn, of an object. */
function spansIn(text: string, open: number): readonly Span[] {
  const spans: Span[] = [];
  let at = skipSeparators(text, open + 1);
  while (text[at] !== ']' && text[at] !== '}') {
    const end = endOfValue(text, at);
    spans.push({ start: at, end });
    at = skipSeparators(text, end);
  }
  return spans;
}

function skipSeparators(text: string, from: number): number {
  return endOf(/[\s,:]*/y, text, from);
}

function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first !== '{' && first !== '[') return endOf(/[^\s,\]}]*/y, text, start);
  const marks = /["{}[\]]/g;
  marks.lastIndex = start;
  let depth = 0;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === '"') marks.lastIndex = endOfString(text, mark.index);
    else depth += mark[0] === '{' || mark[0] === '[' ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return text.length;
}

function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote + 1;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - slashes - 1] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  pattern.test(text);
  return pattern.lastIndex;
}
