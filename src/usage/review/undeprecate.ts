import { compareIds } from '../../catalog/order.ts';
import { leastShare } from '../bounds.ts';
import { dayOf } from '../fold/tally.ts';
import type { EntryUse } from '../join.ts';
import {
  counted,
  pathOf,
  quoted,
  type ReviewInput,
  toDate,
  type UndeprecateProposal,
  windowStart,
} from './proposal.ts';

/** Uses on fewer days, and in fewer sessions, are habits that die by themselves. */
const FEWEST_DAYS = 3;
const FEWEST_SESSIONS = 5;
/** A replacement that takes clearly more than this has taken over: the deprecation works. */
const LEAST_SHARE = 0.2;

/** Deprecated entries that are still used though their replacement is there, the most used first. */
export function findStillUsed(input: ReviewInput): readonly UndeprecateProposal[] {
  const { uses, catalog } = input;
  const useOf = new Map(uses.map((use) => [use.entry, use]));
  return uses
    .flatMap((use) => {
      const { entry, tally } = use;
      if (entry.status !== 'deprecated' || tally === undefined) return [];
      const { replacedBy } = entry.deprecation ?? {};
      const target = replacedBy === undefined ? undefined : catalog.byId.get(replacedBy);
      const replacement = target === undefined ? undefined : useOf.get(target);
      const from = Math.max(windowStart(input), deprecatedAt(use), replacement?.availableSince ?? 0);
      const own = since(use, from);
      const other = replacement === undefined ? undefined : since(replacement, from);
      const isStillUsed =
        own.days >= FEWEST_DAYS &&
        own.sessions >= FEWEST_SESSIONS &&
        leastShare(own.sessions, own.sessions + (other?.sessions ?? 0)) > LEAST_SHARE;
      return isStillUsed ? [toProposal(use, own, other)] : [];
    })
    .sort((a, b) => b.evidence.uses - a.evidence.uses || compareIds(a.entry, b.entry));
}

/** 0 where nobody wrote when. */
function deprecatedAt({ entry }: EntryUse): number {
  const written = Date.parse(entry.deprecation?.since ?? '');
  return Number.isNaN(written) ? 0 : written;
}

interface Recent {
  readonly uses: number;
  readonly sessions: number;
  readonly days: number;
}

function since({ tally }: EntryUse, from: number): Recent {
  const days = [...(tally?.days ?? [])].filter(([day, { uses }]) => day >= dayOf(from) && uses > 0);
  return {
    uses: days.reduce((sum, [, { uses }]) => sum + uses, 0),
    sessions: days.reduce((sum, [, { sessions }]) => sum + sessions, 0),
    days: days.length,
  };
}

function toProposal(use: EntryUse, own: Recent, other: Recent | undefined): UndeprecateProposal {
  const { entry, id, tally } = use;
  const replacedBy = entry.deprecation?.replacedBy ?? null;
  const beside = replacedBy === null ? '' : `; ${replacedBy}, which replaces it, ${counted(other?.uses ?? 0, 'time')}`;
  return {
    kind: 'undeprecate',
    entry: id,
    path: pathOf(use),
    reason: `Deprecated, and used ${counted(own.uses, 'time')} on ${counted(own.days, 'day')} of late${beside}.`,
    command: `playbook-mcp restore ${quoted(entry.id)}`,
    evidence: {
      uses: own.uses,
      users: tally?.users.size ?? 0,
      days: own.days,
      lastUse: toDate(tally?.lastUse ?? 0),
      replacedBy,
      replacementUses: other?.uses ?? null,
    },
  };
}
