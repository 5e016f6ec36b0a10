import { compareIds } from '../../catalog/order.ts';
import { leastShare } from '../bounds.ts';
import { DAY_MS, dayOf } from '../day.ts';
import type { EntryUse } from '../join.ts';
import { lateFrom } from './lately.ts';
import {
  counted,
  pathOf,
  idArgument,
  type ReviewInput,
  toDate,
  type UndeprecateProposal,
  windowStart,
} from './proposal.ts';

/** Uses on fewer days, in fewer sessions and of fewer people are habits that die by themselves. */
const FEWEST_DAYS = 3;
const FEWEST_SESSIONS = 5;
const FEWEST_USERS = 2;
/** Where less of the callers stay with the old one, the deprecation works. */
const LEAST_SHARE = 0.1;

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
      const floor = Math.max(deprecatedAt(use), replacement?.availableSince ?? 0);
      // Where nobody wrote when, only what is of late was surely used in spite of it.
      const from =
        deprecatedAt(use) === 0 ? Math.max(windowStart(input), floor) : lateFrom(tally, floor, input) * DAY_MS;
      const own = since(use, from);
      const other = replacement === undefined ? undefined : since(replacement, from);
      return (tally.lastUse ?? 0) >= windowStart(input) && isStillUsed(own, other) ? [toProposal(use, own, other)] : [];
    })
    .sort((a, b) => b.evidence.uses - a.evidence.uses || compareIds(a.entry, b.entry));
}

/** People where they are known: a job that calls the replacement every night is one of them. */
function isStillUsed(own: Recent, other: Recent | undefined): boolean {
  if (own.days < FEWEST_DAYS || own.sessions < FEWEST_SESSIONS) return false;
  if (own.users === 0) return leastShare(own.sessions, own.sessions + (other?.sessions ?? 0)) > LEAST_SHARE;
  return own.users >= FEWEST_USERS && leastShare(own.users, own.users + (other?.users ?? 0)) > LEAST_SHARE;
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
  /** 0 where people are not known. */
  readonly users: number;
}

function since({ tally }: EntryUse, from: number): Recent {
  const days = [...(tally?.days ?? [])].filter(([day, { uses }]) => day >= dayOf(from) && uses > 0);
  return {
    uses: days.reduce((sum, [, { uses }]) => sum + uses, 0),
    sessions: days.reduce((sum, [, { sessions }]) => sum + sessions, 0),
    days: days.length,
    users: [...(tally?.users.values() ?? [])].filter((lastUse) => lastUse >= from).length,
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
    command: `playbook-mcp restore ${idArgument(entry)}`,
    evidence: {
      uses: own.uses,
      users: own.users,
      days: own.days,
      lastUse: toDate(tally?.lastUse ?? 0),
      replacedBy,
      replacementUses: other?.uses ?? null,
    },
  };
}
