import type { Config } from '../../config/index.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { DuplicateKind } from '../../catalog/duplicates/kind.ts';
import type { StepReport } from '../event.ts';
import type { Folded } from '../fold/fold.ts';
import type { Entry } from '../../model.ts';
import { type EntryUse, usageIdOf } from '../join.ts';
import { DAY_MS } from '../day.ts';

/** What a maintainer is asked to do. Keys are stable API (`review --json`); times are ISO 8601, entries as events name them. */
export type Proposal =
  | RetireProposal
  | MergeProposal
  | RewriteProposal
  | FixProposal
  | WriteProposal
  | UndeprecateProposal;

export type ProposalKind = Proposal['kind'];

interface AboutEntry {
  readonly entry: string;
  /** Absolute path of its file; null for a tool. */
  readonly path: string | null;
  /** Why, as one sentence. */
  readonly reason: string;
  /** The command that carries it out, or begins to where a person must write. */
  readonly command: string;
}

export interface RetireProposal extends AboutEntry {
  readonly kind: 'retire';
  readonly evidence: {
    /** Null where it was never used. */
    readonly lastUse: string | null;
    /** Since when it could be used. */
    readonly availableSince: string;
    readonly unusedDays: number;
    readonly uses: number;
    readonly users: number;
    /** Searches that listed it. */
    readonly shown: number;
    /** Entries that refer to it; none of them is in use either. */
    readonly referencedBy: readonly string[];
  };
}

export interface MergeProposal {
  readonly kind: 'merge';
  /** The one to keep first. */
  readonly entries: readonly [string, string];
  readonly keep: string;
  readonly reason: string;
  readonly command: string;
  readonly evidence: {
    /** What their texts have in common; null where only their use shows that they do the same. */
    readonly text: { readonly kind: DuplicateKind; readonly overlapRatio: number } | null;
    /** What agents took from lists that had both; null where no list had. */
    readonly use: SharedUse | null;
    readonly uses: readonly [number, number];
    readonly keepReason: string;
  };
}

export interface SharedUse {
  /** Searches that listed both and led to one of them. */
  readonly searches: number;
  /** To the one to keep, and to the other. */
  readonly chosen: readonly [number, number];
  /** The share of like queries of which one led to this and one to that entry. */
  readonly mixedRatio: number;
}

export interface RewriteProposal extends AboutEntry {
  readonly kind: 'rewrite';
  readonly evidence: {
    readonly shown: number;
    /** Searches in which an agent came as far as to it, and those in which it took it. */
    readonly looks: number;
    readonly chosen: number;
    /** How often it would have been taken if it were like the others at its ranks. */
    readonly expected: number;
    /** Upper 95 % bound of chosen / expected. */
    readonly greatestRatio: number;
    readonly meanRank: number;
    /** Queries that showed it in vain, the most frequent first. */
    readonly queries: readonly string[];
  };
}

export interface FixProposal extends AboutEntry {
  readonly kind: 'fix';
  readonly evidence: {
    /** Sessions of late that used it, and those in which a use failed. */
    readonly sessions: number;
    readonly failedSessions: number;
    /** Lower 95 % bound of the share of failed ones. */
    readonly leastFailureRatio: number;
    /** The share of failed ones over the catalog. */
    readonly usualFailureRatio: number;
    /** Over the whole time, by code. */
    readonly errors: Readonly<Record<string, number>>;
    /** What agents reported about the text as it is. */
    readonly reports: readonly { readonly time: string; readonly step: string | null; readonly problem: string }[];
  };
}

export interface WriteProposal {
  readonly kind: 'write';
  /** The most frequent wording. */
  readonly query: string;
  readonly reason: string;
  readonly command: string;
  readonly evidence: {
    /** Wordings, the most frequent first; at most 20. */
    readonly queries: readonly string[];
    /** Searches that led to nothing, and that led to something. */
    readonly unanswered: number;
    readonly answered: number;
    /** Of the unanswered: those that listed nothing. */
    readonly empty: number;
    /** People where they are known, else sessions. */
    readonly askedBy: number;
    readonly days: number;
    readonly first: string;
    readonly last: string;
    /** Entries that were listed instead. */
    readonly shown: readonly string[];
  };
}

export interface UndeprecateProposal extends AboutEntry {
  readonly kind: 'undeprecate';
  readonly evidence: {
    /** Of late. */
    readonly uses: number;
    readonly users: number;
    readonly days: number;
    readonly lastUse: string;
    readonly replacedBy: string | null;
    readonly replacementUses: number | null;
  };
}

/** What proposals are made from. */
export interface ReviewInput {
  readonly folded: Folded;
  readonly catalog: Catalog;
  /** See `joinCatalog`. */
  readonly uses: readonly EntryUse[];
  readonly reports: readonly StepReport[];
  /** To which unused time is counted; milliseconds since 1970. */
  readonly now: number;
  /** From when calls were read, milliseconds since 1970; absent where all were. Nothing is known of the time before. */
  readonly since?: number;
  readonly thresholds: Config['review'];
}

export function daysBetween(from: number, to: number): number {
  return Math.floor((to - from) / DAY_MS);
}

export function toDate(time: number): string {
  return new Date(time).toISOString();
}

/** The first moment of the time of late. */
export function windowStart({ now, thresholds }: ReviewInput): number {
  return now - thresholds.unusedDays * DAY_MS;
}

/** An argument as a POSIX shell reads it. */
export function quoted(argument: string): string {
  return /^[\w./:@%+=-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}

/** The id of an entry as an argument of a command: with its source where it would be taken for an option. */
export function idArgument(entry: Entry): string {
  return quoted(entry.id.startsWith('-') ? usageIdOf(entry) : entry.id);
}

export function pathOf({ entry }: EntryUse): string | null {
  return entry.kind === 'playbook' ? entry.playbook.path : null;
}

/** `1 search`, `3 searches`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
