import { toCorpus } from './corpus.ts';
import type { Corpus } from './corpus.ts';
import { foldName } from './fold.ts';
import { isGoodMatch } from './good-match.ts';
import { parseQuery } from './query.ts';
import type { CorrectedWord, ParsedQuery } from './query.ts';
import { rerank } from './rerank.ts';
import type { Candidate } from './rerank.ts';
import { scoreSegment } from './score.ts';
import type { SearchSegment } from './search-index.ts';
import { GOOD_MATCH, RANKING } from './weights.ts';

export interface SearchOptions {
  /** Which keys may be listed; asked before anything is ranked, so that a filter costs no place. Default: all. */
  readonly accept?: (key: string) => boolean;
  /** Factor of a key's score, 1 where undefined: .5 for what is deprecated. Does not hold back an exact name. */
  readonly weightOf?: (key: string) => number;
  /** Words and phrases that mean the same here, both ways: `{ k8s: ['kubernetes'] }`. */
  readonly synonyms?: Readonly<Record<string, readonly string[]>>;
  /** The most hits; default all that deserve to be listed. */
  readonly limit?: number;
}

export interface SearchHit {
  readonly key: string;
  /** Above 0; comparable within one outcome only. */
  readonly score: number;
}

export interface SearchOutcome {
  /** Best first, equals by key; empty where there is no good match. */
  readonly hits: readonly SearchHit[];
  /** False where nothing deserves to be listed. */
  readonly isGoodMatch: boolean;
  /** What came nearest where there is no good match, best first: to tell tags by, not to be listed. Else empty. */
  readonly nearest: readonly SearchHit[];
  /** Words that no entry has and that were searched for as another. */
  readonly corrected: readonly CorrectedWord[];
}

/**
 * Ranks the documents of all segments as one collection: the outcome is that of a single segment with all of them.
 * An entry whose id or name the query is, but for case and separators, comes first.
 */
export function search(segments: readonly SearchSegment[], query: string, options: SearchOptions = {}): SearchOutcome {
  const { accept = () => true, weightOf = () => 1, synonyms = {}, limit = Infinity } = options;
  const corpus = toCorpus(segments);
  const parsed = parseQuery(query, corpus, synonyms);
  const candidates = findCandidates(corpus, parsed, accept);
  const named = findNamed(corpus, query, accept);
  const top = rerank(candidates.slice(0, RANKING.reranked), corpus, parsed);
  const isGood = named.size > 0 || isGoodMatch(top, parsed, corpus.size);
  const found = candidates.map(({ key, score }, place) => ({
    key,
    score: (top[place]?.score ?? score) * weightOf(key),
  }));
  const hits = putNamedFirst(found, named).sort(byScoreThenKey);
  const { corrected } = parsed;
  return isGood
    ? { hits: hits.slice(0, limit), isGoodMatch: true, nearest: [], corrected }
    : { hits: [], isGoodMatch: false, nearest: hits.slice(0, GOOD_MATCH.nearest), corrected };
}

/** All that match and are not far below the best, best first. */
function findCandidates(corpus: Corpus, query: ParsedQuery, accept: (key: string) => boolean): readonly Candidate[] {
  const scored = corpus.segments.map((segment) => ({ segment, scores: scoreSegment(segment, corpus, query) }));
  // A common word matches most documents. Asking only about those that could be the best, and then about those near it,
  // saves nine calls of `accept` in ten.
  let best = 0;
  for (const { segment, scores } of scored) {
    for (let document = 0; document < scores.length; document += 1) {
      const score = scores[document] ?? 0;
      if (score > best && accept(segment.keys[document] ?? '')) best = score;
    }
  }
  const least = best * GOOD_MATCH.minShareOfBest;
  const candidates: Candidate[] = [];
  for (const { segment, scores } of scored) {
    for (let document = 0; document < scores.length; document += 1) {
      const score = scores[document] ?? 0;
      const key = segment.keys[document] ?? '';
      if (score > 0 && score >= least && accept(key)) candidates.push({ segment, document, key, score });
    }
  }
  return candidates.sort(byScoreThenKey);
}

/** The rank of the name that the query is, by key; 0 is the strongest. */
function findNamed(corpus: Corpus, query: string, accept: (key: string) => boolean): ReadonlyMap<string, number> {
  const name = foldName(query);
  return new Map(
    corpus.segments.flatMap(({ names, keys }) =>
      (names.get(name) ?? []).flatMap(({ document, rank }) => {
        const key = keys[document] ?? '';
        return accept(key) ? [[key, rank] as const] : [];
      }),
    ),
  );
}

/** Scores that put an entry of that name above any other, and a stronger name above a weaker. */
function putNamedFirst(hits: SearchHit[], named: ReadonlyMap<string, number>): SearchHit[] {
  if (named.size === 0) return hits;
  const scores = new Map(hits.map(({ key, score }) => [key, score]));
  const step = largest(scores.values()) + 1;
  const weakest = largest(named.values());
  for (const [key, rank] of named) scores.set(key, (scores.get(key) ?? 0) + (weakest - rank + 1) * step);
  return Array.from(scores, ([key, score]) => ({ key, score }));
}

/** The largest of numbers that are not negative; 0 of none. */
function largest(values: Iterable<number>): number {
  let max = 0;
  for (const value of values) max = Math.max(max, value);
  return max;
}

function byScoreThenKey(a: SearchHit, b: SearchHit): number {
  return b.score - a.score || (a.key < b.key ? -1 : 1);
}
