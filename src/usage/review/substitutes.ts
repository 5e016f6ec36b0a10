import { leastShare } from '../bounds.ts';
import { type Listing, type QueryTally, termsOf } from '../fold/query-tally.ts';
import type { EntryTally } from '../fold/tally.ts';
import type { Vector } from '../query-vectors.ts';
import type { SharedUse } from './proposal.ts';
import { addQuery, LEAST_LIKENESS, likenessOf, MOST_OF_QUERY, newQuerySum, type QuerySum } from './query-likeness.ts';

/** Times that each of the two must have been taken from lists with both. */
const FEWEST_CHOSEN = 10;
/** The share of the choices that the rarer one of two equals must have; below it, it is taken by mistake. */
const LEAST_SIDE = 0.1;
/**
 * If queries say nothing about which of the two is taken, two like ones lead to both of them in 2 p (1 − p) of the cases. Two that do
 * different things get there by mistakes only; half of it lies between the two.
 */
const LEAST_MIXING = 0.5;
/** So many of the pairs that are taken for different things mix less than what counts. */
const CONFIDENCE = 0.95;
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
  /** The query; where its words are not kept, the list that it was answered with, which tells one question from another. */
  readonly asked: QueryTally | Listing;
  a: number;
  b: number;
}

/**
 * Pairs of entries that agents take in each other's place: lists that have one have the other, and what was asked does not tell which
 * of the two is taken: the query most like another one led to the other entry about as often as by chance.
 * @param isCandidate which entries are looked at: comparing the queries of all pairs takes longer than all else of a review.
 * @see Cover & Hart 1967, Nearest neighbor pattern classification: its error on two classes that are one is 2 p (1 − p).
 */
export function findSubstitutes(
  queries: readonly QueryTally[],
  vectorOf: (query: QueryTally) => Vector,
  isCandidate: (entry: EntryTally) => boolean,
): readonly Substitutes[] {
  const compared = ballotsByPair(queries, isCandidate).flatMap((pair) => compare(pair) ?? []);
  const byMistake = mixingByMistake(compared);
  // What was asked is looked at only where it can still matter: that takes as long as the rest.
  return compared.filter(({ mixing }) => mixing > byMistake).flatMap((pair) => toSubstitutes(pair, vectorOf) ?? []);
}

interface Compared extends Pair {
  readonly mixedRatio: number;
  /** Beside what chance alone would mix: near 1 where queries do not tell which of the two is taken. */
  readonly mixing: number;
  readonly isMixed: boolean;
}

function compare(pair: Pair): Compared | undefined {
  const { ballots } = pair;
  const weightOfA = sumOf(ballots, 'a');
  const weight = weightOfA + sumOf(ballots, 'b');
  const side = Math.min(weightOfA, weight - weightOfA) / weight;
  if (side * weight < FEWEST_CHOSEN || side < LEAST_SIDE) return undefined;
  const byChance = 2 * side * (1 - side);
  const mixed = mixedCount(ballots);
  const isMixed = leastShare(mixed, weight) >= LEAST_MIXING * byChance;
  return { ...pair, mixedRatio: mixed / weight, mixing: mixed / weight / byChance, isMixed };
}

function toSubstitutes(
  { a, b, ballots, mixedRatio, isMixed }: Compared,
  vectorOf: (query: QueryTally) => Vector,
): Substitutes | undefined {
  const [ofA, ofB] = [sideOf('a', ballots, vectorOf), sideOf('b', ballots, vectorOf)];
  // Where the rank decides what is taken, and the words decide the rank, like queries mix less: then those of the two must be of one kind.
  const likenessRatio = isMixed ? 1 : likenessOf(ofA, ofB);
  if (likenessRatio < LEAST_LIKENESS) return undefined;
  const [chosenOfA, chosenOfB] = [countOf(ballots, 'a'), countOf(ballots, 'b')];
  const [termsOfA, termsOfB] = [ofA.terms, ofB.terms];
  return { a, b, searches: chosenOfA + chosenOfB, chosenOfA, chosenOfB, mixedRatio, likenessRatio, termsOfA, termsOfB };
}

/**
 * How much choices mix between entries that are taken for different things: what is more than that is no mistake. Mistakes are as many as the
 * people and the search of a library make them, so they are learned from its pairs, nearly all of which
 * are taken for different things.
 * @see Efron 2004, Large-scale simultaneous hypothesis testing: the choice of a null hypothesis.
 */
function mixingByMistake(compared: readonly Compared[]): number {
  const different = compared
    .filter(({ isMixed }) => !isMixed)
    .map(({ mixing }) => mixing)
    .sort((x, y) => x - y);
  return different[Math.floor(CONFIDENCE * (different.length - 1))] ?? 0;
}

function sideOf(side: 'a' | 'b', ballots: readonly Ballot[], vectorOf: (query: QueryTally) => Vector): QuerySum {
  const sum = newQuerySum();
  for (const ballot of ballots) {
    const share = capped(ballot)[side];
    if (share > 0 && ballot.query.text !== null) addQuery(sum, vectorOf(ballot.query), share);
  }
  return sum;
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
    for (const listing of query.listings.values()) {
      const { shown, chosen } = listing;
      for (const [entry, count] of chosen ?? []) {
        if (!candidates.has(entry)) continue;
        for (const other of shown) {
          if (other === entry || !candidates.has(other)) continue;
          const isFirst = entry.key < other.key;
          const asked = query.text === null ? listing : query;
          const ballot = ballotOf(isFirst ? pairOf(entry, other) : pairOf(other, entry), { query, asked });
          if (isFirst) ballot.a += count;
          else ballot.b += count;
        }
      }
    }
  }
  return pairs;
}

function ballotOf({ ballots }: Pair, { query, asked }: Pick<Ballot, 'query' | 'asked'>): Ballot {
  const latest = ballots.at(-1);
  if (latest?.asked === asked) return latest;
  const added = { query, asked, a: 0, b: 0 };
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
  return ballots.reduce((sum, ballot, at) => {
    const own = capped(ballot);
    const total = ballot.a + ballot.b;
    // Of the other choices of the same query, those of the other entry.
    if (total > 1) return sum + (own.a * ballot.b + own.b * ballot.a) / (total - 1);
    const like = likest(at);
    const likeTotal = like.a + like.b;
    return likeTotal === 0 ? sum : sum + (own.a * like.b + own.b * like.a) / likeTotal;
  }, 0);
}

/**
 * Gives the sum of the ballots whose queries share most with that of the one at a place. Those that have none of its rarer terms are not
 * looked at where they could not share enough. @see Bayardo, Ma & Srikant 2007, Scaling up all pairs similarity search.
 */
function likestOf(ballots: readonly Ballot[]): (place: number) => { readonly a: number; readonly b: number } {
  const { terms, starts, having } = numberTerms(ballots);
  const comparedIn = new Uint32Array(ballots.length);
  const askedIn = new Uint32Array(having.length);
  let asked = 0;
  /** Jaccard's coefficient of the terms asked for and those of another ballot. */
  const likenessTo = (other: number, count: number): number => {
    const [from, to] = [starts[other] ?? 0, starts[other + 1] ?? 0];
    let shared = 0;
    for (let at = from; at < to; at += 1) if (askedIn[terms[at] ?? 0] === asked) shared += 1;
    return shared / (count + to - from - shared);
  };
  return (place) => {
    asked += 1;
    comparedIn[place] = asked;
    const [from, to] = [starts[place] ?? 0, starts[place + 1] ?? 0];
    const count = to - from;
    for (let at = from; at < to; at += 1) askedIn[terms[at] ?? 0] = asked;
    let best = 0;
    let [a, b] = [0, 0];
    for (let at = from; at < to && (to - at) / count >= best; at += 1) {
      for (const other of having[terms[at] ?? 0] ?? []) {
        if (comparedIn[other] === asked) continue;
        comparedIn[other] = asked;
        const likeness = likenessTo(other, count);
        if (likeness < best) continue;
        if (likeness > best) [best, a, b] = [likeness, 0, 0];
        a += ballots[other]?.a ?? 0;
        b += ballots[other]?.b ?? 0;
      }
    }
    return { a, b };
  };
}

/** Terms of ballots as numbers in one array: four million comparisons look up nothing else. */
interface NumberedTerms {
  /** Of one ballot after the other, the term that the fewest have first; those of ballot b are `starts[b] .. starts[b + 1]`. */
  readonly terms: Uint32Array;
  readonly starts: Uint32Array;
  /** By term, the places of the ballots that have it. */
  readonly having: readonly (readonly number[])[];
}

function numberTerms(ballots: readonly Ballot[]): NumberedTerms {
  const byTerm = new Map<string, number[]>();
  const starts = new Uint32Array(ballots.length + 1);
  for (const [place, { query }] of ballots.entries()) {
    const terms = termsOf(query);
    starts[place + 1] = (starts[place] ?? 0) + terms.length;
    for (const term of terms) {
      const having = byTerm.get(term);
      if (having === undefined) byTerm.set(term, [place]);
      else having.push(place);
    }
  }
  const having = [...byTerm.values()].sort((a, b) => a.length - b.length);
  const terms = new Uint32Array(starts.at(-1) ?? 0);
  const next = starts.slice();
  for (const [term, places] of having.entries()) {
    for (const place of places) {
      const at = next[place] ?? 0;
      terms[at] = term;
      next[place] = at + 1;
    }
  }
  return { terms, starts, having };
}
