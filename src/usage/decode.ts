import { type CodedEvent, usageEvent } from './event.ts';
import { COUNTED_COLUMNS, type CountedValues, TEXT_COLUMNS, toIds } from './tables.ts';

/** Sessions and people are only told apart. */
const NEEDED: ReadonlySet<string> = new Set(TEXT_COLUMNS.filter((each) => each !== 'session' && each !== 'user_name'));
/** Places of the texts that are needed. */
const DECODED = COUNTED_COLUMNS.flatMap((column, place) => (NEEDED.has(column) ? [place] : []));

const OPERATIONS = new Map<string, CodedEvent['operation']>(
  usageEvent.shape.operation.options.map((one) => [one, one]),
);
const OUTCOMES = new Map<string, CodedEvent['outcome']>(usageEvent.shape.outcome.options.map((one) => [one, one]));
const KINDS = new Map<string, CodedEvent['kind']>(usageEvent.shape.kind.unwrap().options.map((one) => [one, one]));

type FindTexts = (ids: readonly number[]) => Promise<Iterable<readonly [id: number, text: string]>>;

/** Puts texts in the place of their ids. Each is asked for once, and is one string in all events. */
export class EventDecoder {
  readonly #find: FindTexts;
  readonly #texts = new Map<number, string>();
  readonly #lists = new Map<number, readonly string[]>();
  #unknownSessions = 0;

  /** @param find gives texts by their ids. */
  constructor(find: FindTexts) {
    this.#find = find;
  }

  async decode(page: readonly CountedValues[]): Promise<readonly CodedEvent[]> {
    const missing = this.#missingIn(page);
    if (missing.size > 0) {
      for (const [id, text] of await this.#find([...missing])) this.#texts.set(id, text);
    }
    return page.map((values) => this.#toEvent(values));
  }

  #missingIn(page: readonly CountedValues[]): ReadonlySet<number> {
    const missing = new Set<number>();
    for (const values of page) {
      for (const place of DECODED) {
        const id = values[place];
        if (typeof id === 'number' && !this.#texts.has(id)) missing.add(id);
      }
    }
    return missing;
  }

  /** Each property by name and place: a million objects that are made by spreading are slow to make and to read. */
  #toEvent(values: CountedValues): CodedEvent {
    return {
      time: values[0],
      session: values[1] ?? this.#newSession(),
      client: this.#text(values[2]),
      user: values[3],
      repo: this.#text(values[4]),
      operation: OPERATIONS.get(this.#text(values[5]) ?? '') ?? 'resource',
      entry: this.#text(values[6]),
      kind: KINDS.get(this.#text(values[7]) ?? '') ?? null,
      source: this.#text(values[8]),
      digest: this.#text(values[9]),
      outcome: OUTCOMES.get(this.#text(values[10]) ?? '') ?? 'ok',
      code: this.#text(values[11]),
      ms: values[12],
      tokens: values[13],
      query: this.#text(values[14]),
      shown: values[15] === null ? null : this.#list(values[15]),
    };
  }

  #newSession(): number {
    this.#unknownSessions -= 1;
    return this.#unknownSessions;
  }

  /** Null also for one that was removed while this was read. */
  #text(id: number | null): string | null {
    return id === null ? null : (this.#texts.get(id) ?? null);
  }

  #list(id: number): readonly string[] {
    const known = this.#lists.get(id);
    if (known !== undefined) return known;
    const ids = toIds(this.#texts.get(id) ?? '[]');
    this.#lists.set(id, ids);
    return ids;
  }
}
