import { inverseFrequency } from './corpus.ts';
import { startsOf } from './search-index.ts';
import { tokenize } from './tokenize.ts';
import { LIMITS } from './weights.ts';

/** A past query and an entry that was used after it. */
export interface LearnedPair {
  readonly query: string;
  /** What the entry is known by, the same in all pairs of it. */
  readonly key: string;
  /** How many callers used it after that query: 1 and more. One who did so a thousand times is one. */
  readonly callers: number;
  /** How many used it after any query. */
  readonly callersOfEntry: number;
}

/**
 * What use has taught: past queries and what was used after them, in typed arrays, so that one thread can make it and give it to another
 * one. Immutable, and of no catalog: which of the keys are entries, and which of those may be listed, whoever searches says.
 */
export interface LearnedQueries {
  /** Key of each entry. */
  readonly keys: readonly string[];
  /** How many used it. */
  readonly callersOfEntry: Uint32Array;
  /** Its past queries, or those callers where they are fewer: neither many who asked one thing nor one who asked many tell what else it is. */
  readonly trustOfField: Uint32Array;
  /** Distinct terms of all past queries of each entry, a term of two queries twice. */
  readonly fieldLengths: Float64Array;
  readonly terms: readonly string[];
  /** The past queries that have term t are `queries[queryStarts[t] .. queryStarts[t + 1]]`. */
  readonly queryStarts: Uint32Array;
  readonly queries: Uint32Array;
  /** Of each past query as a vector of the idf of its terms. */
  readonly queryNorms: Float64Array;
  /** What was used after past query q are `usedEntries[useStarts[q] .. useStarts[q + 1]]`, by so many callers. */
  readonly useStarts: Uint32Array;
  readonly usedEntries: Uint32Array;
  readonly useCallers: Float64Array;
  /** Those callers beside the ones of what was used most after the same query: above 0, at most 1. */
  readonly useShares: Float64Array;
  /** The entries whose past queries have term t are `fieldEntries[fieldStarts[t] .. fieldStarts[t + 1]]`, in so many of them by share. */
  readonly fieldStarts: Uint32Array;
  readonly fieldEntries: Uint32Array;
  readonly fieldCounts: Float64Array;
}

/** Queries of the same terms are one query, and those without any teach nothing. Also gives what no pairs teach. */
export function learnQueries(pairs: readonly LearnedPair[]): LearnedQueries {
  const { queries, entries, terms } = gather(pairs);
  const uses = queries.flatMap((query) => usesOf(query));
  const queryStarts = startsOf(
    countOf(
      queries.flatMap((query) => query.terms),
      terms.size,
    ),
  );
  return {
    keys: [...entries.keys()],
    callersOfEntry: Uint32Array.from(entries.values(), ({ callers }) => callers),
    trustOfField: trustOf(uses, entries),
    terms: [...terms.keys()],
    queryStarts,
    queries: placed(queries, queryStarts),
    queryNorms: Float64Array.from(queries, (query) => normOf(query, queryStarts, queries.length)),
    useStarts: startsOf(Uint32Array.from(queries, ({ callersOf }) => callersOf.size)),
    usedEntries: Uint32Array.from(uses, ({ entry }) => entry),
    useCallers: Float64Array.from(uses, ({ callers }) => callers),
    useShares: Float64Array.from(uses, ({ share }) => share),
    ...fieldsOf(queries, { entries: entries.size, terms: terms.size }),
  };
}

interface PastQuery {
  /** Numbers of its distinct terms. */
  readonly terms: readonly number[];
  /** By number of the entry that was used after it. */
  readonly callersOf: Map<number, number>;
}

interface Gathered {
  readonly queries: readonly PastQuery[];
  /** By key, in the order of their numbers. */
  readonly entries: ReadonlyMap<string, { readonly number: number; readonly callers: number }>;
  /** The number of each term. */
  readonly terms: ReadonlyMap<string, number>;
}

function gather(pairs: readonly LearnedPair[]): Gathered {
  const queries = new Map<string, PastQuery>();
  const entries = new Map<string, { number: number; callers: number }>();
  const numbers = new Map<string, number>();
  for (const { query, key, callers, callersOfEntry } of pairs) {
    const terms = [...new Set(tokenize(query.slice(0, LIMITS.query)))].sort();
    if (terms.length === 0) continue;
    const wording = terms.join(' ');
    let past = queries.get(wording);
    if (past === undefined) {
      for (const term of terms) if (!numbers.has(term)) numbers.set(term, numbers.size);
      past = { terms: terms.map((term) => numbers.get(term) ?? 0), callersOf: new Map() };
      queries.set(wording, past);
    }
    const entry = entries.get(key) ?? { number: entries.size, callers: 0 };
    entries.set(key, entry);
    entry.callers = Math.max(entry.callers, callersOfEntry);
    // Whoever asked twice, in another order of the words, is still one.
    const known = (past.callersOf.get(entry.number) ?? 0) + callers;
    past.callersOf.set(entry.number, Math.min(known, Math.max(callers, callersOfEntry)));
  }
  return { queries: [...queries.values()], entries, terms: numbers };
}

interface Use {
  readonly entry: number;
  readonly callers: number;
  readonly share: number;
}

/** What most took after a query is what it asks for; what one in ten took is a tenth of that. */
function usesOf({ callersOf }: PastQuery): readonly Use[] {
  let most = 0;
  for (const callers of callersOf.values()) most = Math.max(most, callers);
  return [...callersOf].map(([entry, callers]) => ({ entry, callers, share: callers / most }));
}

function trustOf(uses: readonly Use[], entries: Gathered['entries']): Uint32Array {
  const queries = countOf(
    uses.map(({ entry }) => entry),
    entries.size,
  );
  return Uint32Array.from(entries.values(), ({ number, callers }) => Math.min(callers, queries[number] ?? 0));
}

function placed(queries: readonly PastQuery[], starts: Uint32Array): Uint32Array {
  const postings = new Uint32Array(starts.at(-1) ?? 0);
  const next = starts.slice();
  for (const [number, { terms }] of queries.entries()) {
    for (const term of terms) {
      const posting = next[term] ?? 0;
      postings[posting] = number;
      next[term] = posting + 1;
    }
  }
  return postings;
}

function normOf({ terms }: PastQuery, starts: Uint32Array, size: number): number {
  const squares = terms.reduce(
    (sum, term) => sum + inverseFrequency(size, (starts[term + 1] ?? 0) - (starts[term] ?? 0)) ** 2,
    0,
  );
  return Math.sqrt(squares);
}

type Fields = Pick<LearnedQueries, 'fieldLengths' | 'fieldStarts' | 'fieldEntries' | 'fieldCounts'>;

/** The past queries of an entry as one text. */
function fieldsOf(queries: readonly PastQuery[], sizes: { readonly entries: number; readonly terms: number }): Fields {
  const fieldLengths = new Float64Array(sizes.entries);
  const ofTerm = Array.from({ length: sizes.terms }, () => new Map<number, number>());
  for (const query of queries) {
    for (const { entry, share } of usesOf(query)) {
      fieldLengths[entry] = (fieldLengths[entry] ?? 0) + share * query.terms.length;
      for (const term of query.terms) ofTerm[term]?.set(entry, (ofTerm[term].get(entry) ?? 0) + share);
    }
  }
  return {
    fieldLengths,
    fieldStarts: startsOf(Uint32Array.from(ofTerm, (entries) => entries.size)),
    fieldEntries: Uint32Array.from(ofTerm.flatMap((entries) => [...entries.keys()])),
    fieldCounts: Float64Array.from(ofTerm.flatMap((entries) => [...entries.values()])),
  };
}

function countOf(numbers: readonly number[], size: number): Uint32Array {
  const counts = new Uint32Array(size);
  for (const number of numbers) counts[number] = (counts[number] ?? 0) + 1;
  return counts;
}
