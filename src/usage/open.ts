import { messageOf, PlaybookError } from '../errors.ts';
import { pathExists } from '../files/places.ts';
import { connectUsage, type UsageDatabase } from './connect.ts';
import type { UsageReader } from './event.ts';
import { hasTables, migrate, type Tell } from './migrations.ts';
import { type UsagePlace, placeText } from './place.ts';
import { readCodedEvents, readEvents, type Reading } from './read-events.ts';
import { toReport } from './tables.ts';

export interface ReadUsageOptions {
  /** See `migrate`. */
  readonly tell?: Tell | undefined;
  /** See `Reading`. */
  readonly readerFile?: string | undefined;
}

/**
 * Opens what was recorded, for reading. A store that nobody has written to is an empty one, and is not made by this.
 *
 * @throws PlaybookError `usage/newer`, `usage/unavailable`.
 */
export async function readUsage(place: UsagePlace, { tell, readerFile }: ReadUsageOptions = {}): Promise<UsageReader> {
  if (place.kind === 'sqlite' && !(await pathExists(place.path))) return NOTHING;
  let database: UsageDatabase | undefined;
  try {
    database = await connectUsage(place);
    const isEmpty = !(await hasTables(database, place));
    if (!isEmpty) await migrate(database, place, tell);
    if (!isEmpty) return readerOf(database, { place, readerFile });
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
  async *codedEvents() {},
  seenEntries: () => Promise.resolve([]),
  reports: () => Promise.resolve([]),
  close: () => Promise.resolve(),
};

function readerOf(database: UsageDatabase, reading: Omit<Reading, 'range'>): UsageReader {
  return {
    events: (range) => readEvents(database, { ...reading, range }),
    codedEvents: (range) => readCodedEvents(database, { ...reading, range }),
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
