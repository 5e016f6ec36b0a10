import type { Entry } from '../model.ts';
import type { Funnel } from './fold/sessions.ts';

/** What `stats` and the report tell, as plain data; keys are stable API. Times are ISO 8601, entries as events name them. */
export interface UsageSummary {
  /** Null where there is no event. */
  readonly span: { readonly first: string; readonly last: string } | null;
  readonly totals: TotalsRow & { readonly sessions: number; readonly unanswered: number };
  readonly funnel: Readonly<Funnel>;
  /** Each week of the span, the first first. */
  readonly weeks: readonly (TotalsRow & { readonly from: string })[];
  /** Most used first; entries of the catalog without any event are in it. */
  readonly entries: readonly EntryRow[];
  readonly clients: readonly GroupRow[];
  readonly repos: readonly GroupRow[];
  readonly tags: readonly GroupRow[];
  readonly sources: readonly GroupRow[];
  readonly owners: readonly GroupRow[];
  /** What people asked for in vain, most asked for first. */
  readonly unanswered: readonly UnansweredRow[];
}

/** What is counted of a stretch of time, a client or a repository. */
export interface TotalsRow {
  readonly events: number;
  readonly searches: number;
  /** Searches that listed nothing. */
  readonly empty: number;
  readonly schemaReads: number;
  /** Executes, prompts and resources that reached an entry; see `isUse`. */
  readonly uses: number;
  /** Uses that failed. */
  readonly failures: number;
  readonly tokens: number;
  /** 0 where the store does not know people. */
  readonly users: number;
}

export interface EntryRow {
  readonly entry: string;
  /** The id to call it by: bare where it wins its bare id. */
  readonly id: string;
  /** Its repository, where it is a workspace's. */
  readonly repo: string | null;
  readonly kind: 'playbook' | 'tool' | null;
  readonly name: string;
  readonly source: string | null;
  readonly owner: string | null;
  readonly tags: readonly string[];
  /** Null where the catalog does not have it (any more). */
  readonly status: Entry['status'] | null;
  /** False for what comes with the package, own skills, and what the catalog does not have. */
  readonly isOurs: boolean;
  readonly shown: number;
  readonly meanRank: number | null;
  /** How often it was taken from lists, and how often its places in them promised; see `choicesOf`. */
  readonly chosen: number;
  readonly expected: number;
  readonly schemaReads: number;
  readonly uses: number;
  readonly users: number;
  readonly sessions: number;
  readonly failures: number;
  readonly errors: Readonly<Record<string, number>>;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly tokens: number;
  readonly availableSince: string | null;
  readonly firstUse: string | null;
  readonly lastUse: string | null;
  /** Uses in each of `UsageSummary.weeks`. */
  readonly weeks: readonly number[];
  /** Queries that led to it, most often first; at most 5. */
  readonly queries: readonly { readonly query: string; readonly uses: number }[];
}

/** Entries, or calls, that have something in common. */
export interface GroupRow {
  readonly name: string;
  /** Entries of it; null for clients and repositories. */
  readonly entries: number | null;
  /** Of those, entries that were used. */
  readonly usedEntries: number | null;
  readonly searches: number | null;
  readonly uses: number;
  readonly users: number;
  readonly failures: number;
  readonly tokens: number;
}

export interface UnansweredRow {
  readonly query: string;
  /** Other wordings; at most 5. */
  readonly alike: readonly string[];
  readonly searches: number;
  readonly answered: number;
  /** Of those without an answer: that listed nothing. */
  readonly empty: number;
  /** People where they are known, else sessions. */
  readonly askedBy: number;
  readonly days: number;
  readonly last: string;
}
