/** Neighbouring buckets differ by this factor, so that a quantile is off by at most 5 %. */
const FACTOR = 1.1;
const SHORTEST_MS = 0.1;
const LOG_FACTOR = Math.log(FACTOR);
/** Reaches 16 minutes; what takes longer counts as that. */
const BUCKETS = 170;

/** How long calls took, in buckets that grow with the latency: a million calls need no more room than one. */
export class Latencies {
  readonly #counts = new Uint32Array(BUCKETS);
  #total = 0;

  /** @param ms Milliseconds. */
  add(ms: number): void {
    const bucket = ms <= SHORTEST_MS ? 0 : Math.ceil(Math.log(ms / SHORTEST_MS) / LOG_FACTOR);
    const at = Math.min(bucket, BUCKETS - 1);
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#total += 1;
  }

  /** Milliseconds within which so large a share of the calls was answered; undefined where there was none. */
  quantile(share: number): number | undefined {
    if (this.#total === 0) return undefined;
    let seen = 0;
    for (const [at, count] of this.#counts.entries()) {
      seen += count;
      if (seen >= share * this.#total && count > 0) return SHORTEST_MS * FACTOR ** Math.max(0, at - 0.5);
    }
    return undefined;
  }
}
