import { randomUUID } from 'node:crypto';

/** A stateless client that comes back later than this begins another piece of work. */
const IDLE_MS = 30 * 60_000;
const MOST_SESSIONS = 10_000;
const MOST_SHOWN = 2_000;

/** Where a search had an entry. */
interface Finding {
  /** 1-based. */
  readonly rank: number;
  readonly query: string | null;
}

/** The calls of one piece of work, so that an execute knows the search that led to it. */
export class UsageSession {
  readonly id: string;
  /** By qualified id; the latest search that listed the entry counts. */
  readonly #findings = new Map<string, Finding>();

  constructor(id: string = randomUUID()) {
    this.id = id;
  }

  /** Notes what a search listed. @param first 1-based rank of the first of them */
  noteShown(
    shown: readonly string[],
    { query, first }: { readonly query: string | null; readonly first: number },
  ): void {
    for (const [index, entry] of shown.entries()) {
      this.#findings.delete(entry);
      this.#findings.set(entry, { rank: first + index, query });
    }
    for (const entry of this.#findings.keys()) {
      if (this.#findings.size <= MOST_SHOWN) break;
      this.#findings.delete(entry);
    }
  }

  /** The latest search that listed the entry; undefined where none did. */
  findingOf(entry: string): Finding | undefined {
    return this.#findings.get(entry);
  }
}

/** Sessions of callers that have no connection: calls of one caller with less than 30 minutes between them. */
export class UsageSessions {
  readonly #newId: ((caller: string, time: number) => string) | undefined;
  readonly #sessions = new Map<string, { readonly session: UsageSession; readonly until: number }>();

  /** @param newId where ids must not be random. */
  constructor(newId?: (caller: string, time: number) => string) {
    this.#newId = newId;
  }

  /** The session that a call at this time belongs to, milliseconds since 1970. */
  at(caller: string, time: number): UsageSession {
    const known = this.#sessions.get(caller);
    const isOn = known !== undefined && time < known.until;
    const session = isOn ? known.session : new UsageSession(this.#newId?.(caller, time));
    // The one used last is the last in the map's order.
    this.#sessions.delete(caller);
    this.#sessions.set(caller, { session, until: time + IDLE_MS });
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MOST_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    return session;
  }
}
