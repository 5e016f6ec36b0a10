import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { ReadPage } from './coded-pages.ts';
import type { EventPlace } from './read-page.ts';
import type { FromReader, ReaderStart, ToReader } from './reader-messages.ts';

/** Pages that are asked for at once: what wakes a thread costs as much as some events. At most twice as many are ready. */
const AT_ONCE = 8;

/**
 * Pages of a SQLite store that a thread reads ahead, since SQLite's calls hold their thread. Whatever the thread fails with is not told: who
 * goes on reading without it meets the same.
 */
export class PagesAhead {
  readonly #worker: Worker;
  readonly #ended: Promise<unknown>;
  #state: 'starting' | 'ready' | 'reading' | 'over' = 'starting';
  readonly #pages: ReadPage[] = [];
  /** Pages that are asked for and have not been taken. */
  #ahead = 0;
  #onChange: () => void = () => undefined;

  /** @param file absolute path of the bundled thread */
  constructor(file: string, start: ReaderStart) {
    // Its stdout is not ours: that belongs to the protocol.
    this.#worker = new Worker(file, { workerData: start, stdout: true });
    this.#ended = once(this.#worker, 'exit').catch(() => undefined);
    this.#worker.on('message', (message: FromReader) => {
      if (message.kind === 'page') this.#pages.push(message.page);
      else this.#state = 'ready';
      this.#onChange();
    });
    const end = (): void => {
      this.#state = 'over';
      this.#onChange();
    };
    this.#worker.on('error', end);
    this.#worker.on('exit', end);
  }

  /** The page behind a place, each the last one's end; undefined while the thread starts, and once it has failed. */
  async next(after: EventPlace): Promise<ReadPage | undefined> {
    // Lets its messages arrive.
    if (this.#state === 'starting') await nextTurn();
    if (this.#state === 'ready') {
      this.#state = 'reading';
      this.#post({ kind: 'begin', after });
    }
    if (this.#state === 'reading' && this.#ahead <= AT_ONCE) {
      this.#post({ kind: 'more', pages: AT_ONCE });
      this.#ahead += AT_ONCE;
    }
    while (this.#state === 'reading' && this.#pages.length === 0) {
      await new Promise<void>((resolve) => {
        this.#onChange = resolve;
      });
    }
    const page = this.#pages.shift();
    if (page !== undefined) this.#ahead -= 1;
    return page;
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    if (this.#state === 'starting') await this.#worker.terminate();
    else this.#post({ kind: 'close' });
    await this.#ended;
  }

  #post(message: ToReader): void {
    this.#worker.postMessage(message, []);
  }
}
