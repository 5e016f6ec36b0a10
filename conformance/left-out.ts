import type { Run } from './scenarios.ts';

/** A check of the suite that this server does not pass, and why that is as it should be. */
export interface LeftOut extends Pick<Run, 'scenario' | 'revision'> {
  readonly check: string;
  readonly reason: string;
}

export const leftOut: readonly LeftOut[] = [];
