import type { CodedEvent } from '../event.ts';
import type { FoldObserver } from '../fold/fold.ts';
import type { EndedSession } from '../fold/sessions.ts';
import { dayOf } from '../day.ts';
import { type EntryTally, isFailure, isUse } from '../fold/tally.ts';
import type { ClientMeasure, EntryMeasure } from './data.ts';

/** Whoever names itself anew with each call does not fill the memory; such clients are one. */
const MOST_CLIENTS = 64;
/** The name under which all further clients are counted. */
export const OTHER_CLIENTS = 'others';

/** Day and count in turn, days ascending. */
type DayCounts = number[];

/** What is counted of one client. */
export interface ClientCounts {
  readonly name: string;
  events: number;
  readonly days: Readonly<Record<ClientMeasure, Map<number, number>>>;
  readonly entries: Readonly<Record<EntryMeasure, Map<EntryTally, DayCounts>>>;
  /** Searches by what they listed, best first, until `settle`. */
  readonly lists: Map<readonly EntryTally[], DayCounts>;
}

/** Counts by day, client and entry what the page of `report` filters, beside the fold. */
export class UsageCounter implements FoldObserver {
  readonly clients = new Map<string, ClientCounts>();
  readonly people = new Set<number>();
  readonly repositories = new Set<string>();
  /** Day of the first and last event that was counted. */
  first: number | undefined;
  last = 0;
  events = 0;
  /** Searches whose event tells what was asked. */
  queries = 0;
  readonly #since: number;

  /** @param since What came before is left out; milliseconds since 1970. */
  constructor(since = -Infinity) {
    this.#since = since;
  }

  onSearch(event: CodedEvent, listed: readonly EntryTally[]): void {
    if (event.time < this.#since) return;
    const client = this.#count(event);
    const day = dayOf(event.time);
    if (event.query !== null) this.queries += 1;
    add(client.days.searches, day);
    if (event.outcome === 'empty') add(client.days.empty, day);
    addDay(client.lists, listed, day);
  }

  /** Counts the entries of the lists, which is done once a list and day, not once a search. To be called when the fold is over. */
  settle(): void {
    for (const { lists, entries } of this.clients.values()) {
      for (const [entry, days] of daysOfEntries(lists)) {
        entries.shown.set(entry, [...days].sort(([a], [b]) => a - b).flat());
      }
      lists.clear();
    }
  }

  onCall(event: CodedEvent, entry: EntryTally): void {
    if (event.time < this.#since) return;
    const client = this.#count(event);
    if (!isUse(event)) return;
    const day = dayOf(event.time);
    addDay(client.entries.uses, entry, day);
    if (isFailure(event)) addDay(client.entries.failures, entry, day);
  }

  onSession({ client, startedAt, hasSearched, hasReadSchema, hasUsed }: EndedSession): void {
    if (startedAt < this.#since) return;
    const { days } = this.#client(client);
    const day = dayOf(startedAt);
    add(days.sessions, day);
    if (!hasSearched) return;
    add(days.searched, day);
    if (hasReadSchema) add(days.readSchema, day);
    if (hasUsed) add(days.used, day);
  }

  #count({ time, client, user, repo }: CodedEvent): ClientCounts {
    this.first ??= dayOf(time);
    this.last = dayOf(time);
    this.events += 1;
    if (user !== null) this.people.add(user);
    if (repo !== null) this.repositories.add(repo);
    const counts = this.#client(client);
    counts.events += 1;
    return counts;
  }

  #client(called: string | null): ClientCounts {
    const name = called ?? '';
    const known = this.clients.get(name);
    if (known !== undefined) return known;
    if (this.clients.size >= MOST_CLIENTS && name !== OTHER_CLIENTS) return this.#client(OTHER_CLIENTS);
    const counts = newClientCounts(name);
    this.clients.set(name, counts);
    return counts;
  }
}

export function newClientCounts(name: string): ClientCounts {
  const map = (): Map<number, number> => new Map();
  return {
    name,
    events: 0,
    days: {
      searches: map(),
      empty: map(),
      sessions: map(),
      searched: map(),
      readSchema: map(),
      used: map(),
    },
    entries: { uses: new Map(), failures: new Map(), shown: new Map() },
    lists: new Map(),
  };
}

function add(days: Map<number, number>, day: number): void {
  days.set(day, (days.get(day) ?? 0) + 1);
}

/** Events come in the order of time, so a day is the last one or a new one. */
function addDay<Key>(all: Map<Key, DayCounts>, key: Key, day: number): void {
  const counts = all.get(key);
  if (counts === undefined) all.set(key, [day, 1]);
  else if (counts[counts.length - 2] === day) counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1;
  else counts.push(day, 1);
}

function daysOfEntries(lists: ReadonlyMap<readonly EntryTally[], DayCounts>): Map<EntryTally, Map<number, number>> {
  const byEntry = new Map<EntryTally, Map<number, number>>();
  for (const [listed, counts] of lists) {
    for (const entry of listed) {
      const days = byEntry.get(entry) ?? new Map<number, number>();
      byEntry.set(entry, days);
      for (let at = 0; at < counts.length; at += 2) {
        const day = counts[at] ?? 0;
        days.set(day, (days.get(day) ?? 0) + (counts[at + 1] ?? 0));
      }
    }
  }
  return byEntry;
}
