import { dayOf } from '../day.ts';
import type { EntryTally } from '../fold/tally.ts';

/** So much longer than usual must it be silent before that means anything. */
const PATIENCE = 1.5;
const FEWEST_DAYS = 3;

/**
 * Days for which an entry may be silent before that means anything. What is used once a quarter is silent for a quarter, and what was used four
 * times in its year for three months. 1.5 times its usual silence, which is the second longest so far (one long silence is no rhythm) or the mean
 * time between two uses, whichever is longer; 0 for fewer than three days of use, which make no rhythm.
 * @see Croston 1972, Forecasting and stock control for intermittent demands: the interval between uses is what is to be estimated.
 */
export function usualSilenceDays(tally: EntryTally, availableSince: number): number {
  const days = [...tally.days].flatMap(([day, { uses }]) => (uses > 0 ? [day] : [])).sort((a, b) => a - b);
  const last = days.at(-1);
  if (last === undefined || days.length < FEWEST_DAYS) return 0;
  const gaps = days.slice(1).map((day, at) => day - (days[at] ?? day));
  const [, second = 0] = gaps.sort((a, b) => b - a);
  const mean = (last - dayOf(availableSince)) / days.length;
  return PATIENCE * Math.max(second, mean);
}
