import type { GeneratedAlways } from 'kysely';
import type { SeenEntry, StepReport, UsageEvent } from './event.ts';
import type { UsagePlace } from './place.ts';

/** The tables of a store, the same in SQLite and PostgreSQL. `user` is a reserved word, hence `user_name`. */
export interface UsageTables {
  readonly usage_coded_events: CodedRow;
  readonly usage_texts: TextRow;
  /** A view: the events with their texts. */
  readonly usage_events: EventRow;
  /** In SQLite. */
  readonly usage_pages: PageRow;
  readonly usage_entries: EntryRow;
  readonly usage_reports: ReportRow;
  readonly usage_meta: MetaRow;
  /** Of `SharedState`; not part of what is recorded. */
  readonly playbook_shared: SharedRow;
}

/** The words of a database for the types of columns, and what ends the definition of a table that is kept in the order of its key. */
export function wordsOf(kind: UsagePlace['kind']): Readonly<Record<'integer' | 'real' | 'end', string>> {
  return kind === 'sqlite'
    ? { integer: 'integer', real: 'real', end: 'strict, without rowid' }
    : { integer: 'bigint', real: 'double precision', end: '' };
}

interface SharedRow {
  readonly key: string;
  readonly value: string;
  readonly expires: number;
}

/** Each text of events once: a few hundred of them make up most of a million events. */
interface TextRow {
  /** Never given twice, so that what was read under it stays true. */
  readonly id: GeneratedAlways<number>;
  readonly text: string;
  /** The last day (see `dayOf`) on which an event has it: it goes with that event. */
  readonly day: number;
}

/** The columns of an event that hold a text of `usage_texts`. */
export const TEXT_COLUMNS = [
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
  'query',
  'shown',
] as const satisfies readonly (keyof EventRow)[];

export type TextColumn = (typeof TEXT_COLUMNS)[number];

/** An event with the ids of its texts; null for null, and for a session that is not known (''). */
export type CodedRow = Omit<EventRow, TextColumn> & Readonly<Record<TextColumn, number | null>>;

export interface EventRow extends Omit<UsageEvent, 'user' | 'shown'> {
  readonly user_name: string | null;
  /** JSON text of a list of ids. */
  readonly shown: string | null;
}

/** All events behind one place up to another, as they are counted: see `packed-pages.ts`. */
interface PageRow {
  readonly start_time: number;
  readonly start_id: string;
  readonly end_time: number;
  readonly end_id: string;
  /** See `packPage`. */
  readonly events: Uint8Array;
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

/** Each property by name, as below: a spread takes longer than all else that is done for an event before it is written. */
export function toEventRow(event: UsageEvent): EventRow {
  return {
    id: event.id,
    time: event.time,
    session: event.session,
    client: event.client,
    user_name: event.user,
    repo: event.repo,
    operation: event.operation,
    entry: event.entry,
    kind: event.kind,
    source: event.source,
    digest: event.digest,
    outcome: event.outcome,
    code: event.code,
    ms: event.ms,
    tokens: event.tokens,
    rank: event.rank,
    query: event.query,
    shown: event.shown === null ? null : JSON.stringify(event.shown),
    trace: event.trace,
  };
}

/** @param codeOf the id of a text. */
export function toCodedRow(row: EventRow, codeOf: (text: string) => number): CodedRow {
  const code = (text: string | null): number | null => (text === null ? null : codeOf(text));
  return {
    time: row.time,
    id: row.id,
    session: row.session === '' ? null : codeOf(row.session),
    client: code(row.client),
    user_name: code(row.user_name),
    repo: code(row.repo),
    operation: code(row.operation),
    entry: code(row.entry),
    kind: code(row.kind),
    source: code(row.source),
    digest: code(row.digest),
    outcome: code(row.outcome),
    code: code(row.code),
    ms: row.ms,
    tokens: row.tokens,
    rank: row.rank,
    query: code(row.query),
    shown: code(row.shown),
    trace: row.trace,
  };
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
export type EventValues = ValuesOf<EventRow, typeof EVENT_COLUMNS>;

/** What is counted of an event beside its texts. */
export const NUMBER_COLUMNS = ['time', 'ms', 'tokens'] as const satisfies readonly (keyof CodedRow)[];

/** What is counted of an event, in the order in which it is read. */
export const COUNTED_COLUMNS = [...NUMBER_COLUMNS, ...TEXT_COLUMNS] as const;

/** The values of a row, in the order of `COUNTED_COLUMNS`. */
export type CountedValues = ValuesOf<CodedRow, typeof COUNTED_COLUMNS>;

type ValuesOf<Row, Columns extends readonly (keyof Row)[]> = {
  readonly [Place in keyof Columns]: Row[Columns[Place]];
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

/** Ids as we wrote them; [] for what a person has written by hand. */
export function toIds(json: string): string[] {
  const value: unknown = JSON.parse(json);
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
}
