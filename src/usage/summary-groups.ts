import { compareIds } from '../catalog/order.ts';
import type { Entry } from '../model.ts';
import type { Totals } from './fold/call-totals.ts';
import type { EntryUse } from './join.ts';
import type { GroupRow } from './summary-rows.ts';
import { toTotalsRow, usesOf } from './totals.ts';

/** Calls by what they have in common, most uses first. */
export function callGroups(groups: ReadonlyMap<string, Totals>): readonly GroupRow[] {
  return [...groups]
    .map(([name, totals]) => {
      const { searches, uses, users, failures, tokens } = toTotalsRow(totals);
      return { name, entries: null, usedEntries: null, searches, uses, users, failures, tokens };
    })
    .sort(byUses);
}

/** Entries by what they have in common, most used first; an entry may be in several groups. */
export function entryGroups(
  uses: readonly EntryUse[],
  namesOf: (entry: Entry) => string | readonly string[],
): readonly GroupRow[] {
  const groups = new Map<string, EntryUse[]>();
  for (const use of uses) {
    for (const name of [namesOf(use.entry)].flat()) {
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [use]);
      else group.push(use);
    }
  }
  return [...groups].map(([name, members]) => groupRow(name, members)).sort(byUses);
}

function groupRow(name: string, members: readonly EntryUse[]): GroupRow {
  const tallies = members.flatMap(({ tally }) => tally ?? []);
  return {
    name,
    entries: members.length,
    usedEntries: tallies.filter((tally) => usesOf(tally) > 0).length,
    searches: null,
    uses: tallies.reduce((sum, tally) => sum + usesOf(tally), 0),
    users: new Set(tallies.flatMap(({ users }) => [...users.keys()])).size,
    failures: tallies.reduce((sum, { failures }) => sum + failures, 0),
    tokens: tallies.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

function byUses(a: GroupRow, b: GroupRow): number {
  return b.uses - a.uses || compareIds(a.name, b.name);
}
