import type { QueryTally } from '../fold/query-tally.ts';
import type { EntryTally } from '../fold/tally.ts';
import type { Vector } from '../query-vectors.ts';

/** One query counts so often at most: what a job asks every night says one thing. */
export const MOST_OF_QUERY = 20;

/**
 * Queries of two entries that are less alike are of two kinds: two entries with a word in common reach about .6 of what one entry's queries reach
 * among themselves.
 */
export const LEAST_LIKENESS = 0.7;
/** Queries of two entries that are so much alike are of one kind. */
export const SAME_QUERIES = 0.9;

/** The queries that led to one entry, summed up. */
export interface QuerySum {
  /** Terms of what was asked for, and their weights. */
  readonly terms: Map<string, number>;
  weight: number;
  /** Sum of squared weights: what comparing each query with itself would add. */
  squares: number;
}

export function newQuerySum(): QuerySum {
  return { terms: new Map(), weight: 0, squares: 0 };
}

/** @param weight times that the query led there, bounded by `MOST_OF_QUERY` */
export function addQuery(sum: QuerySum, vector: Vector, weight: number): void {
  sum.weight += weight;
  sum.squares += weight ** 2;
  for (const [term, ofTerm] of vector) sum.terms.set(term, (sum.terms.get(term) ?? 0) + weight * ofTerm);
}

/**
 * How alike the queries are that led to one and to the other, beside how alike those are that led to the same: near 1 where they are of one
 * kind, less where they are of two; 0 where those of one entry have nothing in common, which tells nothing.
 * @see Gretton et al. 2012, A kernel two-sample test; here with the cosine for a kernel.
 */
export function likenessOf(a: QuerySum, b: QuerySum): number {
  const likeness = dot(a.terms, b.terms) / (a.weight * b.weight) / Math.sqrt(likenessWithin(a) * likenessWithin(b));
  return Number.isFinite(likeness) ? Math.min(1, likeness) : 0;
}

/** The mean cosine of two queries that led to one entry. */
export function likenessWithin({ terms, weight, squares }: QuerySum): number {
  return (dot(terms, terms) - squares) / (weight ** 2 - squares);
}

function dot(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let product = 0;
  for (const [term, weight] of a) product += weight * (b.get(term) ?? 0);
  return product;
}

/** What led to each of the entries, by whatever list; queries whose words are not kept left out. */
export function queriesLeadingTo(
  entries: ReadonlySet<EntryTally | undefined>,
  queries: readonly QueryTally[],
  vectorOf: (query: QueryTally) => Vector,
): ReadonlyMap<EntryTally, QuerySum> {
  const sums = new Map<EntryTally, QuerySum>();
  for (const query of queries) {
    if (query.text === null) continue;
    for (const [entry, uses] of query.led ?? []) {
      if (!entries.has(entry)) continue;
      const sum = sums.get(entry) ?? newQuerySum();
      sums.set(entry, sum);
      addQuery(sum, vectorOf(query), Math.min(uses, MOST_OF_QUERY));
    }
  }
  return sums;
}
