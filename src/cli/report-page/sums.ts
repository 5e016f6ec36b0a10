import type { EntryFigures } from './selection.ts';

/** Sums over the entries of a selection. */
export interface Sums {
  readonly uses: number;
  readonly failures: number;
  readonly shown: number;
  readonly used: number;
}

/** Sums of what single entries were counted. */
export function sumsOf(entries: readonly EntryFigures[]): Sums {
  let [uses, failures, shown, used] = [0, 0, 0, 0];
  for (const each of entries) {
    uses += each.uses;
    failures += each.failures;
    shown += each.shown;
    if (each.uses > 0) used += 1;
  }
  return { uses, failures, shown, used };
}
