import type { CodedPage } from './coded-page.ts';
import { CodedPages, type ReadPage } from './coded-pages.ts';
import type { UsageDatabase } from './connect.ts';
import { EventDecoder } from './decode.ts';
import type { CodedEvent, TimeRange, UsageEvent } from './event.ts';
import { PagesAhead } from './pages-ahead.ts';
import type { UsagePlace } from './place.ts';
import { type EventPlace, placeBefore, readPage } from './read-page.ts';
import { EVENT_COLUMNS, type EventValues, toEvent } from './tables.ts';

/** A thread takes some 0.1 s to start, in which so many events are counted without it. */
const PAGES_ALONE = 40;

/** What is read, and how. */
export interface Reading {
  readonly place: UsagePlace;
  readonly range: TimeRange | undefined;
  /** Absolute path of the bundled thread that reads a large SQLite store ahead; without it, none is started. */
  readonly readerFile?: string | undefined;
  /** Pages after which that thread is started. */
  readonly pagesAlone?: number | undefined;
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

/** The same, for whoever counts them. */
export async function* readCodedEvents(
  database: UsageDatabase,
  reading: Reading,
): AsyncGenerator<readonly CodedEvent[]> {
  const decoder = new EventDecoder();
  for await (const page of codedPages(database, reading)) yield decoder.decode(page);
}

async function* codedPages(
  database: UsageDatabase,
  { place, range, readerFile, pagesAlone = PAGES_ALONE }: Reading,
): AsyncGenerator<CodedPage> {
  const until = range?.until;
  const pages = new CodedPages(database, { kind: place.kind, until });
  const mayStart = place.kind === 'sqlite' && readerFile !== undefined;
  let ahead: PagesAhead | undefined;
  let after: EventPlace | undefined = placeBefore(range?.since);
  try {
    for (let count = 0; after !== undefined; count += 1) {
      if (mayStart && count === pagesAlone) ahead = new PagesAhead(readerFile, { path: place.path, until });
      const page: ReadPage = (await ahead?.next(after)) ?? (await pages.read(after));
      if (page.ids.length > 0) yield page;
      after = page.end;
    }
  } finally {
    await ahead?.close();
  }
}
