/** Bytes to text: strict UTF-8, so that Latin-1 and UTF-16 are refused and not served as garbage. */

/** A place in a text: 1-based line, 1-based column in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export type Decoded =
  | { readonly kind: 'text'; readonly text: string }
  /** `text` has a replacement character for each bad sequence; the position is that of the first bad byte. */
  | { readonly kind: 'invalid'; readonly text: string; readonly position: Position };

const strictDecoder = new TextDecoder('utf-8', { fatal: true });
const lenientDecoder = new TextDecoder('utf-8');
const exactDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of UTF-8 bytes, without a byte order mark and with every line end as `\n`. */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  try {
    return { kind: 'text', text: normalizeLineEnds(strictDecoder.decode(bytes)) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const text = normalizeLineEnds(lenientDecoder.decode(bytes));
    return { kind: 'invalid', text, position: positionAt(text, firstReplacement(bytes)) };
  }
}

/** The text of UTF-8 bytes to the character, byte order mark and line ends too, for those who write it again. @throws TypeError for other bytes. */
export function decodeExactly(bytes: Uint8Array): string {
  return exactDecoder.decode(bytes);
}

/** The place of an offset into a text whose line ends are `\n`. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: countLineEnds(before) + 1, column: before.length - lineStart + 1 };
}

/** How many `\n` a text has. */
export function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function normalizeLineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Where, in the normalised text, the first bad byte stands: everything before it is valid and decodes by itself. */
function firstReplacement(bytes: Uint8Array): number {
  let valid = 0;
  let invalid = bytes.length;
  // Every prefix up to the first bad sequence decodes, no longer one does: a bisection finds it with ~20 decodings.
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (isValidPrefix(bytes.subarray(0, middle))) valid = middle;
    else invalid = middle;
  }
  return normalizeLineEnds(new TextDecoder('utf-8').decode(bytes.subarray(0, valid), { stream: true })).length;
}

/** True also where the last character is only begun: that is the prefix's end, not a bad byte. */
function isValidPrefix(prefix: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(prefix, { stream: true });
    return true;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return false;
  }
}
