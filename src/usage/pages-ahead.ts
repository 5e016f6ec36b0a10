import { Worker } from 'node:worker_threads';
import type { ReadPage } from './coded-pages.ts';
import type { FromReader, ReaderStart, ToReader } from './reader-messages.ts';

/** Pages that may be ready before anybody takes one: what is read while a catalog is loaded, some 10 MB. */
const MOST_AHEAD = 128;
/** Room that is told of at once, as a share of those: what wakes a thread costs as much as some events. */
const SHARE_AT_ONCE = 1 / 8;

/**
 * Pages of a SQLite store that a thread reads ahead, since SQLite's calls hold their thread; it begins as soon as this is made. Whatever the
 * thread fails with is not told: who goes on reading without it meets the same.
 */
export class PagesAhead {
  readonly #worker: Worker;
  readonly #ended: Promise<unknown>;
  readonly #atOnce: number;
  readonly #pages: ReadPage[] = [];
  #isOver = false;
  /** Pages that were taken, and room was not told of. */
  #taken = 0;
  #onChange: () => void = () => undefined;

  /**
   * @param file absolute path of the bundled thread
   * @param mostAhead pages that are read before any of them is taken
   */
  constructor(file: string, start: ReaderStart, mostAhead = MOST_AHEAD) {
    this.#atOnce = Math.ceil(mostAhead * SHARE_AT_ONCE);
    // Its stdout is not ours: that belongs to the protocol.
    this.#worker = new Worker(file, { workerData: start, stdout: true });
    this.#ended = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.on('message', (page: FromReader) => {
      this.#pages.push(page);
      this.#onChange();
    });
    const end = (): void => {
      this.#isOver = true;
      this.#onChange();
    };
    this.#worker.on('error', end);
    this.#worker.on('exit', end);
    this.#post({ kind: 'more', pages: mostAhead });
  }

  /** The next page; undefined once the thread has failed. Not to be called behind the last one, which has no `end`. */
  async next(): Promise<ReadPage | undefined> {
    while (!this.#isOver && this.#pages.length === 0) {
      await new Promise<void>((resolve) => {
        this.#onChange = resolve;
      });
    }
    const page = this.#pages.shift();
    this.#taken += 1;
    if (this.#taken === this.#atOnce) {
      this.#taken = 0;
      this.#post({ kind: 'more', pages: this.#atOnce });
    }
    return page;
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    this.#post({ kind: 'close' });
    await this.#ended;
  }

  #post(message: ToReader): void {
    this.#worker.postMessage(message, []);
  }
}
