import type { Graph } from '../../catalog/graph.ts';
import { buildGraph } from '../../catalog/graph.ts';
import { compareIds } from '../../catalog/order.ts';
import { type Entry, isJsonObject, type PlaybookEntry } from '../../model.ts';
import { type EntryUse, isOurs, usageIdOf } from '../join.ts';
import { counted, daysBetween, pathOf, idArgument, type RetireProposal, type ReviewInput, toDate } from './proposal.ts';
import { usesOf } from '../totals.ts';
import { usualSilenceDays } from './recurrence.ts';

/**
 * Entries that nobody uses any more, the longest unused first. In use is what was used of late, or with a rhythm that fits its silence;
 * what is too new to tell, a draft, or kept by `metadata.retain`; and whatever one in use refers to, over any number of steps.
 */
export function findUnused(input: ReviewInput): readonly RetireProposal[] {
  const { uses, catalog } = input;
  const graph = buildGraph(catalog);
  const unused = new Map(uses.flatMap((use) => (isSilent(use, input) ? [[use.entry, use] as const] : [])));
  const inUse = reachedFrom(
    catalog.entries.filter((entry) => !unused.has(entry) && entry.status !== 'retired'),
    graph,
    input,
  );
  return [...unused.values()]
    .filter(({ entry }) => isOurs(entry) && entry.status !== 'retired' && !inUse.has(entry))
    .map((use) => toProposal(use, graph, input))
    .sort((a, b) => b.evidence.unusedDays - a.evidence.unusedDays || compareIds(a.entry, b.entry));
}

function isSilent(use: EntryUse, input: ReviewInput): boolean {
  const { now, thresholds } = input;
  const { entry, tally } = use;
  if (entry.status === 'draft' || isRetained(entry)) return false;
  const since = silentSince(use, input);
  if (since === undefined) return false;
  const usual = tally === undefined ? 0 : usualSilenceDays(tally, use.availableSince ?? tally.firstAt);
  return daysBetween(since, now) >= Math.max(thresholds.unusedDays, usual);
}

/** Where only the calls since a moment were read, one without a use may have been used the day before it. */
function silentSince({ tally, availableSince }: EntryUse, { since = 0 }: ReviewInput): number | undefined {
  return tally?.lastUse ?? (availableSince === undefined ? undefined : Math.max(availableSince, since));
}

/** `metadata.retain`: an author's word that it is kept though seldom used. */
function isRetained(entry: Entry): boolean {
  if (entry.kind === 'tool') return false;
  const { metadata } = entry.playbook.extra;
  if (!isJsonObject(metadata)) return false;
  const { retain } = metadata;
  // The Agent Skills format has strings only in `metadata`.
  return typeof retain === 'string' ? !['', 'false', 'no'].includes(retain.toLowerCase()) : retain === true;
}

/** The entries and all that they lead to. */
function reachedFrom(roots: readonly Entry[], graph: Graph, { catalog }: ReviewInput): ReadonlySet<Entry> {
  const reached = new Set(roots);
  // A set's iteration sees what is added during it.
  for (const entry of reached) {
    if (entry.kind === 'tool') continue;
    for (const child of graph.children.get(entry) ?? []) reached.add(child);
    for (const id of entry.playbook.tools) {
      const tool = catalog.byId.get(id);
      if (tool !== undefined) reached.add(tool);
    }
  }
  return reached;
}

function toProposal(use: EntryUse, graph: Graph, input: ReviewInput): RetireProposal {
  const { now, since = 0 } = input;
  const { entry, id, tally, availableSince = now } = use;
  const unusedDays = daysBetween(silentSince(use, input) ?? now, now);
  const total = usesOf(tally);
  const never =
    availableSince < since
      ? `Not used in the ${unusedDays} days that were read.`
      : `Never used in the ${unusedDays} days since it is there.`;
  const reason = total === 0 ? never : `Not used for ${unusedDays} days, after ${counted(total, 'use')}.`;
  return {
    kind: 'retire',
    entry: id,
    path: pathOf(use),
    reason,
    command: `playbook-mcp retire ${idArgument(entry)}`,
    evidence: {
      lastUse: tally?.lastUse === undefined ? null : toDate(tally.lastUse),
      availableSince: toDate(availableSince),
      unusedDays,
      uses: total,
      users: tally?.users.size ?? 0,
      shown: tally?.shown ?? 0,
      referencedBy: parentsOf(entry, graph).map(usageIdOf),
    },
  };
}

function parentsOf(entry: Entry, { nodes, parents }: Graph): readonly PlaybookEntry[] {
  return entry.kind === 'tool'
    ? nodes.filter(({ playbook }) => playbook.tools.includes(entry.id))
    : (parents.get(entry) ?? []);
}
