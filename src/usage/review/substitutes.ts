import { leastShare } from '../bounds.ts';
import { type QueryTally, termsOf } from '../fold/query-tally.ts';
import type { EntryTally } from '../fold/tally.ts';
import { type Vector, vectorsOf } from '../query-vectors.ts';
import type { SharedUse } from './proposal.ts';

/** Times that each of the two must have been taken from lists with both. */
const FEWEST_CHOSEN = 10;
/** One query counts so often at most: what a job asks every night says one thing. */
const MOST_OF_QUERY = 20;
/** The share of the choices that the rarer one of two equals must have; below it, it is taken by mistake. */
const LEAST_SIDE = 0.1;
/**
 * If queries say nothing about which of the two is taken, two like ones lead to both of them in 2 p (1 − p) of the cases. Two that do
 * different things get there by mistakes only; half of it lies between the two.
 */
const LEAST_MIXING = 0.5;
/**
 * Where the rank decides what is taken, and the words decide the rank, like queries never mix. Then the queries of the two must be of one kind:
 * two entries with a word in common reach about .6 of what one entry's queries reach among themselves. Candidates only: `merge.ts` looks at
 * the texts too.
 */
const LEAST_LIKENESS = 0.7;

/** Two entries that are taken for the same queries, and what shows it. */
export interface Substitutes {
  readonly a: EntryTally;
  readonly b: EntryTally;
  readonly searches: number;
  readonly chosenOfA: number;
  readonly chosenOfB: number;
  readonly mixedRatio: number;
  /** See `likenessOf`; 1 where like queries lead to both. */
  readonly likenessRatio: number;
  /** What the queries that led to each asked for: terms and their weights. */
  readonly termsOfA: ReadonlyMap<string, number>;
  readonly termsOfB: ReadonlyMap<string, number>;
}

/** Choices that one query led to among two entries. */
interface Ballot {
  readonly query: QueryTally;
  a: number;
  b: number;
  /** The number of the ballot that was compared with it last. */
  comparedIn: number;
}

/**
 * Pairs of entries that agents take in each other's place: lists that have one have the other, and what was asked does not tell which
 * of the two is taken: the query most like another one led to the other entry about as often as by chance.
 * @param isCandidate which entries are looked at: comparing the queries of all pairs takes longer than all else of a review.
 * @see Cover & Hart 1967, Nearest neighbor pattern classification: its error on two classes that are one is 2 p (1 − p).
 */
export function findSubstitutes(
  queries: readonly QueryTally[],
  isCandidate: (entry: EntryTally) => boolean,
): readonly Substitutes[] {
  const pairs = ballotsByPair(queries, isCandidate);
  const vectorOf = vectorsOf(queries);
  return pairs.flatMap(({ a, b, ballots }) => {
    const [chosenOfA, chosenOfB] = [countOf(ballots, 'a'), countOf(ballots, 'b')];
    const weightOfA = sumOf(ballots, 'a');
    const weight = weightOfA + sumOf(ballots, 'b');
    const side = Math.min(weightOfA, weight - weightOfA) / weight;
    if (Math.min(weightOfA, weight - weightOfA) < FEWEST_CHOSEN || side < LEAST_SIDE) return [];
    const mixed = mixedCount(ballots);
    const isMixed = leastShare(mixed, weight) >= LEAST_MIXING * 2 * side * (1 - side);
    const [termsOfA, termsOfB] = [sideOf('a', ballots, vectorOf), sideOf('b', ballots, vectorOf)];
    const likenessRatio = isMixed ? 1 : likenessOf(termsOfA, termsOfB);
    if (likenessRatio < LEAST_LIKENESS) return [];
    const found = {
      a,
      b,
      searches: chosenOfA + chosenOfB,
      chosenOfA,
      chosenOfB,
      mixedRatio: mixed / weight,
      likenessRatio,
    };
    return [{ ...found, termsOfA: termsOfA.terms, termsOfB: termsOfB.terms }];
  });
}

/** The queries that led to one of the two, summed up. */
interface Side {
  readonly terms: ReadonlyMap<string, number>;
  readonly weight: number;
  /** Sum of squared weights: what comparing each query with itself would add. */
  readonly squares: number;
}

function sideOf(side: 'a' | 'b', ballots: readonly Ballot[], vectorOf: (query: QueryTally) => Vector): Side {
  const terms = new Map<string, number>();
  let [weight, squares] = [0, 0];
  for (const ballot of ballots) {
    const share = capped(ballot)[side];
    if (share === 0) continue;
    weight += share;
    squares += share ** 2;
    for (const [term, ofTerm] of vectorOf(ballot.query)) terms.set(term, (terms.get(term) ?? 0) + share * ofTerm);
  }
  return { terms, weight, squares };
}

/**
 * How alike the queries are that led to one and to the other, beside how alike those are that led to the same: near 1 where they are of one
 * kind, less where they are of two. @see Gretton et al. 2012, A kernel two-sample test; here with the cosine for a kernel.
 */
function likenessOf(a: Side, b: Side): number {
  const within = ({ terms, weight, squares }: Side): number => (dot(terms, terms) - squares) / (weight ** 2 - squares);
  const likeness = dot(a.terms, b.terms) / (a.weight * b.weight) / Math.sqrt(within(a) * within(b));
  return Number.isFinite(likeness) ? Math.min(1, likeness) : 0;
}

function dot(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let product = 0;
  for (const [term, weight] of a) product += weight * (b.get(term) ?? 0);
  return product;
}

/** The same evidence as it is told, the entry to keep first. */
export function toSharedUse(found: Substitutes | undefined, keep: EntryTally | undefined): SharedUse | null {
  if (found === undefined) return null;
  const { searches, mixedRatio, chosenOfA, chosenOfB } = found;
  return { searches, mixedRatio, chosen: found.a === keep ? [chosenOfA, chosenOfB] : [chosenOfB, chosenOfA] };
}

interface Pair {
  readonly a: EntryTally;
  readonly b: EntryTally;
  readonly ballots: Ballot[];
}

function ballotsByPair(queries: readonly QueryTally[], isCandidate: (entry: EntryTally) => boolean): readonly Pair[] {
  const candidates = new Set<EntryTally>();
  for (const { listings } of queries) {
    for (const { chosen } of listings.values()) for (const entry of chosen?.keys() ?? []) candidates.add(entry);
  }
  for (const entry of candidates) if (!isCandidate(entry)) candidates.delete(entry);
  const pairs: Pair[] = [];
  const byEntries = new Map<EntryTally, Map<EntryTally, Pair>>();
  const pairOf = (a: EntryTally, b: EntryTally): Pair => {
    const ofA = byEntries.get(a) ?? new Map<EntryTally, Pair>();
    const known = ofA.get(b);
    if (known !== undefined) return known;
    const pair: Pair = { a, b, ballots: [] };
    pairs.push(pair);
    byEntries.set(a, ofA.set(b, pair));
    return pair;
  };
  for (const query of queries) {
    for (const { shown, chosen } of query.listings.values()) {
      for (const [entry, count] of chosen ?? []) {
        if (!candidates.has(entry)) continue;
        for (const other of shown) {
          if (other === entry || !candidates.has(other)) continue;
          const isFirst = entry.key < other.key;
          const ballot = ballotOf(isFirst ? pairOf(entry, other) : pairOf(other, entry), query);
          if (isFirst) ballot.a += count;
          else ballot.b += count;
        }
      }
    }
  }
  return pairs;
}

function ballotOf({ ballots }: Pair, query: QueryTally): Ballot {
  const latest = ballots.at(-1);
  if (latest?.query === query) return latest;
  const added = { query, a: 0, b: 0, comparedIn: -1 };
  ballots.push(added);
  return added;
}

function capped({ a, b }: Ballot): { readonly a: number; readonly b: number } {
  const factor = Math.min(1, MOST_OF_QUERY / (a + b));
  return { a: a * factor, b: b * factor };
}

function countOf(ballots: readonly Ballot[], side: 'a' | 'b'): number {
  return ballots.reduce((sum, ballot) => sum + ballot[side], 0);
}

function sumOf(ballots: readonly Ballot[], side: 'a' | 'b'): number {
  return ballots.reduce((sum, ballot) => sum + capped(ballot)[side], 0);
}

/** In how many of the choices the likest other choice was of the other entry; fractions where several are equally like. */
function mixedCount(ballots: readonly Ballot[]): number {
  const likest = likestOf(ballots);
  return ballots.reduce((sum, ballot) => {
    const own = capped(ballot);
    const total = ballot.a + ballot.b;
    // Of the other choices of the same query, those of the other entry.
    if (total > 1) return sum + (own.a * ballot.b + own.b * ballot.a) / (total - 1);
    const like = likest(ballot);
    const likeTotal = like.a + like.b;
    return likeTotal === 0 ? sum : sum + (own.a * like.b + own.b * like.a) / likeTotal;
  }, 0);
}

/**
 * Gives the sum of the ballots whose queries share most with that of one of them. Those that have none of its rarer terms are not looked at
 * where they could not share enough. @see Bayardo, Ma & Srikant 2007, Scaling up all pairs similarity search.
 */
function likestOf(ballots: readonly Ballot[]): (ballot: Ballot) => { readonly a: number; readonly b: number } {
  const byTerm = new Map<string, Ballot[]>();
  for (const ballot of ballots) {
    for (const term of termsOf(ballot.query)) {
      const having = byTerm.get(term);
      if (having === undefined) byTerm.set(term, [ballot]);
      else having.push(ballot);
    }
  }
  const countOfTerm = (term: string): number => byTerm.get(term)?.length ?? 0;
  let comparisons = 0;
  return (ballot) => {
    comparisons += 1;
    ballot.comparedIn = comparisons;
    const terms = [...termsOf(ballot.query)].sort((left, right) => countOfTerm(left) - countOfTerm(right));
    let best = 0;
    let [a, b] = [0, 0];
    for (let at = 0; at < terms.length && (terms.length - at) / terms.length >= best; at += 1) {
      for (const other of byTerm.get(terms[at] ?? '') ?? []) {
        if (other.comparedIn === comparisons) continue;
        other.comparedIn = comparisons;
        const likeness = overlapOf(terms, termsOf(other.query));
        if (likeness < best) continue;
        if (likeness > best) [best, a, b] = [likeness, 0, 0];
        a += other.a;
        b += other.b;
      }
    }
    return { a, b };
  };
}

/** Jaccard's coefficient of two sets of terms. */
function overlapOf(a: readonly string[], b: readonly string[]): number {
  let shared = 0;
  for (const term of a) if (b.includes(term)) shared += 1;
  return shared === 0 ? 0 : shared / (a.length + b.length - shared);
}
