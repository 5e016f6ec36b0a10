import { type CodedPage, PageCoder } from './coded-page.ts';
import type { UsageDatabase } from './connect.ts';
import type { UsagePlace } from './place.ts';
import { type EventPlace, readPage, readTexts } from './read-page.ts';
import { COUNTED_COLUMNS, type CountedValues } from './tables.ts';

/** A page as it is read: what is in it, and where the next one begins. */
export interface ReadPage extends CodedPage {
  /** The place of its last event; undefined where none follow. */
  readonly end: EventPlace | undefined;
}

export interface CodedPagesOptions {
  readonly kind: UsagePlace['kind'];
  /** See `PageRequest`. */
  readonly until: number | undefined;
}

/** Reads events as numbers, and each of their texts once. */
export class CodedPages {
  readonly #database: UsageDatabase;
  readonly #options: CodedPagesOptions;
  readonly #coder = new PageCoder();

  constructor(database: UsageDatabase, options: CodedPagesOptions) {
    this.#database = database;
    this.#options = options;
  }

  /** The page behind a place. */
  async read(after: EventPlace): Promise<ReadPage> {
    const request = { ...this.#options, table: 'usage_coded_events', columns: COUNTED_COLUMNS, after };
    const { rows, end } = await readPage<CountedValues>(this.#database, request);
    const { numbers, ids, added } = this.#coder.code(rows);
    const texts = await this.#textsOf([...added.word, ...added.query, ...added.list]);
    const of = (some: readonly number[]): readonly (string | null)[] => some.map((id) => texts.get(id) ?? null);
    return { numbers, ids, texts: { word: of(added.word), query: of(added.query), list: of(added.list) }, end };
  }

  async #textsOf(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    return new Map(ids.length === 0 ? [] : await readTexts(this.#database, this.#options.kind, ids));
  }
}
