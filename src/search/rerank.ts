import type { Corpus } from './corpus.ts';
import type { ParsedQuery } from './query.ts';
import { runReader } from './run-evidence.ts';
import { matchVisitor } from './score.ts';
import type { SearchSegment } from './search-index.ts';
import { RANKING } from './weights.ts';

/** A document that matches, on its way to being a hit. */
export interface Candidate {
  readonly segment: SearchSegment;
  readonly document: number;
  readonly key: string;
  readonly score: number;
}

/** A candidate that was looked at closely. */
export interface RankedCandidate {
  readonly score: number;
  /** How much it has of each of the query's terms, 0 .. k1 + 1. */
  readonly amounts: Float64Array;
}

/**
 * The candidates with what BM25F does not see added to their scores: that one sentence of the query asks for just this,
 * that words stand side by side in both, and that the query says all that the description says. In the order given, each.
 */
export function rerank(
  candidates: readonly Candidate[],
  corpus: Corpus,
  query: ParsedQuery,
): readonly RankedCandidate[] {
  const amountsOf = gatherAmounts(candidates, corpus, query);
  const readers = new Map<SearchSegment, ReturnType<typeof runReader>>();
  return candidates.map(({ segment, document, score: plain }, place) => {
    const read = readers.get(segment) ?? runReader(segment, corpus, query);
    readers.set(segment, read);
    const amounts = amountsOf(place);
    const { neighbours, coverage } = read(document);
    const score =
      (plain + RANKING.bestSentence * bestSentence(amounts, query)) * (1 + RANKING.coverage * coverage) +
      RANKING.neighbours * neighbours;
    return { score, amounts };
  });
}

/** What each candidate, by its place, has of each term. */
function gatherAmounts(
  candidates: readonly Candidate[],
  corpus: Corpus,
  { terms }: ParsedQuery,
): (place: number) => Float64Array {
  const all = new Float64Array(candidates.length * terms.length);
  for (const segment of corpus.segments) {
    /** 1 + the place of each document; 0 for what is no candidate. */
    const places = new Uint32Array(segment.keys.length);
    let count = 0;
    for (const [place, candidate] of candidates.entries()) {
      if (candidate.segment !== segment) continue;
      places[candidate.document] = place + 1;
      count += 1;
    }
    if (count === 0) continue;
    const visitMatches = matchVisitor(segment, corpus, places);
    for (const [index, term] of terms.entries()) {
      visitMatches(term, (document, amount) => {
        all[((places[document] ?? 1) - 1) * terms.length + index] = amount;
      });
    }
  }
  return (place) => all.subarray(place * terms.length, (place + 1) * terms.length);
}

/** The largest score that the terms of one sentence give; 0 for a query of one sentence, whose score it would only double. */
function bestSentence(amounts: Float64Array, query: ParsedQuery): number {
  if (query.sentenceCount < 2) return 0;
  const sums = new Float64Array(query.sentenceCount);
  for (const [index, { idf, sentences }] of query.terms.entries()) {
    for (const sentence of sentences) sums[sentence] = (sums[sentence] ?? 0) + idf * (amounts[index] ?? 0);
  }
  return Math.max(...sums);
}
