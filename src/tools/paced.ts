/** Does what it is asked for, but no sooner than a while after that was done last; what is asked meanwhile is one. */
export class Paced {
  readonly #run: () => void;
  readonly #pauseMs: number;
  #doneAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(run: () => void, pauseMs: number) {
    this.#run = run;
    this.#pauseMs = pauseMs;
  }

  ask(): void {
    const waitMs = Math.max(0, this.#doneAt + this.#pauseMs - performance.now());
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#run();
    }, waitMs).unref();
  }

  /** To be called whenever it was done, asked or not. */
  noteDone(): void {
    this.#doneAt = performance.now();
  }

  /** Nothing more is done. */
  close(): void {
    clearTimeout(this.#timer);
  }
}
