import type { Corpus } from './corpus.ts';
import type { Match } from './match.ts';
import type { ParsedQuery } from './query.ts';
import { runReader } from './run-evidence.ts';
import { amountsOf } from './score.ts';
import type { SearchSegment } from './search-index.ts';
import { RANKING } from './weights.ts';

/**
 * The candidates with what BM25F does not see added to their scores: that one sentence of the query asks for just this,
 * that words stand side by side in both, and that the query says all that the description says. In the order given.
 */
export function rerank<Candidate extends Match>(
  candidates: readonly Candidate[],
  corpus: Corpus,
  query: ParsedQuery,
): readonly Candidate[] {
  const readers = new Map<SearchSegment, ReturnType<typeof runReader>>();
  return candidates.map((candidate) => {
    const { segment, document, score: plain } = candidate;
    const read = readers.get(segment) ?? runReader(segment, corpus, query);
    readers.set(segment, read);
    const { neighbours, coverage } = read(document);
    // A query of one sentence would only double its score.
    const sentence = query.sentenceCount < 2 ? 0 : bestSentence(amountsOf(candidate, corpus, query), query);
    const score =
      (plain + RANKING.bestSentence * sentence) * (1 + RANKING.coverage * coverage) + RANKING.neighbours * neighbours;
    return { ...candidate, score };
  });
}

/** The largest score that the terms of one sentence give. */
function bestSentence(amounts: Float64Array, query: ParsedQuery): number {
  const sums = new Float64Array(query.sentenceCount);
  for (const [index, { idf, sentences }] of query.terms.entries()) {
    for (const sentence of sentences) sums[sentence] = (sums[sentence] ?? 0) + idf * (amounts[index] ?? 0);
  }
  return Math.max(...sums);
}
