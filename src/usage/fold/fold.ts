import { dayOf } from '../day.ts';
import type { CodedEvent, UsageReader } from '../event.ts';
import { usageKey } from '../usage-key.ts';
import { addTo, listingOf, newQueryTally, type QueryTally, settleLateUses } from './query-tally.ts';
import { type EndedSession, type Funnel, Sessions } from './sessions.ts';
import { countCall, countShown, type EntryTally, isUse, newTally } from './tally.ts';
import { CallTotals, type Totals } from './call-totals.ts';

/** What one pass over the events leaves. */
export interface Folded {
  readonly totals: Totals;
  readonly funnel: Funnel;
  /** By `usageKey`; entries that are not in the catalog too. */
  readonly entries: ReadonlyMap<string, EntryTally>;
  readonly queries: readonly QueryTally[];
  /** By `dayOf`. */
  readonly days: ReadonlyMap<number, Totals>;
  /** By name; '' where it is unknown. */
  readonly clients: ReadonlyMap<string, Totals>;
  readonly repos: ReadonlyMap<string, Totals>;
  /** Time of the first and last event, milliseconds since 1970; undefined where there is none. */
  readonly span: { readonly first: number; readonly last: number } | undefined;
}

/** Told of every event while it is folded: who counts in another way does so in the same pass. */
export interface FoldObserver {
  /** @param listed What the search listed, best first. */
  readonly onSearch: (event: CodedEvent, listed: readonly EntryTally[]) => void;
  /** Any other call that names an entry. */
  readonly onCall: (event: CodedEvent, entry: EntryTally) => void;
  readonly onSession: (session: EndedSession) => void;
}

/** The qualified id of what an event names by another id, where the catalog knows; else the id itself. */
type Qualify = (id: string) => string;

export interface FoldOptions {
  /** Milliseconds since 1970, included; `until` is not. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** May come later than what is read. */
  readonly qualify?: Qualify | Promise<Qualify> | undefined;
  readonly observer?: FoldObserver | undefined;
}

/** Counts all that `stats`, `review` and the report tell, in one pass: a million events in about two seconds beside reading them. */
export async function foldUsage(reader: UsageReader, options: FoldOptions = {}): Promise<Folded> {
  const { since, until, observer } = options;
  const range = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
  const events = reader.codedEvents(range);
  const fold = new Fold(await options.qualify, observer);
  for await (const batch of events) fold.add(batch);
  return fold.end();
}

class Fold {
  readonly #qualify: Qualify;
  readonly #totals = new CallTotals();
  readonly #entries = new Map<string, EntryTally>();
  /** By id as the event has it, apart for each repository where it is a workspace's; null for all others. */
  readonly #byId = new Map<string | null, Map<string, EntryTally>>();
  readonly #queries = new Map<string | null, QueryTally>();
  /** By `queryNumber`. */
  readonly #byWording: QueryTally[] = [];
  /** By list; apart for each repository, null for all, where it has ids of a workspace. */
  readonly #byList = new Map<string | null, Map<readonly string[], readonly EntryTally[]>>();
  /** By the keys of its entries: lists may name the same entries by other ids. */
  readonly #lists = new Map<string, readonly EntryTally[]>();
  readonly #observer: FoldObserver | undefined;
  readonly #sessions: Sessions;
  #first: number | undefined;
  #last = 0;

  constructor(qualify: Qualify = (id) => id, observer?: FoldObserver) {
    this.#qualify = qualify;
    this.#observer = observer;
    this.#sessions = new Sessions((session) => observer?.onSession(session));
  }

  /** One kind of counting after the other: what each looks up stays near at hand meanwhile. */
  add(events: readonly CodedEvent[]): void {
    this.#first ??= events[0]?.time;
    this.#last = events.at(-1)?.time ?? this.#last;
    for (const event of events) this.#totals.add(event);
    for (const event of events) this.#add(event);
  }

  #add(event: CodedEvent): void {
    if (event.operation === 'search') return this.#addSearch(event);
    const session = this.#sessions.at(event);
    if (event.entry === null) return undefined;
    const entry = this.#tallyOf(event.entry, event);
    countCall(entry, event);
    this.#observer?.onCall(event, entry);
    if (event.operation === 'get_schema') {
      session.hasReadSchema = true;
      return undefined;
    }
    if (!isUse(event)) {
      this.#sessions.addChoice(session, entry);
      return undefined;
    }
    const episode = this.#sessions.addUse(session, entry, event);
    const query = episode?.query ?? (event.query === null ? undefined : this.#queryOf(event));
    if (query === undefined) return undefined;
    query.led = addTo(query.led, entry, 1);
    if (episode === undefined) query.late = addTo(query.late, entry, 1);
    return undefined;
  }

  end(): Folded {
    this.#sessions.close();
    this.#totals.close();
    for (const query of this.#queries.values()) {
      settleLateUses(query);
      // Once a list, not once a search: there are ten entries on each.
      query.listings.forEach((listing) => {
        let rank = 0;
        for (const entry of listing.shown) countShown(entry, (rank += 1), listing);
      });
    }
    return {
      totals: this.#totals.all,
      funnel: this.#sessions.funnel,
      entries: this.#entries,
      queries: [...this.#queries.values()],
      days: this.#totals.days,
      clients: this.#totals.clients,
      repos: this.#totals.repos,
      span: this.#first === undefined ? undefined : { first: this.#first, last: this.#last },
    };
  }

  #addSearch(event: CodedEvent): void {
    const { time, user } = event;
    const query = this.#queryOf(event);
    query.searches += 1;
    query.lastAt = time;
    const isEmpty = event.outcome === 'empty' || (event.shown?.length === 0 && event.outcome === 'ok');
    if (isEmpty) query.empty += 1;
    const shown = event.shown === null ? undefined : this.#talliesOf(event.shown, event);
    const listing = shown === undefined ? undefined : listingOf(query, shown);
    if (listing !== undefined) {
      listing.searches += 1;
      listing.lastAt = time;
    }
    this.#observer?.onSearch(event, shown ?? []);
    this.#sessions.addSearch(this.#sessions.at(event), {
      query,
      listing,
      isEmpty,
      day: dayOf(time),
      user,
      chosen: undefined,
      deepest: 0,
      isAskedAgain: false,
    });
  }

  #tallyOf(id: string, { repo, source, time }: CodedEvent): EntryTally {
    // What a search listed has no source beside it, but its id begins with it.
    const isLocal = repo !== null && (isOfWorkspace(id) || source === 'workspace');
    const of = isLocal ? repo : null;
    const byId = this.#byId.get(of) ?? new Map<string, EntryTally>();
    const known = byId.get(id);
    if (known !== undefined) return known;
    const entry = isLocal ? id : this.#qualify(id);
    const key = usageKey({ entry, source: isLocal ? 'workspace' : '', repo });
    const tally = this.#entries.get(key) ?? newTally({ key, entry, repo: isLocal ? repo : null }, time);
    this.#entries.set(key, tally);
    this.#byId.set(of, byId.set(id, tally));
    return tally;
  }

  /** Readers give the same list for the same text. What a list means depends on the repository, where it has ids of a workspace. */
  #talliesOf(shown: readonly string[], event: CodedEvent): readonly EntryTally[] {
    const known = this.#byList.get(null)?.get(shown) ?? this.#byList.get(event.repo ?? '')?.get(shown);
    if (known !== undefined) return known;
    const tallies = shown.map((id) => this.#tallyOf(id, event));
    const key = tallies.map((entry) => entry.key).join('\n');
    const list = this.#lists.get(key) ?? tallies;
    this.#lists.set(key, list);
    const repo = shown.some(isOfWorkspace) ? (event.repo ?? '') : null;
    const ofRepo = this.#byList.get(repo) ?? new Map<readonly string[], readonly EntryTally[]>();
    this.#byList.set(repo, ofRepo.set(shown, list));
    return list;
  }

  #queryOf({ query: text, queryNumber, time }: CodedEvent): QueryTally {
    const asWritten = this.#byWording[queryNumber];
    if (asWritten !== undefined) return asWritten;
    const query = this.#queryOfWords(text, time);
    this.#byWording[queryNumber] = query;
    return query;
  }

  #queryOfWords(text: string | null, time: number): QueryTally {
    const key = text === null ? null : withSingleSpaces(text.trim().toLowerCase());
    const known = this.#queries.get(key === '' ? null : key);
    if (known !== undefined) return known;
    const added = newQueryTally(key === '' ? null : text, time);
    this.#queries.set(key === '' ? null : key, added);
    return added;
  }
}

/** Most are so already; a replacement makes several objects, which V8 keeps for the next time. */
function withSingleSpaces(text: string): string {
  return /\s\s|[^\S ]/.test(text) ? text.replace(/\s+/g, ' ') : text;
}

function isOfWorkspace(id: string): boolean {
  return id.startsWith('workspace:');
}
