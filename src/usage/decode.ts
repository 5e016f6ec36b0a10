import { type CodedPage, IDS } from './coded-page.ts';
import { type CodedEvent, usageEvent } from './event.ts';
import { toIds } from './tables.ts';

const OPERATIONS = new Map<string, CodedEvent['operation']>(
  usageEvent.shape.operation.options.map((one) => [one, one]),
);
const OUTCOMES = new Map<string, CodedEvent['outcome']>(usageEvent.shape.outcome.options.map((one) => [one, one]));
const KINDS = new Map<string, CodedEvent['kind']>(usageEvent.shape.kind.unwrap().options.map((one) => [one, one]));

/** What a text means in the columns that have few. */
interface Word {
  readonly text: string | null;
  readonly operation: CodedEvent['operation'];
  readonly outcome: CodedEvent['outcome'];
  readonly kind: CodedEvent['kind'];
}

const NONE = toWord(null);

/** Puts texts in the place of their numbers. Each is one string in all events. */
export class EventDecoder {
  /** By number, which begins with 1. */
  #words = [NONE];
  #queries: (string | null)[] = [null];
  #lists: (readonly string[] | null)[] = [null];
  /** Queries that were numbered before the last `restart`. */
  #earlierQueries = 0;
  #unknownSessions = 0;

  /** To be called where the numbers begin anew. */
  restart(): void {
    this.#earlierQueries += this.#queries.length;
    this.#words = [NONE];
    this.#queries = [null];
    this.#lists = [null];
  }

  decode({ numbers, ids, texts }: CodedPage): readonly CodedEvent[] {
    for (const text of texts.word) this.#words.push(toWord(text));
    for (const text of texts.query) this.#queries.push(text);
    for (const text of texts.list) this.#lists.push(toIds(text ?? '[]'));
    const count = ids.length / IDS;
    const events: CodedEvent[] = [];
    for (let at = 0; at < count; at += 1) {
      const query = ids[at + 11 * count] ?? 0;
      events.push({
        // By name and column: a million objects that are made by spreading are slow to make and to read.
        time: numbers[at] ?? 0,
        ms: numbers[at + count] ?? 0,
        tokens: wholeOf(numbers[at + 2 * count] ?? 0),
        session: ids[at] || this.#newSession(),
        client: this.#word(ids[at + count]).text,
        user: ids[at + 2 * count] || null,
        repo: this.#word(ids[at + 3 * count]).text,
        operation: this.#word(ids[at + 4 * count]).operation,
        entry: this.#word(ids[at + 5 * count]).text,
        kind: this.#word(ids[at + 6 * count]).kind,
        source: this.#word(ids[at + 7 * count]).text,
        digest: this.#word(ids[at + 8 * count]).text,
        outcome: this.#word(ids[at + 9 * count]).outcome,
        code: this.#word(ids[at + 10 * count]).text,
        query: this.#queries[query] ?? null,
        queryNumber: query === 0 ? 0 : query + this.#earlierQueries,
        shown: this.#lists[ids[at + 12 * count] ?? 0] ?? null,
      });
    }
    return events;
  }

  #newSession(): number {
    this.#unknownSessions -= 1;
    return this.#unknownSessions;
  }

  #word(number = 0): Word {
    return this.#words[number] ?? NONE;
  }
}

/** Null also for a text that was removed while this was read. */
function toWord(text: string | null): Word {
  return {
    text,
    operation: OPERATIONS.get(text ?? '') ?? 'resource',
    outcome: OUTCOMES.get(text ?? '') ?? 'ok',
    kind: KINDS.get(text ?? '') ?? null,
  };
}

/** A whole number as one: V8 keeps it in its place, and any other in an object of its own. A million events were counted in a fifth less time. */
function wholeOf(value: number): number {
  const whole = value | 0;
  return whole === value ? whole : value;
}
