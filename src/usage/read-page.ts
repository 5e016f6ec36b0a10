import { type RawBuilder, sql } from 'kysely';
import type { UsageDatabase } from './connect.ts';
import type { UsageEvent } from './event.ts';
import type { UsagePlace } from './place.ts';

/** Events held at once: more of them outlive a collection of garbage, and a million take longer (measured with 2,000). */
const PAGE = 1_000;

/** The place of an event in the order in which events are read. */
export type EventPlace = Readonly<Pick<UsageEvent, 'time' | 'id'>>;

export interface PageRequest {
  readonly kind: UsagePlace['kind'];
  readonly table: string;
  readonly columns: readonly string[];
  /** The page begins behind this place. */
  readonly after: EventPlace;
  /** Events from this time on are left out; milliseconds since 1970. */
  readonly until?: number | undefined;
  /** Events behind this place are left out. */
  readonly through?: EventPlace | undefined;
}

/** Some events in the order of time. */
export interface Page<Values> {
  /** The columns' values of each; empty for none. */
  readonly rows: readonly Values[];
  /** The place of the last one; undefined where none follow. */
  readonly end: EventPlace | undefined;
}

/** The place before all events from a time on. */
export function placeBefore(since = 0): EventPlace {
  return { time: since, id: '' };
}

/** A page comes as one text: each value, and each row, costs more on its way out of the driver than parsing all of them does. */
export async function readPage<Values>(database: UsageDatabase, request: PageRequest): Promise<Page<Values>> {
  const { kind, after, until, through } = request;
  const columns = sql.join(request.columns.map((column) => sql.ref(column)));
  // Each page is sought by the key of the last row: both databases keep the rows in this order.
  const from = sql`(time, id) > (${after.time}, ${after.id})`;
  const before = sql`${until === undefined ? sql`` : sql`and time < ${until}`} ${through === undefined ? sql`` : upTo(through)}`;
  const { rows: ends } = await sql<EventPlace>`select time, id from usage_coded_events
    where ${from} ${before} order by time, id limit 1 offset ${PAGE - 1}`.execute(database);
  const [end] = ends;
  const to = end === undefined ? before : upTo(end);
  const { rows } = await sql<{ readonly page: string | null }>`select ${jsonOf(kind, columns)} as page from
    (select ${columns} from ${sql.table(request.table)} where ${from} ${to} order by time, id) as page`.execute(
    database,
  );
  return { rows: JSON.parse(rows[0]?.page ?? '[]'), end };
}

function upTo({ time, id }: EventPlace): RawBuilder<unknown> {
  return sql`and (time, id) <= (${time}, ${id})`;
}

/** The texts of these ids, but for those that are no more. */
export async function readTexts(
  database: UsageDatabase,
  kind: UsagePlace['kind'],
  ids: readonly number[],
): Promise<readonly (readonly [id: number, text: string])[]> {
  const wanted =
    kind === 'sqlite'
      ? sql`id in (select value from json_each(${JSON.stringify(ids)}))`
      : sql`id = any(${ids}::bigint[])`;
  const { rows } = await sql<{ readonly texts: string | null }>`select ${jsonOf(kind, sql`id, text`)} as texts
    from usage_texts where ${wanted}`.execute(database);
  return JSON.parse(rows[0]?.texts ?? '[]');
}

/** Rows as JSON text, each a list of its values. */
function jsonOf(kind: UsagePlace['kind'], columns: RawBuilder<unknown>): RawBuilder<string> {
  return kind === 'sqlite'
    ? sql<string>`json_group_array(json_array(${columns}))`
    : sql<string>`cast(json_agg(json_build_array(${columns})) as text)`;
}
