import type { SeenEntry, StepReport, UsageEvent } from './event.ts';

/** The tables of a store, the same in SQLite and PostgreSQL. `user` is a reserved word, hence `user_name`. */
export interface UsageTables {
  readonly usage_events: EventRow;
  readonly usage_entries: EntryRow;
  readonly usage_reports: ReportRow;
  readonly usage_meta: MetaRow;
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

/** Each property by name: a million objects that are made by a spread are slow to make and to read. */
export function toEvent(row: EventRow): UsageEvent {
  return {
    id: row.id,
    time: row.time,
    session: row.session,
    client: row.client,
    user: row.user_name,
    repo: row.repo,
    operation: row.operation,
    entry: row.entry,
    kind: row.kind,
    source: row.source,
    digest: row.digest,
    outcome: row.outcome,
    code: row.code,
    ms: row.ms,
    tokens: row.tokens,
    rank: row.rank,
    query: row.query,
    shown: row.shown === null ? null : toIds(row.shown),
    trace: row.trace,
  };
}

export function toReportRow({ user, ...rest }: StepReport): ReportRow {
  return { ...rest, user_name: user };
}

export function toReport({ user_name: user, ...rest }: ReportRow): StepReport {
  return { ...rest, user };
}

/** Ids as we wrote them; [] for what a person has written by hand. */
function toIds(json: string): string[] {
  const value: unknown = JSON.parse(json);
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
}
