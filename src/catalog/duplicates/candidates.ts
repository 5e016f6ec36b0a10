import type { DuplicateIndex } from './duplicate-index.ts';
import type { Fingerprint } from './fingerprint.ts';

interface CandidateOptions {
  /** Only items with a smaller number, so that all pairs of a catalog are looked at once. */
  readonly before: number;
  /** Over the terms that not everybody has, 0..1. */
  readonly leastCosine: number;
}

/** One for each item, 0 between two texts: a new one for each of thousands would be megabytes to collect. */
let cosines = new Float64Array(0);

/** Numbers of the items whose vocabulary may be alike enough to compare, ascending; each once. */
export function candidatesFor(
  { postings: { starts, items, weights: termWeights } }: DuplicateIndex,
  { distinct, weights }: Fingerprint,
  { before, leastCosine }: CandidateOptions,
): readonly number[] {
  if (cosines.length < before) cosines = new Float64Array(2 * before);
  for (let i = 0; i < distinct.length; i += 1) {
    const term = distinct[i] ?? 0;
    const weight = weights[i] ?? 0;
    const end = starts[term + 1] ?? 0;
    for (let at = starts[term] ?? 0; at < end; at += 1) {
      const item = items[at] ?? 0;
      if (item >= before) break;
      cosines[item] = (cosines[item] ?? 0) + weight * (termWeights[at] ?? 0);
    }
  }
  const found: number[] = [];
  for (let item = 0; item < before; item += 1) if ((cosines[item] ?? 0) >= leastCosine) found.push(item);
  cosines.fill(0, 0, before);
  return found;
}
