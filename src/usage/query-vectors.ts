import { findExpressions, type Expressions } from './expressions.ts';
import { type QueryTally, termsOf } from './fold/query-tally.ts';

const IMAGINED_QUERIES = 100;

/** Terms of a query, each once, and their weights. */
export type Vector = readonly (readonly [term: string, weight: number])[];

/**
 * Unit vectors over the terms of queries, each term by its rarity among them, the weightiest first; a query of stop words alone is its own term.
 * The words of one expression ("speed up") weigh as one together, or two needs that share a verb would be nearer than two wordings of one.
 */
export function vectorsOf(queries: readonly QueryTally[]): (query: QueryTally) => Vector {
  const frequencies = frequenciesIn(queries);
  const expressions = findExpressions(queries, frequencies);
  // In a short log one word more or less would weigh as much as being common or rare does in a long one.
  const rarityOf = (term: string): number =>
    Math.log(1 + (queries.length + IMAGINED_QUERIES) / ((frequencies.get(term) ?? 0) + 1));
  return (query) => {
    const terms = termsOf(query);
    if (terms.length === 0) return [[query.text ?? '', 1]];
    const weights = terms.map((term, at): [string, number] => [
      term,
      rarityOf(term) / lengthAt(terms, at, expressions),
    ]);
    const norm = Math.sqrt(weights.reduce((sum, [, weight]) => sum + weight * weight, 0));
    weights.sort((a, b) => b[1] - a[1]);
    for (const pair of weights) pair[1] /= norm;
    return weights;
  };
}

function frequenciesIn(queries: readonly QueryTally[]): ReadonlyMap<string, number> {
  const frequencies = new Map<string, number>();
  for (const query of queries) {
    for (const term of termsOf(query)) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  }
  return frequencies;
}

/** How many terms the expression has that a term is part of; 1 for a term by itself. */
function lengthAt(terms: readonly string[], at: number, expressions: Expressions): number {
  if (expressions.size === 0) return 1;
  let [first, last] = [at, at];
  while (first > 0 && expressions.get(terms[first - 1] ?? '') === terms[first]) first -= 1;
  while (last + 1 < terms.length && expressions.get(terms[last] ?? '') === terms[last + 1]) last += 1;
  return last - first + 1;
}
