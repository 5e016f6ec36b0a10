import type { SearchSegment } from './search-index.ts';
import { FIELDS } from './weights.ts';

/**
 * Segments seen as one collection. Everything that ranking compares a document with (how many there are, how many have
 * a term, how long they are on average) is summed over the segments, so where a document lies does not change its score.
 */
export interface Corpus {
  readonly segments: readonly SearchSegment[];
  /** Number of documents. */
  readonly size: number;
  /** Mean tokens per field of `FIELDS` over the documents that have the field; 1 where none has. */
  readonly averageLengths: readonly number[];
}

/** A snapshot is searched many times, and what is found out of its corpus is kept with it. */
const known = new WeakMap<readonly SearchSegment[], Corpus>();

/** The same corpus for the same list. */
export function toCorpus(segments: readonly SearchSegment[]): Corpus {
  const found = known.get(segments);
  if (found !== undefined) return found;
  const corpus = newCorpus(segments);
  known.set(segments, corpus);
  return corpus;
}

/** Makes something out of a segment in its corpus the first time that it is asked for. */
export function oncePerSegment<Made extends object>(
  make: (segment: SearchSegment, corpus: Corpus) => Made,
): (segment: SearchSegment, corpus: Corpus) => Made {
  const made = new WeakMap<Corpus, Map<SearchSegment, Made>>();
  return (segment, corpus) => {
    const found = made.get(corpus)?.get(segment);
    if (found !== undefined) return found;
    const ofCorpus = made.get(corpus) ?? new Map<SearchSegment, Made>();
    const one = make(segment, corpus);
    made.set(corpus, ofCorpus.set(segment, one));
    return one;
  };
}

function newCorpus(segments: readonly SearchSegment[]): Corpus {
  return {
    segments,
    size: sum(segments, ({ keys }) => keys.length),
    averageLengths: FIELDS.map((_, field) => {
      const documents = sum(segments, ({ fieldTotals }) => fieldTotals[field]?.documents ?? 0);
      const tokens = sum(segments, ({ fieldTotals }) => fieldTotals[field]?.tokens ?? 0);
      return documents === 0 ? 1 : tokens / documents;
    }),
  };
}

/** How many documents have the term in any field. */
export function documentFrequency(corpus: Corpus, term: string): number {
  return sum(corpus.segments, (segment) => {
    const number = segment.lexicon.get(term);
    return number === undefined ? 0 : postingCount(segment, number);
  });
}

/** How many documents of a segment have the term of that number. */
export function postingCount({ postingStarts }: SearchSegment, number: number): number {
  return (postingStarts[number + 1] ?? 0) - (postingStarts[number] ?? 0);
}

/**
 * How much a term that `frequency` of `size` documents have tells; always above 0.
 * @see Robertson and Zaragoza 2009, The Probabilistic Relevance Framework: BM25 and Beyond; Lucene's form of it.
 */
export function inverseFrequency(size: number, frequency: number): number {
  return Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5));
}

function sum(segments: readonly SearchSegment[], numberOf: (segment: SearchSegment) => number): number {
  return segments.reduce((total, segment) => total + numberOf(segment), 0);
}
