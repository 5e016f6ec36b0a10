import { type Corpus, toCorpus } from './corpus.ts';
import { foldName } from './fold.ts';
import { isGoodMatch } from './good-match.ts';
import { addLearned, type LearnedHere } from './learned-matches.ts';
import { byScoreThenKey, type Candidate, type FactoredSegment, type Match } from './match.ts';
import { type CorrectedWord, parseQuery, type ParsedQuery } from './query.ts';
import { rerank } from './rerank.ts';
import { amountsOf, scoreSegment } from './score.ts';
import type { NamedDocument, SearchSegment } from './search-index.ts';
import { splitFirst } from './split-first.ts';
import { GOOD_MATCH, RANKING } from './weights.ts';

export interface FindOptions {
  /**
   * Gives, for a segment, the factor of each document's score: 1 by default, .5 for what is deprecated; 0 for what may not be listed.
   * Asked before anything is ranked, so that a filter costs no place.
   */
  readonly factorsIn?: (segment: SearchSegment) => (document: number) => number;
  /** Words and phrases that mean the same here, both ways: `{ k8s: ['kubernetes'] }`. */
  readonly synonyms?: Readonly<Record<string, readonly string[]>>;
  /** What use has taught of these documents. */
  readonly learned?: LearnedHere | undefined;
}

export interface FoundMatches {
  /** All that deserve to be listed, in no order; empty where there is no good match. */
  readonly matches: readonly Match[];
  /** What came nearest where there is no good match, best first; else empty. */
  readonly nearest: readonly Match[];
  readonly isGoodMatch: boolean;
  readonly corrected: readonly CorrectedWord[];
}

/** What `search` finds, by where the documents lie; `splitFirst` puts as many of them in order as are wanted. */
export function findMatches(
  segments: readonly SearchSegment[],
  query: string,
  { factorsIn = () => () => 1, synonyms = {}, learned }: FindOptions = {},
): FoundMatches {
  const corpus = toCorpus(segments);
  const parsed = parseQuery(query, corpus, synonyms);
  const factored = segments.map((segment) => ({ segment, factorOf: factorsIn(segment) }));
  const candidates = findCandidates(factored, corpus, parsed);
  const named = findNamed(factored, query);
  const { first, rest } = splitFirst(candidates, RANKING.reranked, byScoreThenKey);
  const considered = first.slice(0, GOOD_MATCH.considered).map((match) => amountsOf(match, corpus, parsed));
  const isGoodByWords = named.length > 0 || isGoodMatch(considered, parsed, corpus.size);
  const byWords = rerank(first, corpus, parsed).concat(rest);
  const taught = learned === undefined ? undefined : addLearned(byWords, parsed, { learned, factored });
  // Where the catalog has no words for a query, only what use answers it with deserves to be listed.
  const ranked = (isGoodByWords ? (taught?.all ?? byWords) : (taught?.good ?? [])).map(toMatch);
  const isGood = isGoodByWords || ranked.length > 0;
  const { corrected } = parsed;
  if (!isGood) {
    const nearest = splitFirst(byWords.map(toMatch), GOOD_MATCH.nearest, byScoreThenKey).first;
    return { matches: [], nearest, isGoodMatch: false, corrected };
  }
  const matches = named.length > 0 ? putNamedFirst(ranked, named) : ranked;
  return { matches, nearest: [], isGoodMatch: true, corrected };
}

function toMatch(candidate: Candidate): Match {
  if (candidate.factor === 1) return candidate;
  const { segment, document, key, score, factor } = candidate;
  return { segment, document, key, score: score * factor };
}

/** All that match and are not far below the best, in no order. */
function findCandidates(
  factored: readonly FactoredSegment[],
  corpus: Corpus,
  query: ParsedQuery,
): readonly Candidate[] {
  const scored = factored.map((each) => ({ ...each, ...scoreSegment(each.segment, corpus, query) }));
  // A common word matches most documents. Asking only about those that could be the best, and then about those near it,
  // saves nine questions in ten.
  let best = 0;
  for (const { factorOf, documents, scores } of scored) {
    for (const document of documents) {
      const score = scores[document] ?? 0;
      if (score > best && factorOf(document) > 0) best = score;
    }
  }
  const least = best * GOOD_MATCH.minShareOfBest;
  const candidates: Candidate[] = [];
  for (const { segment, factorOf, documents, scores } of scored) {
    for (const document of documents) {
      const score = scores[document] ?? 0;
      const factor = score < least ? 0 : factorOf(document);
      if (factor > 0) candidates.push({ segment, document, key: segment.keys[document] ?? '', score, factor });
    }
  }
  return candidates;
}

interface Named extends NamedDocument {
  readonly segment: SearchSegment;
  readonly key: string;
}

/** The documents whose id or name the query is. */
function findNamed(factored: readonly FactoredSegment[], query: string): readonly Named[] {
  const name = foldName(query);
  return factored.flatMap(({ segment, factorOf }) =>
    (segment.names.get(name) ?? [])
      .filter(({ document }) => factorOf(document) > 0)
      .map(({ document, rank }) => ({ segment, document, rank, key: segment.keys[document] ?? '' })),
  );
}

/** Scores that put an entry of that name above any other, and a stronger name above a weaker. */
function putNamedFirst(matches: readonly Match[], named: readonly Named[]): readonly Match[] {
  const byKey = new Map(matches.map((match) => [match.key, match]));
  const step = matches.reduce((most, { score }) => Math.max(most, score), 0) + 1;
  const weakest = named.reduce((most, { rank }) => Math.max(most, rank), 0);
  for (const { segment, document, key, rank } of named) {
    const score = (byKey.get(key)?.score ?? 0) + (weakest - rank + 1) * step;
    byKey.set(key, { segment, document, key, score });
  }
  return [...byKey.values()];
}
