import type { Writable } from 'node:stream';

/**
 * Writes lines to a stream: all that are given in one turn of the event loop at once. With many calls in flight a system call
 * for each message costs more than what the message says.
 */
export class LineWriter {
  readonly #stream: Writable;
  #lines = '';
  /** Of the lines that wait. */
  #written: Promise<void> | undefined;
  /** Shared by all lines that wait for room: the stream warns of more than ten listeners. */
  #room: Promise<void> | undefined;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  /** @param line without its line end. @returns a promise that resolves when the stream has room for more, or has closed. */
  write(line: string): Promise<void> {
    this.#lines += `${line}\n`;
    // Behind all promises that are settled now, whose continuations have lines of their own.
    this.#written ??= new Promise((resolve) => process.nextTick(() => this.#flush(resolve)));
    return this.#written;
  }

  #flush(resolve: () => void): void {
    const lines = this.#lines;
    this.#lines = '';
    this.#written = undefined;
    if (this.#stream.write(lines)) resolve();
    else void this.#roomMade().then(resolve);
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
