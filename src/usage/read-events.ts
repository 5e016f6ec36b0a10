import { type RawBuilder, sql } from 'kysely';
import type { UsageDatabase } from './connect.ts';
import { EventDecoder } from './decode.ts';
import type { CodedEvent, TimeRange, UsageEvent } from './event.ts';
import type { UsagePlace } from './place.ts';
import { COUNTED_COLUMNS, type CountedValues, EVENT_COLUMNS, type EventValues, toEvent } from './tables.ts';

type Kind = UsagePlace['kind'];

/** Events held at once: more of them outlive a collection of garbage, and a million take longer (measured with 2,000). */
const PAGE = 1_000;

/** Every event whole, in the order of time. */
export async function* readEvents(
  database: UsageDatabase,
  kind: Kind,
  range?: TimeRange,
): AsyncGenerator<readonly UsageEvent[]> {
  const pages = pagesOf<EventValues>(database, { kind, range, table: 'usage_events', columns: EVENT_COLUMNS });
  for await (const page of pages) yield page.map(toEvent);
}

/** The same, for whoever counts them. */
export async function* readCodedEvents(
  database: UsageDatabase,
  kind: Kind,
  range?: TimeRange,
): AsyncGenerator<readonly CodedEvent[]> {
  const decoder = new EventDecoder((ids) => textsOf(database, kind, ids));
  const coded = { kind, range, table: 'usage_coded_events', columns: COUNTED_COLUMNS };
  const pages = pagesOf<CountedValues>(database, coded);
  for await (const page of pages) yield await decoder.decode(page);
}

interface Reading {
  readonly kind: Kind;
  readonly range: TimeRange | undefined;
  readonly table: string;
  readonly columns: readonly string[];
}

/** A page comes as one text: each value, and each row, costs more on its way out of the driver than parsing all of them does. */
async function* pagesOf<Values>(database: UsageDatabase, reading: Reading): AsyncGenerator<readonly Values[]> {
  const { kind, table } = reading;
  const { since = 0, until } = reading.range ?? {};
  const columns = sql.join(reading.columns.map((column) => sql.ref(column)));
  const text = jsonOf(kind, columns);
  const before = until === undefined ? sql`` : sql`and time < ${until}`;
  // Each page is sought by the key of the last row: both databases keep the rows in this order.
  let from = sql`(time, id) > (${since}, ${''})`;
  for (;;) {
    const { rows: ends } = await sql<Pick<UsageEvent, 'time' | 'id'>>`select time, id from usage_coded_events
      where ${from} ${before} order by time, id limit 1 offset ${PAGE - 1}`.execute(database);
    const [end] = ends;
    const to = end === undefined ? before : sql`and (time, id) <= (${end.time}, ${end.id})`;
    const { rows } = await sql<{ readonly page: string | null }>`select ${text} as page from
      (select ${columns} from ${sql.table(table)} where ${from} ${to} order by time, id) as page`.execute(database);
    const page: readonly Values[] = JSON.parse(rows[0]?.page ?? '[]');
    if (page.length > 0) yield page;
    if (end === undefined) return;
    from = sql`(time, id) > (${end.time}, ${end.id})`;
  }
}

async function textsOf(
  database: UsageDatabase,
  kind: Kind,
  ids: readonly number[],
): Promise<readonly (readonly [number, string])[]> {
  const wanted =
    kind === 'sqlite'
      ? sql`id in (select value from json_each(${JSON.stringify(ids)}))`
      : sql`id = any(${ids}::bigint[])`;
  const { rows } = await sql<{ readonly texts: string | null }>`select ${jsonOf(kind, sql`id, text`)} as texts
    from usage_texts where ${wanted}`.execute(database);
  return JSON.parse(rows[0]?.texts ?? '[]');
}

/** Rows as JSON text, each a list of its values. */
function jsonOf(kind: Kind, columns: RawBuilder<unknown>): RawBuilder<string> {
  return kind === 'sqlite'
    ? sql<string>`json_group_array(json_array(${columns}))`
    : sql<string>`cast(json_agg(json_build_array(${columns})) as text)`;
}
