import { sql } from 'kysely';
import { messageOf, PlaybookError } from '../errors.ts';
import { pathExists } from '../files/places.ts';
import { connectUsage, type UsageDatabase } from './connect.ts';
import type { UsageEvent, UsageReader } from './event.ts';
import { hasTables, migrate } from './migrations.ts';
import { type UsagePlace, placeText } from './place.ts';
import { toEvent, toReport } from './tables.ts';

/** Events held at once. */
const PAGE = 5_000;

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
    if (!isEmpty) return readerOf(database);
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

function readerOf(database: UsageDatabase): UsageReader {
  return {
    events: (range) => eventsOf(database, range),
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
  database: UsageDatabase,
  { since = 0, until }: { readonly since?: number; readonly until?: number } = {},
): AsyncGenerator<readonly UsageEvent[]> {
  // Each page is sought by the key of the last row: both databases keep the rows in this order.
  let after: { readonly time: number; readonly id: string } = { time: since, id: '' };
  for (;;) {
    let query = database.selectFrom('usage_events').selectAll();
    query = query.where(sql<boolean>`(time, id) > (${sql.val(after.time)}, ${sql.val(after.id)})`);
    if (until !== undefined) query = query.where('time', '<', until);
    const rows = await query.orderBy('time').orderBy('id').limit(PAGE).execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(toEvent);
    if (rows.length < PAGE) return;
    after = last;
  }
}
