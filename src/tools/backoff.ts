const FIRST_MS = 1000;
const LONGEST_MS = 60_000;

/** How long to leave a server alone after it failed to start: twice as long after each failure, less up to half by chance. */
export class Backoff {
  #failures = 0;
  #notBefore = 0;

  /** Milliseconds until the next attempt is due; 0 where it is. */
  get waitMs(): number {
    return Math.max(0, this.#notBefore - performance.now());
  }

  /** Whether the last start failed. */
  get hasFailed(): boolean {
    return this.#failures > 0;
  }

  failed(): void {
    const longestMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** this.#failures);
    this.#failures += 1;
    // Many clients lose a shared server at the same moment; chance keeps them from coming back together.
    this.#notBefore = performance.now() + longestMs * (0.5 + Math.random() / 2);
  }

  succeeded(): void {
    this.#failures = 0;
    this.#notBefore = 0;
  }
}
