import type { SeenEntry, StepReport, UsageEvent } from './event.ts';

/** The tables of a store, the same in SQLite and PostgreSQL. `user` is a reserved word, hence `user_name`. */
export interface UsageTables {
  readonly usage_events: EventRow;
  readonly usage_entries: EntryRow;
  readonly usage_reports: ReportRow;
  readonly usage_meta: MetaRow;
  /** Of `SharedState`; not part of what is recorded. */
  readonly playbook_shared: SharedRow;
}

interface SharedRow {
  readonly key: string;
  readonly value: string;
  readonly expires: number;
}

export interface EventRow extends Omit<UsageEvent, 'user' | 'shown'> {
  readonly user_name: string | null;
  /** JSON text of a list of ids. */
  readonly shown: string | null;
}

interface EntryRow extends Omit<SeenEntry, 'firstSeen' | 'lastSeen'> {
  /** See `usageKey`. */
  readonly key: string;
  readonly first_seen: number;
  readonly last_seen: number;
}

export interface ReportRow extends Omit<StepReport, 'user'> {
  readonly user_name: string | null;
}

interface MetaRow {
  /** `version` of the tables; `purged`, when what is too old was removed last. */
  readonly key: string;
  readonly value: number;
}

export function toEventRow({ user, shown, ...rest }: UsageEvent): EventRow {
  return { ...rest, user_name: user, shown: shown === null ? null : JSON.stringify(shown) };
}

/** The columns of an event, in the order in which they are read. */
export const EVENT_COLUMNS = [
  'id',
  'time',
  'session',
  'client',
  'user_name',
  'repo',
  'operation',
  'entry',
  'kind',
  'source',
  'digest',
  'outcome',
  'code',
  'ms',
  'tokens',
  'rank',
  'query',
  'shown',
  'trace',
] as const satisfies readonly (keyof EventRow)[];

/** The values of a row, in the order of `EVENT_COLUMNS`. */
export type EventValues = ValuesOf<typeof EVENT_COLUMNS>;

type ValuesOf<Columns extends readonly (keyof EventRow)[]> = {
  readonly [Place in keyof Columns]: EventRow[Columns[Place]];
};

/** Each property by name: a million objects that are made by a spread are slow to make and to read. */
export function toEvent(values: EventValues): UsageEvent {
  const [id, time, session, client, user, repo, operation, entry, kind, source, ...rest] = values;
  const [digest, outcome, code, ms, tokens, rank, query, shown, trace] = rest;
  return {
    id,
    time,
    session,
    client,
    user,
    repo,
    operation,
    entry,
    kind,
    source,
    digest,
    outcome,
    code,
    ms,
    tokens,
    rank,
    query,
    shown: shown === null ? null : toIds(shown),
    trace,
  };
}

export function toReportRow({ user, ...rest }: StepReport): ReportRow {
  return { ...rest, user_name: user };
}

export function toReport({ user_name: user, ...rest }: ReportRow): StepReport {
  return { ...rest, user };
}

/** Lists that were read last, each by its text. */
const knownLists = new Map<string, string[]>();
const MOST_KNOWN = 10_000;

/** Ids as we wrote them; [] for what a person has written by hand. What is asked again is mostly answered as before, with the same list here. */
function toIds(json: string): string[] {
  const known = knownLists.get(json);
  if (known !== undefined) return known;
  const value: unknown = JSON.parse(json);
  const ids = Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
  if (knownLists.size >= MOST_KNOWN) knownLists.clear();
  knownLists.set(json, ids);
  return ids;
}
