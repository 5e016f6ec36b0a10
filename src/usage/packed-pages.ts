import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { sql } from 'kysely';
import { IDS, NUMBERS, type PageColumns, toColumns } from './coded-page.ts';
import type { UsageDatabase } from './connect.ts';
import type { UsagePlace } from './place.ts';
import { type EventPlace, type Page, type PageRequest, placeBefore, readPage } from './read-page.ts';
import { COUNTED_COLUMNS, type CountedValues, wordsOf } from './tables.ts';

/** A call is recorded when it is over, under the time at which it came: later than this, hardly any event comes among others. */
const SETTLED_MS = 3_600_000;
/** Others that write wait meanwhile: some 0.1 s. */
const PAGES_AT_ONCE = 20;
const BYTES = NUMBERS * Float64Array.BYTES_PER_ELEMENT + IDS * Uint32Array.BYTES_PER_ELEMENT;
/** Of all qualities the quickest, and hardly larger than the others. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

/**
 * The third version of the tables. To read a million events costs SQLite 3 s, nearly all of it for taking rows apart, so settled events are
 * kept a second time in pages of a thousand, packed as they are counted: 6 KB each, read ten times as fast. A page says what is in a range
 * of places; whatever changes an event in it, by whatever program, removes the page by a trigger. So where there is a page it is true, and
 * where there is none the rows are read. PostgreSQL has none: what it reads fast enough is lost on the way to us.
 */
export async function makePages(database: UsageDatabase, kind: UsagePlace['kind']): Promise<void> {
  if (kind !== 'sqlite') return;
  const { integer } = wordsOf(kind);
  // With rowids, since a table without them is slow at long values.
  await sql
    .raw(`create table usage_pages (start_time ${integer} not null, start_id text not null, end_time ${integer} not null,
      end_id text not null, events blob not null, primary key (end_time, end_id)) strict`)
    .execute(database);
  const changes = [
    ['insert', 'new'],
    ['delete', 'old'],
    ['update', 'old'],
    ['update', 'new'],
  ] as const;
  for (const [change, row] of changes) {
    await sql
      .raw(`create trigger usage_pages_${change}_${row} after ${change} on usage_coded_events begin
        delete from usage_pages where (start_time, start_id) < (${row}.time, ${row}.id) and rowid = (
          select rowid from usage_pages where (end_time, end_id) >= (${row}.time, ${row}.id) order by end_time, end_id limit 1);
      end`)
      .execute(database);
  }
}

/** A page that was packed. */
export interface PackedPage {
  readonly start: EventPlace;
  readonly end: EventPlace;
  /** Whether all of its events are behind the place that was asked about, and whether no others lie between. */
  readonly isWhole: boolean;
  readonly isNext: boolean;
  readonly events: Uint8Array;
}

/** The first page with events behind a place, of those that end before a time. */
export async function findPacked(
  database: UsageDatabase,
  after: EventPlace,
  until: number | undefined,
): Promise<PackedPage | undefined> {
  const { rows } = await sql<PackedRow>`select start_time, start_id, end_time, end_id, events,
    (start_time, start_id) >= (${after.time}, ${after.id}) as is_whole from usage_pages
    where (end_time, end_id) > (${after.time}, ${after.id}) ${until === undefined ? sql`` : sql`and end_time < ${until}`}
    order by end_time, end_id limit 1`.execute(database);
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    start: { time: row.start_time, id: row.start_id },
    end: { time: row.end_time, id: row.end_id },
    isWhole: row.is_whole === 1,
    isNext: row.start_time === after.time && row.start_id === after.id,
    events: row.events,
  };
}

interface PackedRow {
  readonly start_time: number;
  readonly start_id: string;
  readonly end_time: number;
  readonly end_id: string;
  readonly is_whole: number;
  readonly events: Uint8Array;
}

/** The columns one after the other, compressed. In the byte order of nearly every machine, which is this one's. */
function packPage({ numbers, ids }: PageColumns): Uint8Array {
  return brotliCompressSync(Buffer.concat([Buffer.from(numbers.buffer), Buffer.from(ids.buffer)]), QUALITY);
}

export function unpackPage(events: Uint8Array): PageColumns {
  const bytes = brotliDecompressSync(events);
  const count = bytes.length / BYTES;
  // Arrays of their own, which can be given to another thread.
  const numbers = new Float64Array(count * NUMBERS);
  const ids = new Uint32Array(count * IDS);
  bytes.copy(Buffer.from(numbers.buffer));
  bytes.copy(Buffer.from(ids.buffer), 0, numbers.byteLength);
  return { numbers, ids };
}

/** Packs some of the events that are settled and in no page. @returns whether more are left. */
export async function packEvents(database: UsageDatabase, now: number): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    let left = PAGES_AT_ONCE;
    for (const gap of await gapsBetween(transaction)) {
      let after: EventPlace | undefined = gap.start;
      while (after !== undefined) {
        if (left === 0) return true;
        after = await packNext(transaction, { after, through: gap.end, until: now - SETTLED_MS });
        left -= 1;
      }
    }
    return false;
  });
}

/** Where the next page begins; undefined where there is nothing more to pack. */
async function packNext(
  database: UsageDatabase,
  range: Pick<PageRequest, 'after' | 'through' | 'until'>,
): Promise<EventPlace | undefined> {
  const { after, through } = range;
  const request = { ...range, kind: 'sqlite', table: 'usage_coded_events', columns: COUNTED_COLUMNS } as const;
  const { rows, end }: Page<CountedValues> = await readPage(database, request);
  // Behind the last page, what is less than one waits for more.
  const last = end ?? through;
  if (rows.length === 0 || last === undefined) return undefined;
  await database
    .insertInto('usage_pages')
    .values({
      start_time: after.time,
      start_id: after.id,
      end_time: last.time,
      end_id: last.id,
      events: packPage(toColumns(rows)),
    })
    .execute();
  return end;
}

interface Gap {
  readonly start: EventPlace;
  /** Undefined behind the last page. */
  readonly end: EventPlace | undefined;
}

/** Where no page is. */
async function gapsBetween(database: UsageDatabase): Promise<readonly Gap[]> {
  const { rows } = await sql<Readonly<Record<'time' | 'end_time', number> & Record<'id' | 'end_id', string>>>`
    select time, id, end_time, end_id from (select lag(end_time, 1, 0) over pages as time, lag(end_id, 1, '') over pages as id,
      start_time as end_time, start_id as end_id from usage_pages window pages as (order by end_time, end_id))
    where (time, id) <> (end_time, end_id)`.execute(database);
  const last = await database
    .selectFrom('usage_pages')
    .select(['end_time as time', 'end_id as id'])
    .orderBy('end_time', 'desc')
    .orderBy('end_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const gaps = rows.map(({ time, id, ...end }): Gap => ({
    start: { time, id },
    end: { time: end.end_time, id: end.end_id },
  }));
  return [...gaps, { start: last ?? placeBefore(), end: undefined }];
}
