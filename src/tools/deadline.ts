/** However much progress a call reports, it ends after this many times its timeout. */
const CEILING_FACTOR = 10;

/** What a request must know of its end, where an `AbortSignal` would cost more than the rest of it. */
export interface Cancellation {
  readonly isCancelled: boolean;
  readonly reason: unknown;
  /** Called once when that happens; one listener at a time. */
  onCancelled: (() => void) | undefined;
  /** The same as a signal, which is made when it is first asked for. */
  readonly signal: AbortSignal;
}

/**
 * The time limit of one call: counted anew from every sign of progress, up to a ceiling, and ended early by the caller.
 *
 * One timer, and no signal where nobody wants one, since every call makes a deadline: `AbortSignal.any` over three signals, and
 * a timer for the ceiling beside the other, took a tenth of a call's time.
 */
export class Deadline implements Cancellation {
  onCancelled: (() => void) | undefined;
  readonly #timeoutMs: number;
  readonly #caller: AbortSignal | undefined;
  readonly #cancel = (): void => this.#end(this.#caller?.reason);
  #abort: AbortController | undefined;
  #isCancelled = false;
  #reason: unknown;
  #timer: NodeJS.Timeout;
  #ceilingMs: number;
  #ranSince = performance.now();
  #pauses = 0;
  #hasExpired = false;
  #refusal: Error | undefined;

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs;
    this.#caller = caller;
    this.#ceilingMs = timeoutMs * CEILING_FACTOR;
    this.#timer = setTimeout(() => this.#expire(), timeoutMs);
    caller?.addEventListener('abort', this.#cancel, { once: true });
    if (caller?.aborted === true) this.#cancel();
  }

  /** Whether the time was up, or the caller has cancelled, before `close`. */
  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  get reason(): unknown {
    return this.#reason;
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#isCancelled) this.#abort.abort(this.#reason);
    return this.#abort.signal;
  }

  /** Whether the time was up before the call ended. */
  get hasExpired(): boolean {
    return this.#hasExpired;
  }

  /** Whether the upstream waits for somebody else, see `without`. */
  get isPaused(): boolean {
    return this.#pauses > 0;
  }

  /** Why the call was given up although neither time nor caller ended it. */
  get refusal(): Error | undefined {
    return this.#refusal;
  }

  /** Ends the call for another reason than time. */
  refuse(reason: Error): void {
    this.#refusal = reason;
    this.#end(reason);
  }

  extend(): void {
    if (this.#pauses > 0 || this.#isCancelled) return;
    if (this.#leftMs() >= this.#timeoutMs) this.#timer.refresh();
    else this.#run();
  }

  /** Stops the clock while the upstream waits for somebody else, and starts it again when the promise has settled. */
  async without<T>(promise: Promise<T>): Promise<T> {
    this.#pauses += 1;
    if (this.#pauses === 1) {
      clearTimeout(this.#timer);
      this.#ceilingMs = this.#leftMs();
    }
    try {
      return await promise;
    } finally {
      this.#pauses -= 1;
      if (this.#pauses === 0 && !this.#isCancelled) {
        this.#ranSince = performance.now();
        this.#run();
      }
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#cancel);
  }

  /** Until the ceiling, while the clock runs. */
  #leftMs(): number {
    return this.#ceilingMs - (performance.now() - this.#ranSince);
  }

  #run(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#expire(), Math.min(this.#timeoutMs, Math.max(this.#leftMs(), 0)));
  }

  #expire(): void {
    this.#hasExpired = true;
    this.#end(new Error(`no answer within ${this.#timeoutMs} ms`));
  }

  #end(reason: unknown): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.#reason = reason;
    this.onCancelled?.();
    this.#abort?.abort(reason);
  }
}

/** What the promise gives, or the signal's reason as soon as that aborts; the work behind the promise goes on. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  let abandon = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abandon = () => reject(signal.reason);
    signal.addEventListener('abort', abandon, { once: true });
    if (signal.aborted) abandon();
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}
