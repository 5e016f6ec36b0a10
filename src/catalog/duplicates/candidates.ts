import type { DuplicateIndex } from './duplicate-index.ts';
import type { Fingerprint } from './fingerprint.ts';

/** Terms that more playbooks than this have are left to the comparison itself: they cost most and tell least. */
const MOST_POSTINGS = 400;

interface CandidateOptions {
  /** Only items with a smaller number, so that all pairs of a catalog are looked at once. */
  readonly before: number;
  /** Over the terms that not everybody has, 0..1. */
  readonly leastCosine: number;
}

/** Numbers of the items whose vocabulary may be alike enough to compare, ascending; each once. */
export function candidatesFor(
  { postings }: DuplicateIndex,
  { distinct, weights }: Fingerprint,
  { before, leastCosine }: CandidateOptions,
): readonly number[] {
  const cosines = new Float64Array(before);
  for (const [i, term] of distinct.entries()) {
    const posting = postings[term];
    if (posting === undefined || posting.items.length > MOST_POSTINGS) continue;
    const weight = weights[i] ?? 0;
    for (const [at, item] of posting.items.entries()) {
      if (item >= before) break;
      cosines[item] = (cosines[item] ?? 0) + weight * (posting.weights[at] ?? 0);
    }
  }
  const found: number[] = [];
  for (const [item, cosine] of cosines.entries()) if (cosine >= leastCosine) found.push(item);
  return found;
}
