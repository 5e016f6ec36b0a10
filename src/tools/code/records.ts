/** One line that `git grep` gave: a match, or a line around one. */
export interface GrepRecord {
  /** Below the repository's top folder, `/` between segments. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly isMatch: boolean;
  readonly text: string;
}

const NEWLINE = 0x0a;
/** A line of text is shown up to so many characters, around the match. */
const LONGEST_TEXT = 300;
const SHOWN_BEFORE_MATCH = 100;
/** Of a file that is one endless line only the beginning is looked at. */
const LONGEST_LINE_BYTES = 4 * 1024 * 1024;

/**
 * Reads the output of `git grep -z -n --column`: `path NUL line NUL column NUL text` for a match, `path NUL line NUL text` for a
 * line around one, and `--` between groups. Takes it in pieces of any size.
 */
export class GrepReader {
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** The beginning of a path that holds a newline. */
  #path = '';
  readonly #onRecord: (record: GrepRecord) => void;

  constructor(onRecord: (record: GrepRecord) => void) {
    this.#onRecord = onRecord;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      this.#keep(rest.subarray(0, end));
      const line = Buffer.concat(this.#pieces);
      this.#pieces = [];
      this.#bytes = 0;
      this.#read(line);
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) this.#keep(rest);
  }

  #keep(piece: Buffer): void {
    const kept = piece.subarray(0, LONGEST_LINE_BYTES - this.#bytes);
    this.#pieces.push(kept);
    this.#bytes += kept.length;
  }

  #read(bytes: Buffer): void {
    const fields = fieldsOf(bytes);
    if (fields === undefined) {
      const text = bytes.toString('utf8');
      if (this.#path !== '' || text !== '--') this.#path += `${text}\n`;
      return;
    }
    const { path, line, column, text } = fields;
    this.#onRecord({
      path: this.#path + path,
      line,
      isMatch: column !== undefined,
      text: shownText(text, column),
    });
    this.#path = '';
  }
}

interface Fields {
  readonly path: string;
  readonly line: number;
  /** 1-based, in bytes; undefined for a line without a match. */
  readonly column: number | undefined;
  readonly text: Buffer;
}

function fieldsOf(bytes: Buffer): Fields | undefined {
  const afterPath = bytes.indexOf(0);
  const afterLine = afterPath === -1 ? -1 : bytes.indexOf(0, afterPath + 1);
  if (afterLine === -1) return undefined;
  const path = bytes.toString('utf8', 0, afterPath);
  const line = Number(bytes.toString('latin1', afterPath + 1, afterLine));
  const afterColumn = bytes.indexOf(0, afterLine + 1);
  const column =
    afterColumn === -1 ? '' : bytes.toString('latin1', afterLine + 1, Math.min(afterColumn, afterLine + 12));
  return /^\d+$/.test(column)
    ? { path, line, column: Number(column), text: bytes.subarray(afterColumn + 1) }
    : { path, line, column: undefined, text: bytes.subarray(afterLine + 1) };
}

function shownText(bytes: Buffer, column: number | undefined): string {
  const text = bytes.toString('utf8').replace(/\r$/, '');
  if (text.length <= LONGEST_TEXT) return text;
  const at = column === undefined ? 0 : bytes.toString('utf8', 0, column - 1).length;
  const start = at + SHOWN_BEFORE_MATCH < LONGEST_TEXT ? 0 : at - SHOWN_BEFORE_MATCH;
  const end = Math.min(start + LONGEST_TEXT, text.length);
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? `… (${text.length} characters)` : ''}`;
}
