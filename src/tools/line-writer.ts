import type { Writable } from 'node:stream';

/** Whoever reads begins with these while the rest of many is made: waiting for all, one of both would sleep at any time. */
const MOST_AT_ONCE = 16;

/**
 * Writes lines to a stream: those that are given in one turn of the event loop together. With many calls in flight a system call
 * for each message costs more than what the message says.
 */
export class LineWriter {
  readonly #stream: Writable;
  #lines = '';
  #count = 0;
  /** Of the lines of this turn. */
  #written: Promise<void> | undefined;
  /** Shared by all lines that wait for room: the stream warns of more than ten listeners. */
  #room: Promise<void> | undefined;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  /** @param line without its line end. @returns a promise that resolves when the stream has room for more, or has closed. */
  write(line: string): Promise<void> {
    this.#lines += `${line}\n`;
    this.#count += 1;
    // Behind all promises that are settled now, whose continuations have lines of their own.
    this.#written ??= new Promise((resolve) => process.nextTick(() => this.#end(resolve)));
    if (this.#count === MOST_AT_ONCE) this.#flush();
    return this.#written;
  }

  /** Ends the turn. */
  #end(resolve: () => void): void {
    this.#written = undefined;
    this.#flush();
    if (this.#stream.writableNeedDrain) void this.#roomMade().then(resolve);
    else resolve();
  }

  #flush(): void {
    const lines = this.#lines;
    this.#lines = '';
    this.#count = 0;
    if (lines !== '') this.#stream.write(lines);
  }

  #roomMade(): Promise<void> {
    this.#room ??= new Promise<void>((resolve) => {
      const done = (): void => {
        this.#stream.off('drain', done);
        this.#stream.off('close', done);
        this.#room = undefined;
        resolve();
      };
      this.#stream.on('drain', done);
      this.#stream.on('close', done);
    });
    return this.#room;
  }
}
