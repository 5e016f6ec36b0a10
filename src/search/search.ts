import { type FindOptions, findMatches } from './find-matches.ts';
import { byScoreThenKey, type Match } from './match.ts';
import type { CorrectedWord } from './query.ts';
import type { SearchSegment } from './search-index.ts';
import { splitFirst } from './split-first.ts';

export interface SearchOptions extends Pick<FindOptions, 'synonyms' | 'learned'> {
  /** Which keys may be listed. Default: all. */
  readonly accept?: (key: string) => boolean;
  /** Factor of a key's score above 0, 1 where undefined: .5 for what is deprecated. Does not hold back an exact name. */
  readonly weightOf?: (key: string) => number;
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
  const { accept = () => true, weightOf = () => 1, limit = Infinity, ...words } = options;
  const { matches, nearest, ...told } = findMatches(segments, query, {
    ...words,
    factorsIn:
      ({ keys }) =>
      (document) => {
        const key = keys[document] ?? '';
        return accept(key) ? weightOf(key) : 0;
      },
  });
  const { first } = splitFirst(matches, limit, byScoreThenKey);
  return { hits: first.map(toHit), nearest: nearest.map(toHit), ...told };
}

function toHit({ key, score }: Match): SearchHit {
  return { key, score };
}
