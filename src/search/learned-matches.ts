import type { LearnedQueries } from './learned.ts';
import type { Candidate, FactoredSegment } from './match.ts';
import type { ParsedQuery } from './query.ts';
import { scoreLearned } from './score-learned.ts';
import type { SearchSegment } from './search-index.ts';
import { GOOD_MATCH } from './weights.ts';

/** What use has taught, seen from the documents of a search. */
export interface LearnedHere {
  readonly queries: LearnedQueries;
  /** By number of the entry in `LearnedQueries.keys`: its document; undefined where there is none here. Two may be one document. */
  readonly places: readonly (DocumentPlace | undefined)[];
}

export interface DocumentPlace {
  readonly segment: SearchSegment;
  readonly document: number;
}

interface TaughtCandidates {
  /** All that were given, and what use alone finds and is not far below the best. */
  readonly all: readonly Candidate[];
  /** Those of them that use answers the query with, whether or not there are words for it. */
  readonly good: readonly Candidate[];
}

/** Adds what use says to the scores of candidates. It hides none of them: whoever is wrong about one must not lose another. */
export function addLearned(
  candidates: readonly Candidate[],
  query: ParsedQuery,
  { learned, factored }: { readonly learned: LearnedHere; readonly factored: readonly FactoredSegment[] },
): TaughtCandidates {
  const { amounts, found } = placedAmounts(learned, query);
  if (found.length === 0) return { all: candidates, good: [] };
  let best = 0;
  const raise = (candidate: Candidate): Candidate => {
    const { segment, document, key, score, factor } = candidate;
    const ofSegment = amounts.get(segment);
    const amount = ofSegment?.[document] ?? 0;
    best = Math.max(best, score + amount);
    if (ofSegment === undefined || amount === 0) return candidate;
    // What is left there afterwards, words have not found.
    ofSegment[document] = 0;
    return { segment, document, key, score: score + amount, factor };
  };
  const raised = candidates.map(raise);
  const factors = new Map(factored.map(({ segment, factorOf }) => [segment, factorOf]));
  const added = found.flatMap(({ segment, document }): readonly Candidate[] => {
    const score = amounts.get(segment)?.[document] ?? 0;
    const factor = score > 0 ? (factors.get(segment)?.(document) ?? 0) : 0;
    return factor > 0 ? [raise({ segment, document, key: segment.keys[document] ?? '', score: 0, factor })] : [];
  });
  const all = raised.concat(added.filter(({ score }) => score >= best * GOOD_MATCH.minShareOfBest));
  const good = new Set(found.filter(({ isGood }) => isGood).map(({ segment, document }) => segment.keys[document]));
  return { all, good: good.size === 0 ? [] : all.filter(({ key }) => good.has(key)) };
}

interface Found extends DocumentPlace {
  readonly isGood: boolean;
}

/** What use says of each document. */
function placedAmounts(
  { queries, places }: LearnedHere,
  query: ParsedQuery,
): { readonly amounts: ReadonlyMap<SearchSegment, Float64Array>; readonly found: readonly Found[] } {
  const amounts = new Map<SearchSegment, Float64Array>();
  const found: Found[] = [];
  for (const { entry, amount, isGood } of scoreLearned(queries, query)) {
    const place = places[entry];
    if (place === undefined) continue;
    const { segment, document } = place;
    const ofSegment = amounts.get(segment) ?? new Float64Array(segment.keys.length);
    amounts.set(segment, ofSegment);
    ofSegment[document] = (ofSegment[document] ?? 0) + amount;
    found.push({ segment, document, isGood });
  }
  return { amounts, found };
}
