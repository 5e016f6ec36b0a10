import { type CodedPage, IDS, NUMBERS } from './coded-page.ts';
import { type CodedEvent, usageEvent } from './event.ts';
import { toIds } from './tables.ts';

const OPERATIONS = new Map<string, CodedEvent['operation']>(
  usageEvent.shape.operation.options.map((one) => [one, one]),
);
const OUTCOMES = new Map<string, CodedEvent['outcome']>(usageEvent.shape.outcome.options.map((one) => [one, one]));
const KINDS = new Map<string, CodedEvent['kind']>(usageEvent.shape.kind.unwrap().options.map((one) => [one, one]));

/** Puts texts in the place of their ids. Each is one string in all events. */
export class EventDecoder {
  /** By id: they are given in turn, from 1. */
  readonly #texts: string[] = [];
  readonly #lists: (readonly string[])[] = [];
  #unknownSessions = 0;

  decode({ numbers, ids, texts }: CodedPage): readonly CodedEvent[] {
    for (const [id, text] of texts) this.#texts[id] ??= text;
    const events: CodedEvent[] = [];
    let at = 0;
    for (let number = 0; number < numbers.length; number += NUMBERS) {
      events.push({
        // By name and place: a million objects that are made by spreading are slow to make and to read.
        time: numbers[number] ?? 0,
        ms: numbers[number + 1] ?? 0,
        tokens: numbers[number + 2] ?? 0,
        session: ids[at] || this.#newSession(),
        client: this.#text(ids[at + 1]),
        user: ids[at + 2] || null,
        repo: this.#text(ids[at + 3]),
        operation: OPERATIONS.get(this.#text(ids[at + 4]) ?? '') ?? 'resource',
        entry: this.#text(ids[at + 5]),
        kind: KINDS.get(this.#text(ids[at + 6]) ?? '') ?? null,
        source: this.#text(ids[at + 7]),
        digest: this.#text(ids[at + 8]),
        outcome: OUTCOMES.get(this.#text(ids[at + 9]) ?? '') ?? 'ok',
        code: this.#text(ids[at + 10]),
        query: this.#text(ids[at + 11]),
        queryNumber: ids[at + 11] ?? 0,
        shown: this.#list(ids[at + 12]),
      });
      at += IDS;
    }
    return events;
  }

  #newSession(): number {
    this.#unknownSessions -= 1;
    return this.#unknownSessions;
  }

  /** Null also for one that was removed while this was read. */
  #text(id = 0): string | null {
    return this.#texts[id] ?? null;
  }

  #list(id = 0): readonly string[] | null {
    if (id === 0) return null;
    const known = this.#lists[id];
    if (known !== undefined) return known;
    const listed = toIds(this.#texts[id] ?? '[]');
    this.#lists[id] = listed;
    return listed;
  }
}
