import { CodedPages, type ReadPage } from './coded-pages.ts';
import type { UsageDatabase } from './connect.ts';
import { EventDecoder } from './decode.ts';
import type { CodedEvent, TimeRange, UsageEvent } from './event.ts';
import { PagesAhead } from './pages-ahead.ts';
import type { UsagePlace } from './place.ts';
import { type EventPlace, placeBefore, readPage } from './read-page.ts';
import { EVENT_COLUMNS, type EventValues, toEvent } from './tables.ts';

/** What is read, and how. */
export interface Reading {
  readonly place: UsagePlace;
  readonly range: TimeRange | undefined;
  /** Absolute path of the bundled thread that reads a SQLite store ahead; without it, none is started. */
  readonly readerFile?: string | undefined;
  /** See `PagesAhead`. */
  readonly mostAhead?: number | undefined;
}

/** Every event whole, in the order of time. */
export async function* readEvents(
  database: UsageDatabase,
  { place, range }: Reading,
): AsyncGenerator<readonly UsageEvent[]> {
  const request = { kind: place.kind, table: 'usage_events', columns: EVENT_COLUMNS, until: range?.until };
  let after: EventPlace | undefined = placeBefore(range?.since);
  while (after !== undefined) {
    const { rows, end }: { rows: readonly EventValues[]; end: EventPlace | undefined } = await readPage<EventValues>(
      database,
      { ...request, after },
    );
    if (rows.length > 0) yield rows.map(toEvent);
    after = end;
  }
}

/** The same, for whoever counts them, once. A thread, where there is one, reads from the moment that this is made until it is closed. */
export class CodedEvents implements AsyncIterable<readonly CodedEvent[]> {
  readonly #pages: CodedPages;
  readonly #from: EventPlace;
  readonly #ahead: PagesAhead | undefined;

  constructor(database: UsageDatabase, { place, range, readerFile, mostAhead }: Reading) {
    const until = range?.until;
    this.#pages = new CodedPages(database, { kind: place.kind, until });
    this.#from = placeBefore(range?.since);
    if (place.kind === 'sqlite' && readerFile !== undefined)
      this.#ahead = new PagesAhead(readerFile, { path: place.path, after: this.#from, until }, mostAhead);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly CodedEvent[]> {
    const decoder = new EventDecoder();
    let after: EventPlace | undefined = this.#from;
    let isAlone = this.#ahead === undefined;
    try {
      while (after !== undefined) {
        let page: ReadPage | undefined = isAlone ? undefined : await this.#ahead?.next();
        // The thread has failed: what numbered its texts is gone with it.
        if (page === undefined && !isAlone) decoder.restart();
        isAlone = page === undefined;
        page ??= await this.#pages.read(after);
        if (page.ids.length > 0) yield decoder.decode(page);
        after = page.end;
      }
    } finally {
      await this.close();
    }
  }

  /** Ends the thread, also of what nobody has read. */
  async close(): Promise<void> {
    await this.#ahead?.close();
  }
}
