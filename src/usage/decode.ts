import { type CodedPage, EVENT_WIDTH } from './coded-page.ts';
import { type CodedEvent, usageEvent } from './event.ts';
import { toIds } from './tables.ts';

const OPERATIONS = new Map<string, CodedEvent['operation']>(
  usageEvent.shape.operation.options.map((one) => [one, one]),
);
const OUTCOMES = new Map<string, CodedEvent['outcome']>(usageEvent.shape.outcome.options.map((one) => [one, one]));
const KINDS = new Map<string, CodedEvent['kind']>(usageEvent.shape.kind.unwrap().options.map((one) => [one, one]));

/** Puts texts in the place of their ids. Each is one string in all events. */
export class EventDecoder {
  /** By id: they are given in turn. */
  readonly #texts: string[] = [];
  readonly #lists: (readonly string[])[] = [];
  #unknownSessions = 0;

  decode({ values, texts }: CodedPage): readonly CodedEvent[] {
    for (const [id, text] of texts) this.#texts[id] ??= text;
    const events: CodedEvent[] = [];
    for (let at = 0; at < values.length; at += EVENT_WIDTH) events.push(this.#toEvent(values, at));
    return events;
  }

  /** Each property by name and place: a million objects that are made by spreading are slow to make and to read. */
  #toEvent(values: Float64Array, at: number): CodedEvent {
    const number = (place: number): number => values[at + place] ?? NaN;
    const text = (place: number): string | null => this.#text(number(place));
    return {
      time: number(0),
      session: Number.isNaN(number(1)) ? this.#newSession() : number(1),
      client: text(2),
      user: Number.isNaN(number(3)) ? null : number(3),
      repo: text(4),
      operation: OPERATIONS.get(text(5) ?? '') ?? 'resource',
      entry: text(6),
      kind: KINDS.get(text(7) ?? '') ?? null,
      source: text(8),
      digest: text(9),
      outcome: OUTCOMES.get(text(10) ?? '') ?? 'ok',
      code: text(11),
      ms: number(12),
      tokens: number(13),
      query: text(14),
      shown: this.#list(number(15)),
    };
  }

  #newSession(): number {
    this.#unknownSessions -= 1;
    return this.#unknownSessions;
  }

  /** Null also for one that was removed while this was read. */
  #text(id: number): string | null {
    return Number.isNaN(id) ? null : (this.#texts[id] ?? null);
  }

  #list(id: number): readonly string[] | null {
    if (Number.isNaN(id)) return null;
    const known = this.#lists[id];
    if (known !== undefined) return known;
    const ids = toIds(this.#texts[id] ?? '[]');
    this.#lists[id] = ids;
    return ids;
  }
}
