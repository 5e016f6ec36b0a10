import { dayOf } from '../day.ts';
import type { CodedEvent } from '../event.ts';
import { SmallMap } from './small-map.ts';
import { countEpisode, countUnanswered, type Episode, isRelated } from './query-tally.ts';
import { dayTally, type EntryTally, isFailure } from './tally.ts';

/**
 * Silence that ends a session. Connections live as long as an editor is open; what a person wanted in the morning does not explain
 * what is used in the evening. @see Catledge & Pitkow 1995, Characterizing browsing strategies (25.5 minutes; 30 since).
 */
const SILENCE_MS = 30 * 60_000;
/** A session with more searches than this is a program's; its first ones are settled before its end. */
const MOST_EPISODES = 64;
/** Open sessions are looked at once in so many events, or as many as they are: while what was counted of them is near at hand. */
const SWEEP_EVERY = 128;

/** Sessions, and how far each came on the way search → get_schema → execute. */
export interface Funnel {
  sessions: number;
  searched: number;
  /** Of those that searched. */
  readSchema: number;
  /** Of those that searched: used anything. */
  used: number;
  /** Sessions that used something without any search. */
  usedWithoutSearch: number;
}

/** A session that is over. */
export interface EndedSession {
  readonly client: string | null;
  /** Time of its first event, milliseconds since 1970. */
  readonly startedAt: number;
  readonly hasSearched: boolean;
  readonly hasReadSchema: boolean;
  readonly hasUsed: boolean;
}

interface Session extends EndedSession {
  readonly id: number;
  lastAt: number;
  hasSearched: boolean;
  hasReadSchema: boolean;
  hasUsed: boolean;
  /** Undefined for none: most sessions are short, and what is not made for them is much of what is made at all. */
  episodes: Episode[] | undefined;
  readonly actor: Actor;
  /** Entries that it used; undefined for none. */
  used: SmallMap<EntryTally, Use> | undefined;
}

/** On what day it first used an entry, and whether any use failed. A day is kept in its place; a time would be an object of its own. */
interface Use {
  readonly day: number;
  hasFailed: boolean;
}

/**
 * A client of one person. Whoever never uses anything (an indexer, a monitor, a person trying the search) does not tell by not
 * using an entry that it is a bad one; so its searches wait until it uses something.
 */
interface Actor {
  hasUsed: boolean;
  readonly waiting: { readonly episode: Episode; readonly session: number }[];
}

/** Puts calls together to sessions, in one pass. */
export class Sessions {
  readonly funnel: Funnel = { sessions: 0, searched: 0, readSchema: 0, used: 0, usedWithoutSearch: 0 };
  /** Places of open sessions in `#sessions`. A map that held them would keep those that have ended alive, in its old tables. */
  readonly #open = new Map<number, number>();
  readonly #sessions: (Session | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #onEnd: (session: EndedSession) => void;
  /** In the order in which they came. */
  readonly #actors: Actor[] = [];
  readonly #actorsByClient = new Map<string | null, Map<number | null, Actor>>();
  #sinceSweep = 0;

  constructor(onEnd: (session: EndedSession) => void = () => undefined) {
    this.#onEnd = onEnd;
  }

  /** The session that an event belongs to. */
  at(event: CodedEvent): Session {
    this.#sinceSweep += 1;
    if (this.#sinceSweep >= Math.max(SWEEP_EVERY, this.#open.size)) this.#sweep(event.time);
    const id = event.session;
    const place = this.#open.get(id);
    const known = place === undefined ? undefined : this.#sessions[place];
    if (known !== undefined && event.time - known.lastAt <= SILENCE_MS) {
      known.lastAt = event.time;
      return known;
    }
    if (known !== undefined) this.#end(known);
    const opened: Session = {
      id,
      client: event.client,
      startedAt: event.time,
      lastAt: event.time,
      hasSearched: false,
      hasReadSchema: false,
      hasUsed: false,
      episodes: undefined,
      actor: this.#actorOf(event),
      used: undefined,
    };
    const at = place ?? this.#free.pop() ?? this.#sessions.length;
    this.#sessions[at] = opened;
    if (place === undefined) this.#open.set(id, at);
    return opened;
  }

  addSearch(session: Session, episode: Episode): void {
    session.hasSearched = true;
    if (session.episodes === undefined) {
      // A list that begins with what is in it has no room for sixteen more.
      session.episodes = [episode];
      return;
    }
    session.episodes.push(episode);
    if (session.episodes.length > MOST_EPISODES) this.#settle(session, session.episodes.splice(0, MOST_EPISODES / 2));
  }

  /** Counts a use, and gives the search that led to it; undefined where none of the session did. */
  addUse(session: Session, entry: EntryTally, event: CodedEvent): Episode | undefined {
    session.hasUsed = true;
    session.used ??= new SmallMap<EntryTally, Use>();
    const use = session.used.get(entry);
    if (use === undefined) session.used.set(entry, { day: dayOf(event.time), hasFailed: isFailure(event) });
    else use.hasFailed ||= isFailure(event);
    this.#wake(session.actor);
    return this.addChoice(session, entry);
  }

  /** Counts that an entry was taken, used or not, and gives the search that led to it; undefined where none of the session did. */
  addChoice(session: Session, entry: EntryTally): Episode | undefined {
    const episode = session.episodes?.findLast(({ listing }) => listing?.shown.includes(entry) === true);
    if (episode === undefined) return undefined;
    if (episode.chosen === undefined) episode.chosen = [entry];
    else if (!episode.chosen.includes(entry)) episode.chosen.push(entry);
    episode.deepest = Math.max(episode.deepest, (episode.listing?.shown.indexOf(entry) ?? -1) + 1);
    return episode;
  }

  /** Ends every session. Whoever has used nothing by now is silent: only what found nothing at all counts. */
  close(): void {
    for (const place of this.#open.values()) {
      const session = this.#sessions[place];
      if (session !== undefined) this.#end(session);
    }
    this.#open.clear();
    for (const { waiting } of this.#actors) {
      for (const { episode, session } of waiting) if (episode.isEmpty) countUnanswered(episode, session);
    }
  }

  #actorOf({ client, user }: CodedEvent): Actor {
    const ofClient = this.#actorsByClient.get(client) ?? new Map<number | null, Actor>();
    const known = ofClient.get(user);
    if (known !== undefined) return known;
    const actor: Actor = { hasUsed: false, waiting: [] };
    this.#actors.push(actor);
    this.#actorsByClient.set(client, ofClient.set(user, actor));
    return actor;
  }

  #wake(actor: Actor): void {
    if (actor.hasUsed) return;
    actor.hasUsed = true;
    for (const { episode, session } of actor.waiting.splice(0)) countEpisode(episode, session);
  }

  #sweep(now: number): void {
    this.#sinceSweep = 0;
    this.#open.forEach((place, id) => {
      const session = this.#sessions[place];
      if (session === undefined || now - session.lastAt <= SILENCE_MS) return;
      this.#open.delete(id);
      this.#sessions[place] = undefined;
      this.#free.push(place);
      this.#end(session);
    });
  }

  #end(session: Session): void {
    if (session.episodes !== undefined) this.#settle(session, session.episodes);
    this.#onEnd(session);
    this.funnel.sessions += 1;
    if (session.hasSearched) {
      this.funnel.searched += 1;
      if (session.hasReadSchema) this.funnel.readSchema += 1;
      if (session.hasUsed) this.funnel.used += 1;
    } else if (session.hasUsed) this.funnel.usedWithoutSearch += 1;
    session.used?.forEach(countSession);
  }

  #settle({ id, actor }: Session, episodes: readonly Episode[]): void {
    for (let at = 0; at < episodes.length; at += 1) {
      const episode = episodes[at];
      if (episode === undefined) continue;
      if (episode.chosen === undefined) episode.isAskedAgain = isAskedAgain(episode, episodes, at + 1);
      if (actor.hasUsed) countEpisode(episode, id);
      else actor.waiting.push({ episode, session: id });
    }
  }
}

function countSession({ day, hasFailed }: Use, entry: EntryTally): void {
  entry.sessions += 1;
  const ofDay = dayTally(entry, day);
  ofDay.sessions += 1;
  if (hasFailed) ofDay.failedSessions += 1;
}

function isAskedAgain({ query }: Episode, episodes: readonly Episode[], from: number): boolean {
  for (let at = from; at < episodes.length; at += 1) {
    const later = episodes[at];
    if (later?.chosen !== undefined && isRelated(later.query, query)) return true;
  }
  return false;
}
