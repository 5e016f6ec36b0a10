import { LONGEST_TIMER_MS } from '../config/defaults.ts';

/** Counts what runs on a server, and tells when nothing has for long enough. */
export class Activity {
  readonly #idleMs: () => number | undefined;
  readonly #onIdle: () => void;
  #running = 0;
  #timer: NodeJS.Timeout | undefined;
  #waiting: (() => void)[] = [];

  /**
   * @param idleMs asked whenever nothing runs any more; undefined for a server that is never stopped.
   * @param onIdle called when nothing has begun for so long.
   */
  constructor(idleMs: () => number | undefined, onIdle: () => void) {
    this.#idleMs = idleMs;
    this.#onIdle = onIdle;
  }

  /** Runs `use` as something that keeps the server from being stopped. */
  async during<T>(use: () => Promise<T>): Promise<T> {
    this.#running += 1;
    clearTimeout(this.#timer);
    try {
      return await use();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#rest();
    }
  }

  /** Resolves when nothing runs. */
  async settled(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** No more `onIdle`. */
  close(): void {
    clearTimeout(this.#timer);
  }

  #rest(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
    const idleMs = this.#idleMs();
    if (idleMs === undefined) return;
    this.#timer = setTimeout(this.#onIdle, Math.min(idleMs, LONGEST_TIMER_MS)).unref();
  }
}
