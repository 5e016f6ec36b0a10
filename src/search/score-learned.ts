import { inverseFrequency } from './corpus.ts';
import type { LearnedQueries } from './learned.ts';
import type { ParsedQuery } from './query.ts';
import { LEARNING, RANKING } from './weights.ts';

/** What use says for an entry that a query may mean. */
export interface LearnedAmount {
  /** Number of the entry in `LearnedQueries.keys`. */
  readonly entry: number;
  /** In units of the scores that words give. */
  readonly amount: number;
  /** Whether it answers the query even where the catalog has no words for it. */
  readonly isGood: boolean;
}

/**
 * What is to be added to the scores of entries, in no order; [] where no past query has a word of this one. The past queries of an entry
 * are one more field of it, and beside that the past queries nearest to this one vote for what was used after them.
 */
export function scoreLearned(learned: LearnedQueries, query: ParsedQuery): readonly LearnedAmount[] {
  const scratch = scratchOf(learned);
  scratch.clear();
  let square = 0;
  let idfs = 0;
  for (const { term, idf } of query.terms) {
    idfs += idf;
    square += scratch.add(term, idf) ** 2;
  }
  return scratch.amounts(Math.sqrt(square), idfs);
}

/** The tables that are counted in. A search does not wait for anything, so that the next one can have the same ones. */
class Scratch {
  readonly #learned: LearnedQueries;
  readonly #lexicon: ReadonlyMap<string, number>;
  readonly #averageLength: number;
  /** By past query: the square of what it has in common with this one. */
  readonly #products: Float64Array;
  readonly #met: Uint32Array;
  #metCount = 0;
  /** By entry. */
  readonly #fields: Float64Array;
  readonly #votes: Float64Array;
  readonly #likeness: Float64Array;
  readonly #isTouched: Uint8Array;
  readonly #touched: Uint32Array;
  #touchedCount = 0;

  constructor(learned: LearnedQueries) {
    this.#learned = learned;
    this.#lexicon = new Map(learned.terms.map((term, number) => [term, number]));
    const total = learned.fieldLengths.reduce((sum, length) => sum + length, 0);
    this.#averageLength = total / Math.max(1, learned.keys.length);
    this.#products = new Float64Array(learned.queryNorms.length);
    this.#met = new Uint32Array(learned.queryNorms.length);
    this.#fields = new Float64Array(learned.keys.length);
    this.#votes = new Float64Array(learned.keys.length);
    this.#likeness = new Float64Array(learned.keys.length);
    this.#isTouched = new Uint8Array(learned.keys.length);
    this.#touched = new Uint32Array(learned.keys.length);
  }

  clear(): void {
    for (let index = 0; index < this.#metCount; index += 1) this.#products[this.#met[index] ?? 0] = 0;
    this.#metCount = 0;
    for (const entry of this.#entries()) {
      this.#fields[entry] = 0;
      this.#votes[entry] = 0;
      this.#likeness[entry] = 0;
      this.#isTouched[entry] = 0;
    }
    this.#touchedCount = 0;
  }

  /** Counts one term of the query. @returns what it weighs among past queries; most where none has it, so that it makes all of them less like this one */
  add(term: string, idf: number): number {
    const { queryStarts, queries, queryNorms } = this.#learned;
    const number = this.#lexicon.get(term);
    if (number === undefined) return inverseFrequency(queryNorms.length, 0);
    const start = queryStarts[number] ?? 0;
    const end = queryStarts[number + 1] ?? 0;
    const weight = inverseFrequency(queryNorms.length, end - start);
    for (let posting = start; posting < end; posting += 1) {
      const past = queries[posting] ?? 0;
      const before = this.#products[past] ?? 0;
      if (before === 0) {
        this.#met[this.#metCount] = past;
        this.#metCount += 1;
      }
      this.#products[past] = before + weight ** 2;
    }
    this.#addToFields(number, idf);
    return weight;
  }

  amounts(norm: number, idfs: number): readonly LearnedAmount[] {
    for (const { past, likeness } of this.#nearest(norm)) this.#vote(past, likeness);
    const amounts: LearnedAmount[] = [];
    for (const entry of this.#entries()) {
      const callers = this.#learned.callersOfEntry[entry] ?? 0;
      // Ten wordings of one caller are no more than one of them.
      const votes = Math.min(this.#votes[entry] ?? 0, callers * trust(1, LEARNING.voteTrust));
      amounts.push({
        entry,
        amount: (this.#fields[entry] ?? 0) + LEARNING.vote * idfs * votes,
        isGood: callers > 1 && votes >= LEARNING.goodVotes && (this.#likeness[entry] ?? 0) >= LEARNING.goodLikeness,
      });
    }
    return amounts;
  }

  #entries(): Uint32Array {
    return this.#touched.subarray(0, this.#touchedCount);
  }

  #touch(entry: number): void {
    if (this.#isTouched[entry] === 1) return;
    this.#isTouched[entry] = 1;
    this.#touched[this.#touchedCount] = entry;
    this.#touchedCount += 1;
  }

  #addToFields(term: number, idf: number): void {
    const { fieldStarts, fieldEntries, fieldCounts, fieldLengths, trustOfField } = this.#learned;
    const end = fieldStarts[term + 1] ?? 0;
    for (let index = fieldStarts[term] ?? 0; index < end; index += 1) {
      const count = (fieldCounts[index] ?? 0) - LEARNING.discount;
      if (count <= 0) continue;
      const entry = fieldEntries[index] ?? 0;
      // Fully normalised, as a body is: half of that loses .002.
      const length = (fieldLengths[entry] ?? 0) / this.#averageLength;
      const trusted = trust(trustOfField[entry] ?? 0, LEARNING.trust);
      const amount = (idf * trusted * count * (RANKING.k1 + 1)) / (count + RANKING.k1 * length);
      this.#fields[entry] = (this.#fields[entry] ?? 0) + amount;
      this.#touch(entry);
    }
  }

  /** The past queries most like this one by the cosine of their vectors, best first, equals by number. */
  #nearest(norm: number): readonly Neighbour[] {
    const nearest: Neighbour[] = [];
    for (let index = 0; index < this.#metCount; index += 1) {
      const past = this.#met[index] ?? 0;
      const likeness = (this.#products[past] ?? 0) / (norm * (this.#learned.queryNorms[past] ?? 1));
      const last = nearest[LEARNING.neighbours - 1];
      // A common word is in thousands of them.
      if (last !== undefined && likeness < last.likeness) continue;
      const neighbour = { past, likeness };
      if (last !== undefined && byLikeness(neighbour, last) > 0) continue;
      if (last !== undefined) nearest.pop();
      const place = nearest.findIndex((other) => byLikeness(neighbour, other) < 0);
      nearest.splice(place < 0 ? nearest.length : place, 0, neighbour);
    }
    return nearest;
  }

  #vote(past: number, likeness: number): void {
    const { useStarts, usedEntries, useCallers, useShares } = this.#learned;
    const end = useStarts[past + 1] ?? 0;
    for (let use = useStarts[past] ?? 0; use < end; use += 1) {
      const entry = usedEntries[use] ?? 0;
      const vote = likeness ** 2 * (useShares[use] ?? 0) * trust(useCallers[use] ?? 0, LEARNING.voteTrust);
      this.#votes[entry] = (this.#votes[entry] ?? 0) + vote;
      this.#likeness[entry] = Math.max(this.#likeness[entry] ?? 0, likeness);
      this.#touch(entry);
    }
  }
}

function trust(callers: number, doubt: number): number {
  return callers / (callers + doubt);
}

interface Neighbour {
  readonly past: number;
  readonly likeness: number;
}

function byLikeness(a: Neighbour, b: Neighbour): number {
  return b.likeness - a.likeness || a.past - b.past;
}

const scratches = new WeakMap<LearnedQueries, Scratch>();

function scratchOf(learned: LearnedQueries): Scratch {
  const known = scratches.get(learned) ?? new Scratch(learned);
  scratches.set(learned, known);
  return known;
}
