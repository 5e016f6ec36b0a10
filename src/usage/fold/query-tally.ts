import { tokenize } from '../../search/tokenize.ts';
import { SmallMap } from './small-map.ts';
import type { EntryTally } from './tally.ts';

/** How often what happened to an entry; undefined for nothing. */
type Counts = SmallMap<EntryTally, number> | undefined;

/** One list that a search answered with, and what agents took from it. Of agents that never take anything, only the searches are counted. */
export interface Listing {
  /** Best first. */
  readonly shown: readonly EntryTally[];
  /** All that it answered, and when the last of them came. */
  searches: number;
  lastAt: number;
  /** Searches after which nothing was taken from it. */
  unchosen: number;
  /** Searches after which an entry was taken from it. */
  chosen: Counts;
  /** Searches by the 1-based rank of the last that was taken; index 0 is not used. */
  depths: readonly number[];
}

/** Everything that is counted of one query, whoever asked it. */
export interface QueryTally {
  /** As it was asked first; null for searches without words, or where words are not kept. */
  readonly text: string | null;
  searches: number;
  /** Searches that listed nothing. */
  empty: number;
  /** Searches after which the session used nothing of what it found, in these or like words; the empty ones included. */
  unanswered: number;
  answered: number;
  /** Days, people and sessions (their numbers) of the unanswered ones. */
  unansweredDays: readonly number[] | undefined;
  unansweredBy: readonly number[] | undefined;
  firstAt: number;
  lastAt: number;
  /** By the list, which is one for all searches that were answered alike. */
  readonly listings: SmallMap<readonly EntryTally[], Listing>;
  latest: Listing | undefined;
  /** Uses to which it led. */
  led: Counts;
  /** Uses to which it led, as the events say, in a session that did not search for it. */
  late: Counts;
  terms: readonly string[] | undefined;
}

/** More people and days than this are told as so many: a set of all of them for each of a million queries does not fit. */
const MOST_REMEMBERED = 32;

/** Of every listing from which nothing was taken, so that it has no list of its own. */
const NO_DEPTHS: readonly number[] = [];

/** One search of a session, until the session is over. */
export interface Episode {
  readonly query: QueryTally;
  /** Undefined where the event does not say what was listed. */
  readonly listing: Listing | undefined;
  readonly isEmpty: boolean;
  readonly day: number;
  /** Who asked; null where that is unknown. */
  readonly user: number | null;
  /** Each once; undefined for none, as after most searches. */
  chosen: EntryTally[] | undefined;
  /** 1-based rank of the last entry that was taken; 0 for none. */
  deepest: number;
  /** Taken in other words later in the session. */
  isAskedAgain: boolean;
}

export function newQueryTally(text: string | null, time: number): QueryTally {
  return {
    text,
    searches: 0,
    empty: 0,
    unanswered: 0,
    answered: 0,
    unansweredDays: undefined,
    unansweredBy: undefined,
    firstAt: time,
    lastAt: time,
    listings: new SmallMap(),
    latest: undefined,
    led: undefined,
    late: undefined,
    terms: undefined,
  };
}

/** The listing of a query with exactly these entries. */
export function listingOf(query: QueryTally, shown: readonly EntryTally[]): Listing {
  const { latest } = query;
  // An index that has not changed answers as before.
  if (latest?.shown === shown) return latest;
  const listing = query.listings.get(shown) ?? newListing(shown);
  query.listings.set(shown, listing);
  query.latest = listing;
  return listing;
}

function newListing(shown: readonly EntryTally[]): Listing {
  return { shown, searches: 0, lastAt: 0, unchosen: 0, chosen: undefined, depths: NO_DEPTHS };
}

/** Adds to the counts, which are made where there are none. */
export function addTo(counts: Counts, entry: EntryTally, count: number): Counts {
  if (counts === undefined) return new SmallMap<EntryTally, number>().set(entry, count);
  return counts.set(entry, (counts.get(entry) ?? 0) + count);
}

/** The terms of a query, found when they are first asked for. */
export function termsOf(query: QueryTally): readonly string[] {
  query.terms ??= query.text === null ? [] : [...new Set(tokenize(query.text))];
  return query.terms;
}

/** Whether two queries have a word in common. */
export function isRelated(a: QueryTally, b: QueryTally): boolean {
  if (a === b) return true;
  const terms = termsOf(b);
  return termsOf(a).some((term) => terms.includes(term));
}

/** Counts a search whose session is over, by an agent that uses what it finds. */
export function countEpisode(episode: Episode, session: number): void {
  const { query, listing, chosen, deepest } = episode;
  if (chosen !== undefined) query.answered += 1;
  else if (!episode.isAskedAgain || episode.isEmpty) countUnanswered(episode, session);
  if (listing === undefined || listing.shown.length === 0) return;
  if (chosen === undefined) listing.unchosen += 1;
  else for (const entry of chosen) listing.chosen = addTo(listing.chosen, entry, 1);
  if (deepest > 0) countDepth(listing, deepest, 1);
}

/** Counts a search that led to nothing. */
export function countUnanswered({ query, day, user }: Episode, session: number): void {
  query.unanswered += 1;
  query.unansweredDays = remembering(query.unansweredDays, day);
  query.unansweredBy = remembering(query.unansweredBy, user ?? session);
}

/** Lists of exactly so many numbers: what grows by itself has room for 17 as soon as it has one. */
function countDepth(listing: Listing, rank: number, count: number): void {
  const { depths } = listing;
  listing.depths =
    rank < depths.length
      ? depths.with(rank, (depths[rank] ?? 0) + count)
      : [...depths, ...Array<number>(rank - depths.length).fill(0), count];
}

function remembering(known: readonly number[] | undefined, value: number): readonly number[] {
  if (known === undefined) return [value];
  return known.length >= MOST_REMEMBERED || known.includes(value) ? known : [...known, value];
}

/** Takes back that searches led to nothing whose entry was used after their session had been taken for over. Once, when all is counted. */
export function settleLateUses(query: QueryTally): void {
  for (const [entry, uses] of query.late ?? []) {
    const count = Math.min(uses, query.unanswered);
    if (count === 0) continue;
    query.unanswered -= count;
    query.answered += count;
    const { latest } = query;
    const rank = (latest?.shown.indexOf(entry) ?? -1) + 1;
    if (latest === undefined || rank === 0) continue;
    const taken = Math.min(count, latest.unchosen);
    latest.unchosen -= taken;
    latest.chosen = addTo(latest.chosen, entry, taken);
    countDepth(latest, rank, taken);
  }
}
