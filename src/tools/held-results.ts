import { randomBytes } from 'node:crypto';
import type { CutText } from './cut-text.ts';
import type { Place } from './pages.ts';

/** A result is kept for this long after it was last read. */
export const HELD_MINUTES = 10;
const HELD_MS = HELD_MINUTES * 60_000;
const MOST_RESULTS = 100;
const MOST_BYTES = 64 * 1024 * 1024;

/** The texts of one result that was too long for its caller. */
export interface HeldResult {
  /** Who may read it; everybody where absent. */
  readonly owner?: string;
  readonly texts: readonly CutText[];
  /** Room of a page. */
  readonly pageTokens: number;
  /** Where the first page ended. */
  readonly second: Place;
  /** About how many tokens all texts have together. */
  readonly totalTokens: number;
  /** The texts whole, for whoever keeps them where another process reads them. */
  readonly whole?: readonly string[];
  /** Memory that the texts take. */
  readonly bytes: number;
}

/** A place that several processes keep their results in. */
export interface ResultStore {
  readonly put: (handle: string, result: HeldResult) => Promise<void>;
  readonly get: (handle: string) => Promise<HeldResult | undefined>;
}

/** Results that wait to be read on: until 10 minutes after they were last read, and not more than 100 or 64 MiB (or one that is larger). */
export class HeldResults {
  readonly #now: () => number;
  #store: ResultStore | undefined;
  #storing: Promise<unknown> = Promise.resolve();
  /** Least recently read first. */
  readonly #held = new Map<string, { readonly result: HeldResult; readonly until: number }>();
  #sweep: NodeJS.Timeout | undefined;

  /** @param now milliseconds of any clock that only goes forward. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Keeps results where other processes find them, too. */
  shareIn(store: ResultStore): void {
    this.#store = store;
  }

  /** Keeps a result. @returns its handle, which nobody can guess. */
  hold(result: HeldResult): string {
    const handle = randomBytes(9).toString('base64url');
    this.#put(handle, result);
    if (this.#store !== undefined) this.#storing = Promise.all([this.#storing, this.#store.put(handle, result)]);
    let bytes = [...this.#held.values()].reduce((sum, each) => sum + each.result.bytes, 0);
    for (const [old, each] of this.#held) {
      if (old === handle || (bytes <= MOST_BYTES && this.#held.size <= MOST_RESULTS)) break;
      this.#held.delete(old);
      bytes -= each.result.bytes;
    }
    return handle;
  }

  /** The result of a handle, which is kept anew; undefined where there is none any more. */
  get(handle: string): HeldResult | undefined {
    this.#forgetOld();
    const found = this.#held.get(handle);
    if (found !== undefined) this.#put(handle, found.result);
    return found?.result;
  }

  /** Resolves when everything that is held can be found by other processes. @throws as the store does. */
  async stored(): Promise<void> {
    const storing = this.#storing;
    this.#storing = Promise.resolve();
    await storing;
  }

  /** As `get`, and what another process holds. */
  async find(handle: string): Promise<HeldResult | undefined> {
    return this.get(handle) ?? this.#store?.get(handle);
  }

  /** Forgets everything. */
  close(): void {
    this.#held.clear();
    clearTimeout(this.#sweep);
  }

  #put(handle: string, result: HeldResult): void {
    this.#held.delete(handle);
    this.#held.set(handle, { result, until: this.#now() + HELD_MS });
    // An idle process gives the memory back too; waiting for that keeps no process alive.
    clearTimeout(this.#sweep);
    this.#sweep = setTimeout(() => this.#held.clear(), HELD_MS).unref();
  }

  #forgetOld(): void {
    for (const [handle, { until }] of this.#held) if (until <= this.#now()) this.#held.delete(handle);
  }
}
