import { isMaintained } from '../../catalog/maintained.ts';
import type { Entry } from '../../model.ts';
import { dayOf } from '../day.ts';
import type { EntryTally } from '../fold/tally.ts';
import type { Folded } from '../fold/fold.ts';
import type { EntryUse } from '../join.ts';
import type { ReportEntry } from './data.ts';

/** Entries that are used but in this catalog no more; the most used ones are told. */
const MOST_GONE = 500;
/** Fewer tags than a hostile file can have. */
const MOST_TAGS = 12;

/** An entry of the page, and what is counted of it; undefined where no event names it. */
export interface ListedEntry {
  readonly entry: ReportEntry;
  readonly tally: EntryTally | undefined;
}

/** Every entry of the catalog, and those that were used and are not in it. */
export function listEntries(folded: Folded, uses: readonly EntryUse[]): readonly ListedEntry[] {
  const known = new Set(uses.map(({ tally }) => tally));
  const gone = [...folded.entries.values()]
    // A name that nothing ever had has no kind.
    .filter((tally) => !known.has(tally) && tally.kind !== null)
    .sort((a, b) => usesOf(b) - usesOf(a) || (a.key < b.key ? -1 : 1))
    .slice(0, MOST_GONE);
  return [
    ...uses.map((use) => ({ entry: toListed(use), tally: use.tally })),
    ...gone.map((tally) => ({ entry: toGone(tally), tally })),
  ];
}

function usesOf({ executes, reads }: EntryTally): number {
  return executes + reads;
}

function toListed({ entry, id, tally, availableSince }: EntryUse): ReportEntry {
  const owner = entry.kind === 'playbook' ? entry.playbook.owner : undefined;
  return {
    id,
    kind: entry.kind,
    source: sourceOf(entry),
    tags: entry.tags.slice(0, MOST_TAGS),
    status: entry.status,
    ...(owner !== undefined && { owner }),
    ...(!isMaintained(entry) && { isOthers: true as const }),
    ...(availableSince !== undefined && { since: dayOf(availableSince) }),
    ...(tally !== undefined && recorded(tally)),
  };
}

function sourceOf(entry: Entry): string {
  return entry.kind === 'playbook' ? entry.playbook.source.name : entry.tool.server;
}

function toGone(tally: EntryTally): ReportEntry {
  const { entry, kind, source, repo } = tally;
  return {
    id: entry,
    kind: kind ?? 'playbook',
    source: source ?? '',
    tags: [],
    status: 'gone',
    ...(repo !== null && { repo }),
    since: dayOf(tally.firstAt),
    ...recorded(tally),
  };
}

function recorded({ lastUse, users, latencies, tokens }: EntryTally): Partial<ReportEntry> {
  const p95Ms = latencies.quantile(0.95);
  return {
    ...(lastUse !== undefined && { lastUse: dayOf(lastUse) }),
    ...(users.size > 0 && { people: users.size }),
    ...(p95Ms !== undefined && { p95Ms: Math.round(p95Ms) }),
    ...(tokens > 0 && { tokens }),
  };
}
