import { findExpressions } from './expressions.ts';
import { type QueryTally, termsOf } from './fold/query-tally.ts';

const IMAGINED_QUERIES = 100;
/** A general sort of so few takes longer to begin than to put each in its place. */
const SHORT = 32;

/** Terms of a query, each once, and their weights. */
export type Vector = readonly (readonly [term: string, weight: number])[];

/** The same as two lists, which are made faster: there are a hundred thousand. */
export interface TermWeights {
  readonly terms: readonly string[];
  readonly weights: readonly number[];
}

/**
 * How the words of one expression weigh: `together`, as one word does; `apart`, less, so that what sets queries about one thing apart weighs
 * more than the thing that all of them name.
 */
export type Weighing = 'together' | 'apart';

/** See `termWeightsOf`. */
export function vectorsOf(queries: readonly QueryTally[], weighing?: Weighing): (query: QueryTally) => Vector {
  const weightsOf = termWeightsOf(queries, weighing);
  return (query) => {
    const { terms, weights } = weightsOf(query);
    return terms.map((term, at) => [term, weights[at] ?? 0]);
  };
}

/**
 * Unit vectors over the terms of queries, each term by its rarity among them, the weightiest first; a query of stop words alone is its own term.
 * The words of one expression ("speed up") weigh as one together, or two needs that share a verb would be nearer than two wordings of one.
 */
export function termWeightsOf(
  queries: readonly QueryTally[],
  weighing: Weighing = 'together',
): (query: QueryTally) => TermWeights {
  // It is squares that a cosine adds up.
  const power = weighing === 'together' ? 1 / 2 : 1;
  const known = knownOf.get(queries) ?? knownTerms(queries);
  knownOf.set(queries, known);
  return (query) => {
    const terms = termsOf(query);
    if (terms.length === 0) return { terms: [query.text ?? ''], weights: [1] };
    const found = terms.map((term) => known.get(term));
    const weights = found.map((term, at) => (term?.rarity ?? 0) / lengthAt(terms, at, found) ** power);
    let squares = 0;
    for (const weight of weights) squares += weight * weight;
    const norm = Math.sqrt(squares);
    const order = orderOf(weights);
    return { terms: order.map((at) => terms[at] ?? ''), weights: order.map((at) => (weights[at] ?? 0) / norm) };
  };
}

interface KnownTerm {
  readonly rarity: number;
  /** What follows it in an expression. */
  readonly second: string | undefined;
}

/** Several rules of a review ask for the same queries. */
const knownOf = new WeakMap<readonly QueryTally[], ReadonlyMap<string, KnownTerm>>();

function knownTerms(queries: readonly QueryTally[]): ReadonlyMap<string, KnownTerm> {
  const frequencies = new Map<string, number>();
  for (const query of queries) {
    for (const term of termsOf(query)) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  }
  const expressions = findExpressions(queries, frequencies);
  const known = new Map<string, KnownTerm>();
  for (const [term, frequency] of frequencies) {
    // In a short log one word more or less would weigh as much as being common or rare does in a long one.
    const rarity = Math.log(1 + (queries.length + IMAGINED_QUERIES) / (frequency + 1));
    known.set(term, { rarity, second: expressions.get(term) });
  }
  return known;
}

/** How many terms the expression has that a term is part of; 1 for a term by itself. */
function lengthAt(terms: readonly string[], at: number, known: readonly (KnownTerm | undefined)[]): number {
  let [first, last] = [at, at];
  while (first > 0 && known[first - 1]?.second === terms[first]) first -= 1;
  while (last + 1 < terms.length && known[last]?.second === terms[last + 1]) last += 1;
  return last - first + 1;
}

/** Places from the greatest weight to the least, equals as they were. */
function orderOf(weights: readonly number[]): readonly number[] {
  const order = weights.map((_, at) => at);
  if (order.length > SHORT) return order.sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0));
  for (let next = 1; next < order.length; next += 1) {
    const weight = weights[next] ?? 0;
    let at = next;
    for (; at > 0 && (weights[order[at - 1] ?? 0] ?? 0) < weight; at -= 1) order[at] = order[at - 1] ?? 0;
    order[at] = next;
  }
  return order;
}
