import type { Fingerprint } from './fingerprint.ts';

/** Terms that more playbooks than this have are left to the comparison itself: they cost most and tell least. */
const MOST_POSTINGS = 400;

/** Which items have a term, and the term's weight in each; nothing for terms that too many have. */
export interface Postings {
  /** Where a term's part of the other two begins, by its number; it ends where the next one's begins. */
  readonly starts: Uint32Array;
  /** Numbers of items, ascending for each term. */
  readonly items: Uint32Array;
  readonly weights: Float64Array;
}

/** Inverts fingerprints; their place in the list is their number. */
export function postingsOf(fingerprints: readonly Fingerprint[], termCount: number): Postings {
  const counts = new Uint32Array(termCount);
  for (const { distinct } of fingerprints) for (const term of distinct) counts[term] = (counts[term] ?? 0) + 1;
  const starts = new Uint32Array(termCount + 1);
  for (const [term, count] of counts.entries()) {
    starts[term + 1] = (starts[term] ?? 0) + (count > MOST_POSTINGS ? 0 : count);
  }
  const next = starts.slice();
  const items = new Uint32Array(starts[termCount] ?? 0);
  const weights = new Float64Array(items.length);
  for (const [number, { distinct, weights: own }] of fingerprints.entries()) {
    for (let i = 0; i < distinct.length; i += 1) {
      const term = distinct[i] ?? 0;
      const at = next[term] ?? 0;
      if ((starts[term + 1] ?? 0) === at) continue;
      items[at] = number;
      weights[at] = own[i] ?? 0;
      next[term] = at + 1;
    }
  }
  return { starts, items, weights };
}
