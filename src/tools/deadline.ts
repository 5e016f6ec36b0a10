/** However much progress a call reports, it ends after this many times its timeout. */
const CEILING_FACTOR = 10;

/** The time limit of one call: counted anew from every sign of progress, up to a ceiling, and ended early by the caller. */
export class Deadline {
  /** Aborts when the time is up or the caller cancels. */
  readonly signal: AbortSignal;
  readonly #expiry = new AbortController();
  readonly #timeoutMs: number;
  readonly #ceiling: NodeJS.Timeout;
  #timer: NodeJS.Timeout;

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs;
    this.signal = caller ? AbortSignal.any([caller, this.#expiry.signal]) : this.#expiry.signal;
    this.#ceiling = setTimeout(() => this.#expire(), timeoutMs * CEILING_FACTOR);
    this.#timer = setTimeout(() => this.#expire(), timeoutMs);
  }

  /** Whether the time was up before the call ended. */
  get hasExpired(): boolean {
    return this.#expiry.signal.aborted;
  }

  extend(): void {
    this.#timer.refresh();
  }

  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#ceiling);
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
