import { type CodedPage, PageCoder, type PageColumns, toColumns } from './coded-page.ts';
import type { UsageDatabase } from './connect.ts';
import { findPacked, unpackPage } from './packed-pages.ts';
import type { UsagePlace } from './place.ts';
import { type EventPlace, readPage, readTexts } from './read-page.ts';
import { COUNTED_COLUMNS, type CountedValues } from './tables.ts';

/** A page as it is read: what is in it, and where the next one begins. */
export interface ReadPage extends CodedPage {
  /** Undefined where no events follow. */
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

  /** The page behind a place; it may be empty. */
  async read(after: EventPlace): Promise<ReadPage> {
    const { columns, end } = await this.#columnsBehind(after);
    const added = this.#coder.code(columns);
    const texts = await this.#textsOf([...added.word, ...added.query, ...added.list]);
    const of = (some: readonly number[]): readonly (string | null)[] => some.map((id) => texts.get(id) ?? null);
    return { ...columns, texts: { word: of(added.word), query: of(added.query), list: of(added.list) }, end };
  }

  /** A packed page where one begins at the place; else rows, up to the next of those. */
  async #columnsBehind(after: EventPlace): Promise<{ readonly columns: PageColumns; readonly end: ReadPage['end'] }> {
    const { kind, until } = this.#options;
    const packed = kind === 'sqlite' ? await findPacked(this.#database, after, until) : undefined;
    if (packed?.isNext === true) return { columns: unpackPage(packed.events), end: packed.end };
    const through = packed?.isWhole === true ? packed.start : packed?.end;
    const request = { kind, table: 'usage_coded_events', columns: COUNTED_COLUMNS, after, until, through };
    const { rows, end } = await readPage<CountedValues>(this.#database, request);
    return { columns: toColumns(rows), end: end ?? through };
  }

  async #textsOf(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    return new Map(ids.length === 0 ? [] : await readTexts(this.#database, this.#options.kind, ids));
  }
}
