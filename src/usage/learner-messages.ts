import type { LearnedQueries } from '../search/learned.ts';
import type { UsagePlace } from './place.ts';

/** What the thread that learns is started with. */
export interface LearnerStart {
  readonly place: UsagePlace;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What it answers, once. */
export type FromLearner =
  | { readonly kind: 'learned'; readonly queries: LearnedQueries }
  | { readonly kind: 'failed'; readonly problem: string };

/** What it is told: that nobody waits for the answer any more. */
export type ToLearner = 'end';
