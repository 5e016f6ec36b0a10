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

/** A match whose score is still to be multiplied. */
export interface Candidate extends Match {
  readonly factor: number;
}

export interface FactoredSegment {
  readonly segment: SearchSegment;
  /** See `FindOptions.factorsIn`. */
  readonly factorOf: (document: number) => number;
}

/** Best first, equals by key. */
export function byScoreThenKey(a: Match, b: Match): number {
  return b.score - a.score || (a.key < b.key ? -1 : 1);
}
