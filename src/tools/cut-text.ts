import { exceedsTokens, tokenCountOf } from '../catalog/tokens.ts';
import { findElements, type JsonElements } from './json-elements.ts';
import { findRows, type Rows } from './rows.ts';

/** What fits of a text. */
export interface Piece {
  readonly text: string;
  /** Where the text goes on; undefined behind its end. */
  readonly next: number | undefined;
  /** Which part it is: `lines 1–40 of 2,300`. */
  readonly where: string;
}

interface Room {
  /** Tokens that the piece may have. */
  readonly tokens: number;
  /** Whether the page holds nothing else yet: then something must be taken, if need be from inside a line. */
  readonly isWholePage: boolean;
}

/** A text that is given in pieces. Positions are offsets, or indices of elements; 0 is the beginning. */
export interface CutText {
  readonly length: number;
  /** What columns mean, for a piece that does not begin with the table's head. */
  readonly header?: string;
  /** The piece from a position on; undefined where nothing fits into the room. */
  readonly take: (position: number, room: Room) => Piece | undefined;
}

/**
 * Prepares a text to be cut between the elements of its JSON array (each piece is JSON of its own: the first keeps all that is
 * around the array, the others are arrays), else behind rows or lines, else (a line longer than a page) between characters.
 *
 * @param pageTokens room of a whole page.
 */
export function cutText(text: string, pageTokens: number): CutText {
  const found = findElements(text);
  if (found !== undefined && canCut(text, found, pageTokens)) return cutElements(text, found);
  return cutRows(text, findRows(text));
}

/** Whether a page has room for what is around the array and for any one element beside it. */
function canCut(text: string, { elements }: JsonElements, pageTokens: number): boolean {
  const half = Math.floor(pageTokens / 2) - 4;
  return (
    !exceedsTokens(frameOf(text, elements).join(''), half) &&
    elements.every(({ start, end }) => !exceedsTokens(text.slice(start, end), half))
  );
}

function frameOf(text: string, elements: JsonElements['elements']): readonly [string, string] {
  return [text.slice(0, elements[0]?.start), text.slice(elements.at(-1)?.end)];
}

function cutElements(text: string, { path, elements }: JsonElements): CutText {
  const name = path.length === 0 ? '' : ` of "${path.join('.')}"`;
  const take = (first: number, { tokens }: Room): Piece | undefined => {
    const [head, tail] = first === 0 ? frameOf(text, elements) : ['[', ']'];
    const slice = (count: number): string =>
      `${head}${text.slice(elements[first]?.start, elements[first + count - 1]?.end)}${tail}`;
    const count = mostThatFit({
      tokens: tokens - tokenCountOf(head + tail),
      units: elementsFrom(text, elements, first),
      fits: (wanted) => tokenCountOf(slice(wanted)) / tokens,
    });
    if (count === 0) return undefined;
    const end = first + count;
    return {
      text: slice(count),
      next: end < elements.length ? end : undefined,
      where: `elements ${range(first + 1, end)} of ${number(elements.length)}${name}`,
    };
  };
  return { length: elements.length, take };
}

function cutRows(text: string, { unit, starts, header }: Rows): CutText {
  const startOf = (index: number): number => starts[index] ?? text.length;
  const take = (position: number, { tokens, isWholePage }: Room): Piece | undefined => {
    const first = indexAt(starts, position);
    const endAfter = (count: number): number => (count === 0 ? position : startOf(first + count));
    const count = mostThatFit({
      tokens,
      units: unitsFrom(text, starts, position),
      fits: (wanted) => tokenCountOf(text.slice(position, endAfter(wanted))) / tokens,
    });
    if (count === 0 && !isWholePage) return undefined;
    const end = count > 0 ? endAfter(count) : endInside(text, { start: position, end: startOf(first + 1) }, tokens);
    const last = count > 0 ? first + count : first + 1;
    const units = `${unit}${first + 1 === last ? '' : 's'} ${range(first + 1, last)} of ${number(starts.length)}`;
    const characters = `characters ${range(position + 1, end)} of ${number(text.length)}`;
    const isInside = position !== startOf(first) || end !== startOf(last);
    return {
      text: text.slice(position, end),
      next: end < text.length ? end : undefined,
      where: isInside ? (starts.length === 1 ? characters : `${characters} (${units})`) : units,
    };
  };
  return { length: text.length, take, ...(header === undefined ? {} : { header }) };
}

interface FitOptions {
  readonly tokens: number;
  readonly units: Iterable<string>;
  /** Tokens of that many units together, as a share of what there is room for. */
  readonly fits: (count: number) => number;
}

/** How many of the units fit. Estimates do not add up exactly, so what they promise is checked on the whole. */
function mostThatFit({ tokens, units, fits }: FitOptions): number {
  let count = 0;
  let sum = 0;
  for (const unit of units) {
    if (exceedsTokens(unit, tokens - sum)) break;
    sum += tokenCountOf(unit);
    count += 1;
  }
  for (let share = fits(count); count > 0 && share > 1; share = fits(count)) {
    count = Math.min(count - 1, Math.floor(count / share));
  }
  return count;
}

function* elementsFrom(text: string, elements: JsonElements['elements'], first: number): Generator<string> {
  for (let index = first; index < elements.length; index += 1) {
    yield text.slice(elements[index]?.start, elements[index]?.end);
  }
}

function* unitsFrom(text: string, starts: readonly number[], position: number): Generator<string> {
  let at = position;
  for (let index = indexAt(starts, position); index < starts.length; index += 1) {
    const end = starts[index + 1] ?? text.length;
    yield text.slice(at, end);
    at = end;
  }
}

/** Index of the unit that a position is in. */
function indexAt(starts: readonly number[], position: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= position) low = middle;
    else high = middle;
  }
  return low;
}

/** End of what fits of one long line, at least one character; never inside a surrogate pair. */
function endInside(text: string, line: { readonly start: number; readonly end: number }, tokens: number): number {
  let length = Math.min(line.end - line.start, tokens * 6);
  for (let share = 2; length > 1; length = Math.floor(length / Math.max(share, 1.05))) {
    share = tokenCountOf(text.slice(line.start, line.start + length)) / tokens;
    if (share <= 1) break;
  }
  const end = line.start + Math.max(length, 1);
  if (!/[\uD800-\uDBFF]/.test(text[end - 1] ?? '')) return end;
  return end - 1 > line.start ? end - 1 : end + 1;
}

function range(from: number, to: number): string {
  return from === to ? number(from) : `${number(from)}–${number(to)}`;
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
