import { compareIds } from '../catalog/order.ts';
import type { QueryTally } from './fold/query-tally.ts';
import { type TermWeights, termWeightsOf } from './query-vectors.ts';

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
  /** Of each of its terms. */
  readonly weights: Map<Postings, Posting>;
  norm: number;
  unanswered: number;
  answered: number;
  /** The number of the search for the nearest group that looked at it last. */
  comparedIn: number;
}

/** The groups that have a term, in the order in which they came to it. */
interface Postings {
  readonly term: string;
  readonly all: Posting[];
}

/** What a term weighs in a group. */
interface Posting {
  readonly group: Gathered;
  /** In the query that the group began with. */
  readonly first: number;
  weight: number;
}

/** Cosine from which a query belongs to a group: half of its weight, in rare words. */
const LEAST_COSINE = 0.6;
/**
 * The same of the query that a group began with. Whatever has one rare word in common with it makes that word weigh more in the group, until
 * it binds whoever has it, whatever they ask for.
 */
const LEAST_COSINE_OF_FIRST = 0.5;
const MOST_TERMS = 6;

/**
 * Groups the queries that led to nothing, largest group first. Words weigh by how few queries have them, so that "please" and "how do
 * I" bind nothing. Each query goes to the group that it is most like, the frequent ones first: the same queries give the same groups.
 * @see Hartigan 1975, Clustering algorithms (leader algorithm); Salton & Buckley 1988 for the weights.
 */
export function groupUnanswered(queries: readonly QueryTally[]): readonly QueryGroup[] {
  const asked = queries.filter(({ text, searches }) => text !== null && searches > 0);
  // Of all queries, as other rules of a review weigh them: that is found once.
  const weightsOf = termWeightsOf(queries);
  const groups = new Groups();
  const unanswered = asked
    .filter((query) => query.unanswered > 0)
    .sort((a, b) => b.unanswered - a.unanswered || compareIds(a.text ?? '', b.text ?? ''));
  for (const query of unanswered) {
    const vector = weightsOf(query);
    groups.join(groups.nearest(vector) ?? groups.add(), query, vector);
  }
  for (const query of asked) {
    if (query.answered === 0) continue;
    const group = groups.nearest(weightsOf(query));
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
  const terms = [...weights]
    .map(([{ term }, { weight }]) => [term, weight] as const)
    .sort((a, b) => b[1] - a[1] || compareIds(a[0], b[0]));
  return { queries, answeredQueries, unanswered, answered, terms: terms.slice(0, MOST_TERMS) };
}

/** Groups, found by their terms. */
class Groups {
  readonly all: Gathered[] = [];
  readonly #byTerm = new Map<string, Postings>();
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

  join(group: Gathered, query: QueryTally, { terms, weights }: TermWeights): void {
    const isFirst = group.queries.length === 0;
    group.queries.push(query);
    group.unanswered += query.unanswered;
    for (let at = 0; at < terms.length; at += 1) {
      const postings = this.#having(terms[at] ?? '');
      const known = group.weights.get(postings);
      const posting = known ?? { group, first: isFirst ? (weights[at] ?? 0) : 0, weight: 0 };
      if (known === undefined) {
        group.weights.set(postings, posting);
        postings.all.push(posting);
      }
      posting.weight += (weights[at] ?? 0) * query.unanswered;
    }
    let squares = 0;
    for (const { weight } of group.weights.values()) squares += weight * weight;
    group.norm = Math.sqrt(squares);
  }

  /**
   * The group with the highest cosine. What a group has of the terms that were not looked at yet is at most the weight that the query has in
   * them: groups without any of the query's weighty terms are never looked at, and others no longer than they can be the best.
   * @see Bayardo, Ma & Srikant 2007, Scaling up all pairs similarity search.
   */
  nearest({ terms, weights }: TermWeights): Gathered | undefined {
    const rest = weightsAfter(weights);
    const postings = terms.map((term) => this.#byTerm.get(term));
    const search: Search = { postings, weights, rest, best: undefined, cosine: LEAST_COSINE };
    this.#comparisons += 1;
    for (let at = 0; at < weights.length && (rest[at - 1] ?? 1) >= search.cosine; at += 1) {
      for (const posting of postings[at]?.all ?? []) {
        if (posting.group.comparedIn === this.#comparisons) continue;
        posting.group.comparedIn = this.#comparisons;
        compare(search, posting, at);
      }
    }
    return search.best;
  }

  #having(term: string): Postings {
    const known = this.#byTerm.get(term);
    if (known !== undefined) return known;
    const added: Postings = { term, all: [] };
    this.#byTerm.set(term, added);
    return added;
  }
}

/** Of a unit vector's terms: the norm of all that come after each. */
function weightsAfter(weights: readonly number[]): readonly number[] {
  const rest = weights.map(() => 0);
  let sum = 0;
  for (let at = weights.length - 1; at > 0; at -= 1) {
    sum += (weights[at] ?? 0) ** 2;
    rest[at - 1] = Math.sqrt(sum);
  }
  return rest;
}

/** One object for a query: some twenty groups are compared with each. */
interface Search {
  /** Of the query's terms; undefined for one that no group has. */
  readonly postings: readonly (Postings | undefined)[];
  readonly weights: readonly number[];
  readonly rest: readonly number[];
  best: Gathered | undefined;
  /** Of the best, or the least that any needs. */
  cosine: number;
}

/** Takes a group if it is better than the best, and stops as soon as it cannot be. @param first place of the group's first term of the query */
function compare(search: Search, { group, weight }: Posting, first: number): void {
  const { postings, weights, rest } = search;
  const last = weights.length - 1;
  let product = (weights[first] ?? 0) * weight;
  for (let at = first; product / group.norm + (rest[at] ?? 0) >= search.cosine; at += 1) {
    const having = postings[at + 1];
    if (having !== undefined) product += (weights[at + 1] ?? 0) * (group.weights.get(having)?.weight ?? 0);
    if (at < last) continue;
    const cosine = product / group.norm;
    if (cosine === search.cosine && search.best !== undefined) return;
    if (cosineOfFirst(search, group) < LEAST_COSINE_OF_FIRST) return;
    search.best = group;
    search.cosine = cosine;
    return;
  }
}

/** With the query that the group began with. */
function cosineOfFirst({ postings, weights }: Search, group: Gathered): number {
  let product = 0;
  for (const [at, having] of postings.entries()) {
    if (having !== undefined) product += (weights[at] ?? 0) * (group.weights.get(having)?.first ?? 0);
  }
  return product;
}
