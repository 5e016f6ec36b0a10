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

/** A function that reads the runs of one document of the segment; good until the segment is asked for another one. */
export function runReader(
  segment: SearchSegment,
  corpus: Corpus,
  query: ParsedQuery,
): (document: number) => RunEvidence {
  const pairs = pairsOf(query);
  const terms = termsOf(segment, corpus);
  terms.match(query);
  return (document) => {
    const firstRun = segment.runsOfDocument[document] ?? 0;
    const endRun = segment.runsOfDocument[document + 1] ?? firstRun;
    const found = new Set<number>();
    let coverage = 0;
    for (let run = firstRun; run < endRun; run += 1) {
      if (pairs.size > 0) terms.collectPairs(run, pairs, found);
      // The first run is the name: BM25F has already made the most of it.
      if (run > firstRun) coverage = Math.max(coverage, terms.coverageOf(run));
    }
    let neighbours = 0;
    for (const pair of found) neighbours += pairs.get(pair) ?? 0;
    return { neighbours, coverage };
  };
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

const termsOf = oncePerSegment((segment, corpus) => new SegmentTerms(segment, corpus));

/**
 * Looks the terms of a segment up by their numbers: descriptions share most of their words, so each is weighed once a corpus. What the
 * query at hand matches is in tables of the same size, as each of the best documents asks for all of its words.
 */
class SegmentTerms {
  readonly #segment: SearchSegment;
  readonly #corpus: Corpus;
  readonly #others: Corpus;
  /** 0 where it was not asked for yet. */
  readonly #idfs: Float64Array;
  /** The idf of the distinct terms of each run; 0 where it was not asked for yet. */
  readonly #totals: Float64Array;
  /** 1 + the index of the query's term that matches each of ours; 0 where none does. */
  readonly #matches: Uint16Array;
  /** 1 where it is the very term, less for a variant of it. */
  readonly #weights: Float64Array;
  #matched: number[] = [];
  /** The count of runs read at which each term was met last. */
  readonly #metAt: Uint32Array;
  #runsRead = 0;

  constructor(segment: SearchSegment, corpus: Corpus) {
    this.#segment = segment;
    this.#corpus = corpus;
    this.#others = { ...corpus, segments: corpus.segments.filter((other) => other !== segment) };
    const size = segment.terms.length;
    this.#idfs = new Float64Array(size);
    this.#totals = new Float64Array(segment.runStarts.length);
    this.#matches = new Uint16Array(size);
    this.#weights = new Float64Array(size);
    this.#metAt = new Uint32Array(size);
  }

  /** Takes another query in place of the one before. */
  match({ terms }: ParsedQuery): void {
    for (const term of this.#matched) {
      this.#matches[term] = 0;
      this.#weights[term] = 0;
    }
    this.#matched = [];
    for (const [index, { variants }] of terms.entries()) {
      for (const { term, weight } of variants) {
        const number = this.#segment.lexicon.get(term);
        if (number === undefined || weight <= (this.#weights[number] ?? 0)) continue;
        this.#matches[number] = index + 1;
        this.#weights[number] = weight;
        this.#matched.push(number);
      }
    }
  }

  /** Adds those of the pairs that are neighbours in the run. */
  collectPairs(run: number, pairs: ReadonlyMap<number, number>, found: Set<number>): void {
    const { runTerms } = this.#segment;
    const end = this.#segment.runStarts[run + 1] ?? 0;
    let before = 0;
    for (let token = this.#segment.runStarts[run] ?? 0; token < end; token += 1) {
      const term = runTerms[token] ?? 0;
      // Only words as asked: neighbours that are both guesses are no phrase.
      const current = this.#weights[term] === 1 ? (this.#matches[term] ?? 0) : 0;
      if (before > 0 && current > 0) {
        const pair = toPair(before - 1, current - 1);
        if (pairs.has(pair)) found.add(pair);
      }
      before = current;
    }
  }

  /** The share of a run, by idf, that the query's words make up; each term counts once. */
  coverageOf(run: number): number {
    const { runTerms } = this.#segment;
    const end = this.#segment.runStarts[run + 1] ?? 0;
    let covered = 0;
    this.#runsRead += 1;
    for (let token = this.#segment.runStarts[run] ?? 0; token < end; token += 1) {
      const term = runTerms[token] ?? 0;
      const weight = this.#weights[term] ?? 0;
      if (weight > 0 && this.#isFirst(term)) covered += this.#idfOf(term) * weight;
    }
    return covered === 0 ? 0 : covered / this.#totalOf(run);
  }

  #totalOf(run: number): number {
    const known = this.#totals[run] ?? 0;
    if (known > 0) return known;
    let total = 0;
    this.#runsRead += 1;
    for (const term of this.#segment.runTerms.subarray(
      this.#segment.runStarts[run],
      this.#segment.runStarts[run + 1],
    )) {
      if (this.#isFirst(term)) total += this.#idfOf(term);
    }
    this.#totals[run] = total;
    return total;
  }

  /** Whether the term is met for the first time in the run at hand. */
  #isFirst(term: number): boolean {
    if (this.#metAt[term] === this.#runsRead) return false;
    this.#metAt[term] = this.#runsRead;
    return true;
  }

  #idfOf(term: number): number {
    const found = this.#idfs[term] ?? 0;
    if (found > 0) return found;
    const frequency =
      postingCount(this.#segment, term) + documentFrequency(this.#others, this.#segment.terms[term] ?? '');
    const idf = inverseFrequency(this.#corpus.size, frequency);
    this.#idfs[term] = idf;
    return idf;
  }
}
