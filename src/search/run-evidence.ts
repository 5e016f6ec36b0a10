import { documentFrequency, inverseFrequency, oncePerSegment, postingCount } from './corpus.ts';
import type { Corpus } from './corpus.ts';
import type { ParsedQuery } from './query.ts';
import type { SearchSegment } from './search-index.ts';

/** What the order of an entry's words says about a query. A run is a name, a description or an example. */
interface RunEvidence {
  /** The mean idf of each pair of the query's neighbours that are neighbours in a run too, summed over distinct pairs. */
  readonly neighbours: number;
  /** The largest share, by idf, of the description or of an example that the query's words make up: 0..1. */
  readonly coverage: number;
}

/** A function that reads the runs of one document of the segment. */
export function runReader(
  segment: SearchSegment,
  corpus: Corpus,
  query: ParsedQuery,
): (document: number) => RunEvidence {
  const matched = matchTerms(segment, query);
  const pairs = pairsOf(query);
  const segmentTerms = termsOf(segment, corpus);
  return (document) => {
    const firstRun = segment.runsOfDocument[document] ?? 0;
    const endRun = segment.runsOfDocument[document + 1] ?? firstRun;
    const found = new Set<number>();
    let coverage = 0;
    for (let run = firstRun; run < endRun; run += 1) {
      const terms = segment.runTerms.subarray(segment.runStarts[run], segment.runStarts[run + 1]);
      for (const pair of pairsIn(terms, matched)) if (pairs.has(pair)) found.add(pair);
      // The first run is the name: BM25F has already made the most of it.
      if (run > firstRun) coverage = Math.max(coverage, coverageOf(terms, matched, segmentTerms));
    }
    const neighbours = [...found].reduce((sum, pair) => sum + (pairs.get(pair) ?? 0), 0);
    return { neighbours, coverage };
  };
}

/** A term of the segment that the query matches. */
interface MatchedTerm {
  /** Index of the query's term. */
  readonly index: number;
  /** 1 for the term itself, less for a variant of it. */
  readonly weight: number;
}

function matchTerms(segment: SearchSegment, query: ParsedQuery): ReadonlyMap<number, MatchedTerm> {
  const matched = new Map<number, MatchedTerm>();
  for (const [index, { variants }] of query.terms.entries()) {
    for (const { term, weight } of variants) {
      const number = segment.lexicon.get(term);
      if (number === undefined) continue;
      if (weight > (matched.get(number)?.weight ?? 0)) matched.set(number, { index, weight });
    }
  }
  return matched;
}

/** A pair of query terms as one number; a query of `LIMITS.query` code units has fewer terms than that. */
function toPair(first: number, second: number): number {
  return first * 65_536 + second;
}

function pairsOf({ terms, sequence }: ParsedQuery): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  for (const [position, second] of sequence.entries()) {
    const first = sequence[position - 1];
    if (first === undefined) continue;
    pairs.set(toPair(first, second), ((terms[first]?.idf ?? 0) + (terms[second]?.idf ?? 0)) / 2);
  }
  return pairs;
}

function pairsIn(terms: Uint32Array, matched: ReadonlyMap<number, MatchedTerm>): readonly number[] {
  const found: number[] = [];
  let before: MatchedTerm | undefined;
  for (const term of terms) {
    const match = matched.get(term);
    // Only words as asked: neighbours that are both guesses are no phrase.
    const current = match?.weight === 1 ? match : undefined;
    if (before !== undefined && current !== undefined) found.push(toPair(before.index, current.index));
    before = current;
  }
  return found;
}

/** Each term counts once. */
function coverageOf(terms: Uint32Array, matched: ReadonlyMap<number, MatchedTerm>, segmentTerms: SegmentTerms): number {
  if (!terms.some((term) => matched.has(term))) return 0;
  let covered = 0;
  let total = 0;
  segmentTerms.begin();
  for (const term of terms) {
    if (!segmentTerms.isFirst(term)) continue;
    const idf = segmentTerms.idfOf(term);
    total += idf;
    covered += idf * (matched.get(term)?.weight ?? 0);
  }
  return covered / total;
}

const termsOf = oncePerSegment((segment, corpus) => new SegmentTerms(segment, corpus));

/** Looks the terms of a segment up by their numbers: descriptions share most of their words, so each is weighed once a corpus. */
class SegmentTerms {
  readonly #segment: SearchSegment;
  readonly #corpus: Corpus;
  readonly #others: Corpus;
  /** 0 where it was not asked for yet. */
  readonly #idfs: Float64Array;
  /** The run in which each term was met last. */
  readonly #metIn: Uint32Array;
  #run = 0;

  constructor(segment: SearchSegment, corpus: Corpus) {
    this.#segment = segment;
    this.#corpus = corpus;
    this.#others = { ...corpus, segments: corpus.segments.filter((other) => other !== segment) };
    this.#idfs = new Float64Array(segment.terms.length);
    this.#metIn = new Uint32Array(segment.terms.length);
  }

  /** Begins a run: none of its terms has been met. */
  begin(): void {
    this.#run += 1;
  }

  /** Whether the term is met for the first time in the run. */
  isFirst(term: number): boolean {
    if (this.#metIn[term] === this.#run) return false;
    this.#metIn[term] = this.#run;
    return true;
  }

  idfOf(term: number): number {
    const found = this.#idfs[term] ?? 0;
    if (found > 0) return found;
    const frequency =
      postingCount(this.#segment, term) + documentFrequency(this.#others, this.#segment.terms[term] ?? '');
    const idf = inverseFrequency(this.#corpus.size, frequency);
    this.#idfs[term] = idf;
    return idf;
  }
}
