import { dayOf } from '../day.ts';
import type { CodedEvent } from '../event.ts';
import { People, PeopleNumbers } from './people.ts';
import { isFailure, isUse } from './tally.ts';

/** What is counted of a day, a client or a repository. */
export interface Totals {
  events: number;
  searches: number;
  empty: number;
  schemaReads: number;
  /** Executes, prompts and resources, as `isUse` tells them; and those of them that failed. */
  uses: number;
  failures: number;
  tokens: number;
  /** Those who are known. */
  readonly users: People;
}

/**
 * Counts of all events, and by day, client and repository. An event is counted once, with those of its day, client and repository, and
 * these counts are added up when the day is over: looking people up in four large sets for each event took longer than all other counting.
 */
export class CallTotals {
  readonly all = newTotals();
  /** By `dayOf`. */
  readonly days = new Map<number, Totals>();
  /** By name; '' where it is unknown. */
  readonly clients = new Map<string, Totals>();
  readonly repos = new Map<string, Totals>();
  readonly #people = new PeopleNumbers();
  #day = NaN;
  /** Of that day, by client and repository. */
  #ofDay = new Map<string, Map<string, Totals>>();

  add(event: CodedEvent): void {
    const day = dayOf(event.time);
    if (day !== this.#day) this.#begin(day);
    const client = event.client ?? '';
    const ofClient = this.#ofDay.get(client) ?? new Map<string, Totals>();
    if (ofClient.size === 0) this.#ofDay.set(client, ofClient);
    const totals = totalsIn(ofClient, event.repo ?? '');
    count(totals, event);
    if (event.user !== null) totals.users.add(this.#people.of(event.user));
  }

  /** To be called behind the last event. */
  close(): void {
    this.#begin(NaN);
  }

  #begin(day: number): void {
    for (const [client, ofClient] of this.#ofDay) {
      for (const [repo, counted] of ofClient) {
        addUp(this.all, counted);
        addUp(totalsIn(this.days, this.#day), counted);
        addUp(totalsIn(this.clients, client), counted);
        addUp(totalsIn(this.repos, repo), counted);
      }
    }
    this.#day = day;
    this.#ofDay = new Map();
  }
}

function newTotals(): Totals {
  return {
    events: 0,
    searches: 0,
    empty: 0,
    schemaReads: 0,
    uses: 0,
    failures: 0,
    tokens: 0,
    users: new People(),
  };
}

function totalsIn<Key>(groups: Map<Key, Totals>, key: Key): Totals {
  const known = groups.get(key);
  if (known !== undefined) return known;
  const added = newTotals();
  groups.set(key, added);
  return added;
}

function count(totals: Totals, event: CodedEvent): void {
  totals.events += 1;
  totals.tokens += event.tokens;
  if (event.operation === 'search') {
    totals.searches += 1;
    if (event.outcome === 'empty') totals.empty += 1;
    return;
  }
  if (event.operation === 'get_schema') totals.schemaReads += 1;
  if (!isUse(event)) return;
  totals.uses += 1;
  if (isFailure(event)) totals.failures += 1;
}

function addUp(sum: Totals, counted: Totals): void {
  sum.events += counted.events;
  sum.searches += counted.searches;
  sum.empty += counted.empty;
  sum.schemaReads += counted.schemaReads;
  sum.uses += counted.uses;
  sum.failures += counted.failures;
  sum.tokens += counted.tokens;
  sum.users.addAll(counted.users);
}
