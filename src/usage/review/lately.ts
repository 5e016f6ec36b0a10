import { dayOf } from '../day.ts';
import type { EntryTally } from '../fold/tally.ts';
import { type ReviewInput, windowStart } from './proposal.ts';

/** So many sessions tell a share of .1 from one of .3. */
const ENOUGH_SESSIONS = 20;

/**
 * The day from which the use of an entry counts as of late: the beginning of the window, or as far before it as there are too few sessions to
 * tell; never before `floor`, milliseconds since 1970. What is used once a week tells by its last twenty uses, not by those of three months.
 */
export function lateFrom(tally: EntryTally, floor: number, input: ReviewInput): number {
  const [window, earliest] = [dayOf(windowStart(input)), dayOf(floor)];
  let from = Math.max(window, earliest);
  let sessions = 0;
  for (const [day, counts] of [...tally.days].sort((a, b) => b[0] - a[0])) {
    if (day < earliest || (day < window && sessions >= ENOUGH_SESSIONS)) break;
    sessions += counts.sessions;
    from = Math.min(from, day);
  }
  return from;
}
