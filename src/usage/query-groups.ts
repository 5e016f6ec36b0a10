import { compareIds } from '../catalog/order.ts';
import type { QueryTally } from './fold/query-tally.ts';
import { type Vector, vectorsOf } from './query-vectors.ts';

/** Queries that ask for the same in other words. */
export interface QueryGroup {
  /** Those that led to nothing at least once, the most frequent first. */
  readonly queries: QueryTally[];
  /** Words that they share, as the index knows them, and how much each tells of what is asked for; the weightiest first. */
  readonly terms: readonly (readonly [term: string, weight: number])[];
  /** Those, and others near to them, that led to something at least once. */
  readonly answeredQueries: QueryTally[];
  /** Searches of these that led to something. */
  answered: number;
  readonly unanswered: number;
}

/** How many people, or sessions where people are unknown, asked a group's queries in vain, and on how many days. */
export function reachOf({ queries }: Pick<QueryGroup, 'queries'>): { readonly askedBy: number; readonly days: number } {
  return {
    askedBy: new Set(queries.flatMap(({ unansweredBy }) => [...(unansweredBy ?? [])])).size,
    days: new Set(queries.flatMap(({ unansweredDays }) => [...(unansweredDays ?? [])])).size,
  };
}

interface Gathered {
  readonly queries: QueryTally[];
  readonly answeredQueries: QueryTally[];
  readonly weights: Map<string, number>;
  norm: number;
  unanswered: number;
  answered: number;
  /** The number of the search for the nearest group that looked at it last. */
  comparedIn: number;
}

/** Cosine from which a query belongs to a group: half of its weight, in rare words. */
const LEAST_COSINE = 0.6;
const MOST_TERMS = 6;

/**
 * Groups the queries that led to nothing, largest group first. Words weigh by how few queries have them, so that "please" and "how do
 * I" bind nothing. Each query goes to the group that it is most like, the frequent ones first: the same queries give the same groups.
 * @see Hartigan 1975, Clustering algorithms (leader algorithm); Salton & Buckley 1988 for the weights.
 */
export function groupUnanswered(queries: readonly QueryTally[]): readonly QueryGroup[] {
  const asked = queries.filter(({ text, searches }) => text !== null && searches > 0);
  const vectorOf = vectorsOf(asked);
  const groups = new Groups();
  const unanswered = asked
    .filter((query) => query.unanswered > 0)
    .sort((a, b) => b.unanswered - a.unanswered || compareIds(a.text ?? '', b.text ?? ''));
  for (const query of unanswered) {
    const vector = vectorOf(query);
    groups.join(groups.nearest(vector) ?? groups.add(), query, vector);
  }
  for (const query of asked) {
    if (query.answered === 0) continue;
    const group = groups.nearest(vectorOf(query));
    if (group === undefined) continue;
    group.answeredQueries.push(query);
    group.answered += query.answered;
  }
  return groups.all.map(toGroup).sort((a, b) => b.unanswered - a.unanswered || compareIds(nameOf(a), nameOf(b)));
}

function nameOf({ queries }: QueryGroup): string {
  return queries[0]?.text ?? '';
}

function toGroup({ queries, answeredQueries, weights, unanswered, answered }: Gathered): QueryGroup {
  const terms = [...weights].sort((a, b) => b[1] - a[1] || compareIds(a[0], b[0]));
  return { queries, answeredQueries, unanswered, answered, terms: terms.slice(0, MOST_TERMS) };
}

/** Groups, found by their terms. */
class Groups {
  readonly all: Gathered[] = [];
  readonly #byTerm = new Map<string, Gathered[]>();
  #comparisons = 0;

  add(): Gathered {
    const group: Gathered = {
      queries: [],
      answeredQueries: [],
      weights: new Map(),
      norm: 0,
      unanswered: 0,
      answered: 0,
      comparedIn: 0,
    };
    this.all.push(group);
    return group;
  }

  join(group: Gathered, query: QueryTally, vector: Vector): void {
    group.queries.push(query);
    group.unanswered += query.unanswered;
    for (const [term, weight] of vector) {
      const known = group.weights.get(term);
      if (known === undefined) this.#having(term).push(group);
      group.weights.set(term, (known ?? 0) + weight * query.unanswered);
    }
    let squares = 0;
    for (const weight of group.weights.values()) squares += weight * weight;
    group.norm = Math.sqrt(squares);
  }

  /**
   * The group with the highest cosine. What a group has of the terms that were not looked at yet is at most the weight that the query has in
   * them: groups without any of the query's weighty terms are never looked at, and others no longer than they can be the best.
   * @see Bayardo, Ma & Srikant 2007, Scaling up all pairs similarity search.
   */
  nearest(vector: Vector): Gathered | undefined {
    const rest = weightsAfter(vector);
    let best: Gathered | undefined;
    let bestCosine = LEAST_COSINE;
    this.#comparisons += 1;
    for (let at = 0; at < vector.length && (rest[at - 1] ?? 1) >= bestCosine; at += 1) {
      for (const group of this.#byTerm.get(vector[at]?.[0] ?? '') ?? []) {
        if (group.comparedIn === this.#comparisons) continue;
        group.comparedIn = this.#comparisons;
        const cosine = cosineAbove(bestCosine, { group, terms: vector, rest, from: at });
        if (cosine > bestCosine || (cosine === bestCosine && best === undefined)) {
          best = group;
          bestCosine = cosine;
        }
      }
    }
    return best;
  }

  #having(term: string): Gathered[] {
    const known = this.#byTerm.get(term);
    if (known !== undefined) return known;
    const added: Gathered[] = [];
    this.#byTerm.set(term, added);
    return added;
  }
}

/** Of a unit vector's terms: the norm of all that come after each. */
function weightsAfter(terms: Vector): readonly number[] {
  const rest = Array.from(terms, () => 0);
  let sum = 0;
  for (let at = terms.length - 1; at > 0; at -= 1) {
    sum += (terms[at]?.[1] ?? 0) ** 2;
    rest[at - 1] = Math.sqrt(sum);
  }
  return rest;
}

interface Comparison {
  readonly group: Gathered;
  readonly terms: Vector;
  readonly rest: readonly number[];
  /** The group has no term before this one. */
  readonly from: number;
}

/** The cosine of a query and a group; 0 where it is found to be below the least. */
function cosineAbove(least: number, { group, terms, rest, from }: Comparison): number {
  let product = 0;
  for (let at = from; at < terms.length; at += 1) {
    const [term, weight] = terms[at] ?? ['', 0];
    product += weight * (group.weights.get(term) ?? 0);
    if (product / group.norm + (rest[at] ?? 0) < least) return 0;
  }
  return product / group.norm;
}
