import type { CodedEvent } from '../event.ts';
import { Latencies } from './latencies.ts';
import { dayOf } from '../day.ts';

/** What an entry saw on one day. */
export interface DayTally {
  uses: number;
  /** Sessions that used it, and those in which a use failed. */
  sessions: number;
  failedSessions: number;
}

/** Everything that is counted of one entry. Grows while events are folded; readers get it as `EntryUsage`. */
export interface EntryTally {
  /** See `usageKey`. */
  readonly key: string;
  /** Qualified id. */
  readonly entry: string;
  readonly repo: string | null;
  kind: CodedEvent['kind'];
  source: string | null;
  /** First and last event that names it; milliseconds since 1970. */
  firstAt: number;
  lastAt: number;
  firstUse: number | undefined;
  lastUse: number | undefined;
  /** Searches that listed it, and the sum of its 1-based ranks there. */
  shown: number;
  rankSum: number;
  schemaReads: number;
  executes: number;
  /** Prompts and resources. */
  reads: number;
  failures: number;
  readonly errors: Map<string, number>;
  /** Everybody who called it (numbers), with the time of the last use; 0 for one who only read about it. */
  readonly users: Map<number, number>;
  sessions: number;
  readonly latencies: Latencies;
  tokens: number;
  readonly days: Map<number, DayTally>;
  /** The one that was counted in last, and its day: most events are of the day of the one before. */
  latestDay: number;
  ofLatestDay: DayTally | undefined;
  /** When each text of it was first met. */
  readonly digests: Map<string, number>;
  latestDigest: string | null;
}

/** Versions of one entry whose beginning is remembered; a file that changes with every call needs no more. */
const MOST_DIGESTS = 64;

/**
 * Errors of the caller, the person or the moment, which say nothing against an entry. @see src/errors.ts
 */
const NOT_ITS_FAULT: ReadonlySet<string> = new Set([
  'catalog/unknown-id',
  'catalog/ambiguous-id',
  'catalog/unknown-section',
  'catalog/retired',
  'catalog/quarantined',
  'tools/unconfirmed',
  'tools/declined',
  'tools/cancelled',
  'tools/undeclared',
  'tools/unanswered',
  'tools/unauthorized',
  'workspace/not-allowed',
  'workspace/not-found',
]);

/** Errors of calls that reached no entry, or that come again once a person has agreed. Whoever calls what is retired wants it. */
const NO_USE: ReadonlySet<string> = new Set(['catalog/unknown-id', 'catalog/ambiguous-id', 'tools/unconfirmed']);

/** Whether an event, which is no search, used the entry that it names. */
export function isUse({ operation, outcome, code }: CodedEvent): boolean {
  return operation !== 'get_schema' && (outcome !== 'error' || code === null || !NO_USE.has(code));
}

/** Whether an event is a failure of the entry itself. */
export function isFailure({ outcome, code }: CodedEvent): boolean {
  return outcome === 'error' && (code === null || !NOT_ITS_FAULT.has(code));
}

export function newTally({ key, entry, repo }: Pick<EntryTally, 'key' | 'entry' | 'repo'>, time: number): EntryTally {
  // Each property by name: counting in objects that were made by a spread took 13 times as long.
  return {
    key,
    entry,
    repo,
    kind: null,
    source: null,
    firstAt: time,
    lastAt: time,
    firstUse: undefined,
    lastUse: undefined,
    shown: 0,
    rankSum: 0,
    schemaReads: 0,
    executes: 0,
    reads: 0,
    failures: 0,
    errors: new Map(),
    users: new Map(),
    sessions: 0,
    latencies: new Latencies(),
    tokens: 0,
    days: new Map(),
    latestDay: NaN,
    ofLatestDay: undefined,
    digests: new Map(),
    latestDigest: null,
  };
}

/** The day's tally of an entry, made where it is the first of the day. */
export function dayTally(tally: EntryTally, day: number): DayTally {
  if (tally.latestDay === day && tally.ofLatestDay !== undefined) return tally.ofLatestDay;
  const ofDay = tally.days.get(day) ?? { uses: 0, sessions: 0, failedSessions: 0 };
  tally.days.set(day, ofDay);
  tally.latestDay = day;
  tally.ofLatestDay = ofDay;
  return ofDay;
}

/** Counts one call that names the entry. */
export function countCall(tally: EntryTally, event: CodedEvent): void {
  const { time, operation, user, code, digest } = event;
  const hasUsed = isUse(event);
  tally.kind ??= event.kind;
  tally.source ??= event.source;
  tally.lastAt = Math.max(tally.lastAt, time);
  tally.tokens += event.tokens;
  if (user !== null && hasUsed) tally.users.set(user, time);
  else if (user !== null && !tally.users.has(user)) tally.users.set(user, 0);
  if (digest !== null && digest !== tally.latestDigest) meetDigest(tally, digest, time);
  if (event.outcome === 'error') tally.errors.set(code ?? 'unknown', (tally.errors.get(code ?? 'unknown') ?? 0) + 1);
  if (operation === 'get_schema') {
    tally.schemaReads += 1;
    return;
  }
  if (!hasUsed) return;
  if (operation === 'execute') tally.executes += 1;
  else tally.reads += 1;
  if (isFailure(event)) tally.failures += 1;
  tally.latencies.add(event.ms);
  tally.firstUse ??= time;
  tally.lastUse = Math.max(tally.lastUse ?? time, time);
  dayTally(tally, dayOf(time)).uses += 1;
}

function meetDigest(tally: EntryTally, digest: string, time: number): void {
  tally.latestDigest = digest;
  if (!tally.digests.has(digest) && tally.digests.size < MOST_DIGESTS) tally.digests.set(digest, time);
}

/** Counts that searches listed the entry at a rank. */
export function countShown(
  tally: EntryTally,
  rank: number,
  { searches, lastAt }: { readonly searches: number; readonly lastAt: number },
): void {
  tally.shown += searches;
  tally.rankSum += rank * searches;
  tally.lastAt = Math.max(tally.lastAt, lastAt);
}
