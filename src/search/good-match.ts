import { inverseFrequency } from './corpus.ts';
import type { ParsedQuery } from './query.ts';
import { GOOD_MATCH } from './weights.ts';

/**
 * Whether the best candidates answer the query at all: one of them has every word that it asks for, or one is strong
 * enough for how much of the query the catalog has words for.
 *
 * @param best how much each of them has of each of the query's terms: `amountsOf`.
 */
export function isGoodMatch(best: readonly Float64Array[], query: ParsedQuery, size: number): boolean {
  if (best.some((amounts) => amounts.every((amount) => amount > 0))) return true;
  const familiarity = familiarityOf(query);
  const minStrength = GOOD_MATCH.minStrength * Math.sqrt(Math.min(1, size / GOOD_MATCH.fullSize));
  return best.some((amounts) => strengthOf(amounts, query, size) * familiarity ** 2 >= minStrength);
}

/** The share of the query's distinct words that the catalog knows: 0..1. A stop word is half a word, and known to all. */
function familiarityOf({ terms, stopWordCount }: ParsedQuery): number {
  const stopWords = stopWordCount * GOOD_MATCH.stopWord;
  const known = terms.reduce((sum, { knownness }) => sum + knownness, stopWords);
  return known / Math.max(1, terms.length + stopWords);
}

/** The plain BM25F score of a candidate in units of what one rare word gives, so that it means the same in any catalog. */
function strengthOf(amounts: Float64Array, { terms }: ParsedQuery, size: number): number {
  const imagined = size + GOOD_MATCH.imaginedEntries;
  const score = terms.reduce(
    (sum, { frequency }, index) => sum + inverseFrequency(imagined, frequency) * (amounts[index] ?? 0),
    0,
  );
  return score / Math.log(1 + imagined);
}
