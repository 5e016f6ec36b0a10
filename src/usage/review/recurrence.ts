import type { EntryTally } from '../fold/tally.ts';

/** So much longer than it has already been silent twice must it be silent now. */
const PATIENCE = 1.5;

/**
 * Days for which an entry may be silent before that means anything: what is used once a quarter is silent for a quarter. 1.5 times the
 * second longest of its silences so far, for one long silence is no rhythm; 0 for fewer than three days of use.
 * @see Croston 1972, Forecasting and stock control for intermittent demands: the interval between uses is what is to be estimated.
 */
export function usualSilenceDays(tally: EntryTally): number {
  const days = [...tally.days].flatMap(([day, { uses }]) => (uses > 0 ? [day] : [])).sort((a, b) => a - b);
  const gaps = days.slice(1).map((day, at) => day - (days[at] ?? day));
  const [, second = 0] = gaps.sort((a, b) => b - a);
  return PATIENCE * second;
}
