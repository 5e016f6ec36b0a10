import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { LearnedPair } from '../search/learned.ts';
import { HASHED } from './call-record.ts';
import type { UsageDatabase } from './connect.ts';
import { DAY_MS } from './day.ts';
import type { UsagePlace } from './place.ts';
import { readTexts } from './read-page.ts';
import { findTexts } from './texts.ts';
import { usageKey } from './usage-key.ts';

/** What was used so long ago may be done in another way now. */
const LEARNED_DAYS = 180;
/** The latest events that are looked at: reading them takes a second or two. */
const MOST_EVENTS = 500_000;
/** SQLite's calls cannot be broken off, and the end of a process waits for the one that runs. */
const EVENTS_AT_ONCE = 5_000;
/** Queries of one entry: one caller's thousands of them must not take the place of everybody else's. */
const MOST_OF_ENTRY = 1_000;
/** Pairs in all: some 3 MB, and .3 ms of a search. With 50,000 it is .9. */
const MOST_PAIRS = 20_000;
const TEXTS_AT_ONCE = 2_000;

/** Which pairs are read. */
export interface PairsOptions {
  readonly kind: UsagePlace['kind'];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Asked now and then: whether nobody waits for them any more. */
  readonly isEnded?: () => boolean;
  /** For tests; 20,000 by default. */
  readonly mostPairs?: number;
  /** For tests; 1,000 by default. */
  readonly mostOfEntry?: number;
  /** For tests; 5,000 by default. */
  readonly eventsAtOnce?: number;
}

/**
 * The queries that led to an execute which succeeded, with its entry by `usageKey`: what most callers did first, then what was done last.
 * A caller is a person where the store tells them apart, else a session, and counts once however often they did it. Ids are as events have
 * them: logs of other programs may name a playbook by its bare id. [] where it was ended.
 */
export async function readLearnedPairs(
  database: UsageDatabase,
  options: PairsOptions,
): Promise<readonly LearnedPair[]> {
  const { kind, mostPairs = MOST_PAIRS, mostOfEntry = MOST_OF_ENTRY, isEnded = () => false } = options;
  const pairs = mostUsed(await readUses(database, options), mostOfEntry).slice(0, mostPairs);
  const ids = new Set(
    pairs.flatMap(({ query, entry, repo }) => (repo === null ? [query, entry] : [query, entry, repo])),
  );
  const texts = new Map<number, string>();
  for (const some of inParts([...ids], TEXTS_AT_ONCE)) {
    if (isEnded()) return [];
    for (const [id, text] of await readTexts(database, kind, some)) texts.set(id, text);
    await nextTurn();
  }
  return pairs.flatMap(({ query, entry, repo, callers, callersOfEntry }) => {
    const [words, id] = [texts.get(query), texts.get(entry)];
    // Gone since, or kept as a hash.
    if (words === undefined || id === undefined || HASHED.test(words)) return [];
    const place = { entry: id, source: repo === null ? '' : 'workspace', repo: texts.get(repo ?? 0) ?? null };
    return [{ query: words, key: usageKey(place), callers: callers.size, callersOfEntry: callersOfEntry.size }];
  });
}

interface UseRow {
  readonly query: number;
  readonly entry: number;
  /** Of a workspace's playbook; null for all others. */
  readonly repo: number | null;
  readonly caller: number;
  readonly latest: number;
}

/** A query and an entry, by the ids of their texts. */
interface Pair extends Omit<UseRow, 'caller' | 'latest'> {
  readonly callers: Set<number>;
  /** The same set in all pairs of the entry. */
  readonly callersOfEntry: Set<number>;
  latest: number;
}

async function readUses(
  database: UsageDatabase,
  { kind, now, isEnded = () => false, eventsAtOnce = EVENTS_AT_ONCE }: PairsOptions,
): Promise<readonly Pair[]> {
  const words = await findTexts(database, kind, ['execute', 'ok', 'workspace']);
  const [operation, outcome] = [words.get('execute')?.id, words.get('ok')?.id];
  // Nothing was executed ever.
  if (operation === undefined || outcome === undefined) return [];
  const pairs = new Map<string, Pair>();
  const callersOf = new Map<string, Set<number>>();
  let from: number | undefined = Math.max(now - LEARNED_DAYS * DAY_MS, await timeOfLatest(database, MOST_EVENTS));
  while (from !== undefined && !isEnded()) {
    const end: number | undefined = await endOfPart(database, from, eventsAtOnce);
    const { rows } = await sql<UseRow>`select query, entry, repo, caller, max(time) as latest from (
        select query, entry, case when source = ${words.get('workspace')?.id ?? 0} then repo end as repo,
          coalesce(user_name, session) as caller, time
        from usage_coded_events
        where time >= ${from} ${end === undefined ? sql`` : sql`and time < ${end}`} and operation = ${operation}
          and outcome = ${outcome} and query is not null and entry is not null
      ) as used where caller is not null group by query, entry, repo, caller`.execute(database);
    for (const row of rows) addUse(row, pairs, callersOf);
    from = end;
    await nextTurn();
  }
  return [...pairs.values()];
}

function addUse(
  { query, entry, repo, caller, latest }: UseRow,
  pairs: Map<string, Pair>,
  callersOf: Map<string, Set<number>>,
): void {
  const key = `${entry} ${repo ?? ''}`;
  const callersOfEntry = callersOf.get(key) ?? new Set();
  callersOf.set(key, callersOfEntry.add(caller));
  const known = pairs.get(`${query} ${key}`) ?? { query, entry, repo, callers: new Set(), callersOfEntry, latest };
  known.callers.add(caller);
  known.latest = Math.max(known.latest, latest);
  pairs.set(`${query} ${key}`, known);
}

/** The time of the event before which there are so many later ones; 0 where there are not. */
async function timeOfLatest(database: UsageDatabase, count: number): Promise<number> {
  const { rows } = await sql<{ readonly time: number }>`select time from usage_coded_events
    order by time desc, id desc limit 1 offset ${count}`.execute(database);
  return rows[0]?.time ?? 0;
}

/** Where the events from a time on are parted, so many behind it; undefined where there are no more. */
async function endOfPart(database: UsageDatabase, from: number, count: number): Promise<number | undefined> {
  const { rows } = await sql<{ readonly time: number }>`select time from usage_coded_events
    where time >= ${from} order by time, id limit 1 offset ${count}`.execute(database);
  const [next] = rows;
  // Of an import, all may have one time.
  return next === undefined ? undefined : Math.max(next.time, from + 1);
}

function mostUsed(pairs: readonly Pair[], mostOfEntry: number): readonly Pair[] {
  const counts = new Map<Set<number>, number>();
  return pairs.toSorted(byCallers).filter(({ callersOfEntry }) => {
    const count = (counts.get(callersOfEntry) ?? 0) + 1;
    counts.set(callersOfEntry, count);
    return count <= mostOfEntry;
  });
}

function byCallers(a: Pair, b: Pair): number {
  return b.callers.size - a.callers.size || b.latest - a.latest || a.query - b.query || a.entry - b.entry;
}

function inParts<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  );
}
