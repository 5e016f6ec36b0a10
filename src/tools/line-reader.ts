const NEWLINE = 0x0a;
/** A screenshot or a file of tens of megabytes arrives as one line; what is longer is a server gone wrong. */
const LONGEST_LINE_BYTES = 256 * 1024 * 1024;

/** Cuts a stream of bytes into lines of text. Bytes are copied once, however many chunks a line comes in. */
export class LineReader {
  #chunks: Buffer[] = [];
  #size = 0;
  readonly #onLine: (line: string) => void;

  /** @param onLine gets each line without its line end. */
  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  /** @throws RangeError where a line is longer than 256 MiB. */
  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      start = end + 1;
      this.flush();
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  /** Gives out what has come since the last line end; nothing where nothing has. */
  flush(): void {
    if (this.#chunks.length === 0) return;
    const bytes = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks, this.#size);
    this.#chunks = [];
    this.#size = 0;
    const line = bytes?.toString('utf8') ?? '';
    this.#onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  }

  #keep(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size > LONGEST_LINE_BYTES) throw new RangeError(`a line of more than ${LONGEST_LINE_BYTES} bytes`);
    this.#chunks.push(bytes);
  }
}
