/** However much progress a call reports, it ends after this many times its timeout. */
const CEILING_FACTOR = 10;

/** The time limit of one call: counted anew from every sign of progress, up to a ceiling, and ended early by the caller. */
export class Deadline {
  /** Aborts when the time is up or the caller cancels. */
  readonly signal: AbortSignal;
  readonly #expiry = new AbortController();
  readonly #giveUp = new AbortController();
  readonly #timeoutMs: number;
  #ceiling: NodeJS.Timeout;
  #timer: NodeJS.Timeout;
  #ceilingMs: number;
  #ranSince = performance.now();
  #pauses = 0;
  #refusal: Error | undefined;

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs;
    const ends = [this.#expiry.signal, this.#giveUp.signal];
    this.signal = AbortSignal.any(caller ? [caller, ...ends] : ends);
    this.#ceilingMs = timeoutMs * CEILING_FACTOR;
    this.#ceiling = setTimeout(() => this.#expire(), this.#ceilingMs);
    this.#timer = setTimeout(() => this.#expire(), timeoutMs);
  }

  /** Whether the time was up before the call ended. */
  get hasExpired(): boolean {
    return this.#expiry.signal.aborted;
  }

  /** Why the call was given up although neither time nor caller ended it. */
  get refusal(): Error | undefined {
    return this.#refusal;
  }

  /** Ends the call for another reason than time. */
  refuse(reason: Error): void {
    this.#refusal = reason;
    this.#giveUp.abort(reason);
  }

  extend(): void {
    if (this.#pauses === 0) this.#timer.refresh();
  }

  /** Stops the clock while the upstream waits for somebody else, and starts it again when the promise has settled. */
  async without<T>(promise: Promise<T>): Promise<T> {
    this.#pauses += 1;
    if (this.#pauses === 1) {
      this.close();
      this.#ceilingMs -= performance.now() - this.#ranSince;
    }
    try {
      return await promise;
    } finally {
      this.#pauses -= 1;
      if (this.#pauses === 0 && !this.signal.aborted) this.#run();
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#ceiling);
  }

  #run(): void {
    this.#ranSince = performance.now();
    this.#ceiling = setTimeout(() => this.#expire(), Math.max(this.#ceilingMs, 0));
    this.#timer = setTimeout(() => this.#expire(), this.#timeoutMs);
  }

  #expire(): void {
    this.#expiry.abort(new Error(`no answer within ${this.#timeoutMs} ms`));
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
