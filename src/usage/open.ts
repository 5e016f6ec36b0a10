import { sql } from 'kysely';
import { messageOf, PlaybookError } from '../errors.ts';
import { pathExists } from '../files/places.ts';
import { connectUsage, type UsageDatabase } from './connect.ts';
import type { UsageEvent, UsageReader } from './event.ts';
import { hasTables, migrate } from './migrations.ts';
import { type UsagePlace, placeText } from './place.ts';
import { EVENT_COLUMNS, toEvent, toReport } from './tables.ts';

/** Events held at once: more of them outlive a collection of garbage, and a million take twice as long (measured with 5,000). */
const PAGE = 500;

/**
 * Opens what was recorded, for reading. A store that nobody has written to is an empty one, and is not made by this.
 *
 * @throws PlaybookError `usage/newer`, `usage/unavailable`.
 */
export async function readUsage(place: UsagePlace): Promise<UsageReader> {
  if (place.kind === 'sqlite' && !(await pathExists(place.path))) return NOTHING;
  let database: UsageDatabase | undefined;
  try {
    database = await connectUsage(place);
    const isEmpty = !(await hasTables(database, place));
    if (!isEmpty) await migrate(database, place);
    if (!isEmpty) return readerOf({ database, kind: place.kind });
    await database.destroy();
    return NOTHING;
  } catch (error) {
    await database?.destroy();
    throw unavailable(place, error);
  }
}

/** What a person is told of a store that cannot be opened. */
export function unavailable(place: UsagePlace, cause: unknown): PlaybookError {
  if (cause instanceof PlaybookError) return cause;
  return new PlaybookError(
    'usage/unavailable',
    `The usage in ${placeText(place)} cannot be opened: ${causeText(cause)}.`,
    {
      hint: place.kind === 'sqlite' ? 'Look at the file and its folder.' : 'Look at the server, and at `usage.store`.',
      cause,
    },
  );
}

/** Node puts several refused addresses of one host into an error without words of its own. */
export function causeText(cause: unknown): string {
  const inner: unknown = cause instanceof AggregateError ? cause.errors[0] : undefined;
  return messageOf(inner ?? cause);
}

const NOTHING: UsageReader = {
  async *events() {},
  seenEntries: () => Promise.resolve([]),
  reports: () => Promise.resolve([]),
  close: () => Promise.resolve(),
};

interface OpenStore {
  readonly database: UsageDatabase;
  readonly kind: UsagePlace['kind'];
}

function readerOf(store: OpenStore): UsageReader {
  const { database } = store;
  return {
    events: (range) => eventsOf(store, range),
    seenEntries: async () => {
      const rows = await database.selectFrom('usage_entries').selectAll().orderBy('key').execute();
      return rows.map(({ key: _key, first_seen: firstSeen, last_seen: lastSeen, ...rest }) => ({
        ...rest,
        firstSeen,
        lastSeen,
      }));
    },
    reports: async () => {
      const rows = await database.selectFrom('usage_reports').selectAll().orderBy('time').orderBy('id').execute();
      return rows.map(toReport);
    },
    close: () => database.destroy(),
  };
}

async function* eventsOf(
  { database, kind }: OpenStore,
  { since = 0, until }: { readonly since?: number; readonly until?: number } = {},
): AsyncGenerator<readonly UsageEvent[]> {
  // A row comes as one text: of 19 columns, each value costs more on its way out of the driver than parsing all of them does.
  const array = sql.raw(kind === 'sqlite' ? 'json_array' : 'json_build_array');
  const columns = sql.join(EVENT_COLUMNS.map((column) => sql.ref(column)));
  const values = sql<string>`cast(${array}(${columns}) as text)`;
  // Each page is sought by the key of the last row: both databases keep the rows in this order.
  let after: Pick<UsageEvent, 'time' | 'id'> = { time: since, id: '' };
  for (;;) {
    let query = database.selectFrom('usage_events').select(values.as('row'));
    query = query.where(sql<boolean>`(time, id) > (${sql.val(after.time)}, ${sql.val(after.id)})`);
    if (until !== undefined) query = query.where('time', '<', until);
    const rows = await query.orderBy('time').orderBy('id').limit(PAGE).execute();
    const events = rows.map(({ row }) => toEvent(JSON.parse(row)));
    const last = events.at(-1);
    if (last === undefined) return;
    yield events;
    if (events.length < PAGE) return;
    after = last;
  }
}
