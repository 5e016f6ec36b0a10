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
export interface RankedCandidate extends Candidate {
  /** How much it has of each of the query's terms, 0 .. k1 + 1. */
  readonly amounts: Float64Array;
}

/**
 * The candidates with what BM25F does not see added to their scores: that one sentence of the query asks for just this,
 * that words stand side by side in both, and that the query says all that the description says. In the order given.
 */
export function rerank(
  candidates: readonly Candidate[],
  corpus: Corpus,
  query: ParsedQuery,
): readonly RankedCandidate[] {
  const readers = new Map(
    corpus.segments.map((segment) => {
      const own = candidates.filter((candidate) => candidate.segment === segment);
      return [
        segment,
        { amounts: gatherAmounts(segment, own, { corpus, query }), read: runReader(segment, corpus, query) },
      ];
    }),
  );
  return candidates.flatMap((candidate) => {
    const reader = readers.get(candidate.segment);
    const amounts = reader?.amounts.get(candidate.document);
    if (reader === undefined || amounts === undefined) return [];
    const { neighbours, coverage } = reader.read(candidate.document);
    const score =
      (candidate.score + RANKING.bestSentence * bestSentence(amounts, query)) * (1 + RANKING.coverage * coverage) +
      RANKING.neighbours * neighbours;
    return [{ ...candidate, score, amounts }];
  });
}

function gatherAmounts(
  segment: SearchSegment,
  candidates: readonly Candidate[],
  { corpus, query }: { readonly corpus: Corpus; readonly query: ParsedQuery },
): ReadonlyMap<number, Float64Array> {
  const rows = new Map(candidates.map(({ document }) => [document, new Float64Array(query.terms.length)]));
  if (rows.size === 0) return rows;
  const isCandidate = new Uint8Array(segment.keys.length);
  for (const { document } of candidates) isCandidate[document] = 1;
  const visitMatches = matchVisitor(segment, corpus, isCandidate);
  for (const [index, term] of query.terms.entries()) {
    visitMatches(term, (document, amount) => rows.get(document)?.fill(amount, index, index + 1));
  }
  return rows;
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
