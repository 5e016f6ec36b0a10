import type { Totals } from './fold/call-totals.ts';
import type { EntryTally } from './fold/tally.ts';
import type { TotalsRow } from './summary-rows.ts';

/** The counts as plain data. */
export function toTotalsRow({ users, ...counts }: Totals): TotalsRow {
  return { ...counts, users: users.size };
}

/** How often an entry was used; 0 where no event names it. */
export function usesOf(tally: EntryTally | undefined): number {
  return tally === undefined ? 0 : tally.executes + tally.reads;
}
