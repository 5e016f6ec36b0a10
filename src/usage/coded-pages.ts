import { type CodedPage, newTexts, toNumbers } from './coded-page.ts';
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
  readonly #known = new Set<number>();

  constructor(database: UsageDatabase, options: CodedPagesOptions) {
    this.#database = database;
    this.#options = options;
  }

  /** The page behind a place. */
  async read(after: EventPlace): Promise<ReadPage> {
    const request = { ...this.#options, table: 'usage_coded_events', columns: COUNTED_COLUMNS, after };
    const { rows, end } = await readPage<CountedValues>(this.#database, request);
    const { numbers, ids } = toNumbers(rows);
    const added = newTexts(ids, this.#known);
    const texts = added.length === 0 ? [] : await readTexts(this.#database, this.#options.kind, added);
    return { numbers, ids, texts, end };
  }
}
