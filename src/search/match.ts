import type { SearchSegment } from './search-index.ts';

/** A document that a query has found. */
export interface Match {
  readonly segment: SearchSegment;
  /** Its number in the segment. */
  readonly document: number;
  readonly key: string;
  /** Above 0; comparable within one search only. */
  readonly score: number;
}

/** Best first, equals by key. */
export function byScoreThenKey(a: Match, b: Match): number {
  return b.score - a.score || (a.key < b.key ? -1 : 1);
}
