import { stat } from 'node:fs/promises';
import { PlaybookError } from '../errors.ts';
import type { UsageDatabase } from './connect.ts';
import { connectExisting } from './connect-existing.ts';
import type { UsageReader } from './event.ts';
import { causeText, failureOf } from './failure.ts';
import type { Tell } from './migrations.ts';
import { type UsagePlace, placeText } from './place.ts';
import { CodedEvents, readEvents, type Reading } from './read-events.ts';
import { toReport } from './tables.ts';

/** A thread that reads ahead takes some 0.1 s to start, in which so much is read and counted without it. */
const LARGE_BYTES = 5_000_000;

export interface ReadUsageOptions {
  /** See `migrate`. */
  readonly tell?: Tell | undefined;
  /** See `Reading`; for a large store only. */
  readonly readerFile?: string | undefined;
}

/**
 * Opens what was recorded, for reading. A store that nobody has written to is an empty one, and is not made by this.
 *
 * @throws PlaybookError `usage/newer`, `usage/unavailable`.
 */
export async function readUsage(place: UsagePlace, { tell, readerFile }: ReadUsageOptions = {}): Promise<UsageReader> {
  try {
    const database = await connectExisting(place, tell);
    if (database === undefined) return NOTHING;
    return readerOf(database, { place, readerFile: (await isLarge(place)) ? readerFile : undefined });
  } catch (error) {
    throw unavailable(place, error);
  }
}

async function isLarge(place: UsagePlace): Promise<boolean> {
  return place.kind === 'sqlite' && (await stat(place.path)).size >= LARGE_BYTES;
}

/** What a person is told of a store that cannot be opened, read or written. */
export function unavailable(place: UsagePlace, cause: unknown): PlaybookError {
  if (cause instanceof PlaybookError) return cause;
  return new PlaybookError(
    'usage/unavailable',
    `The usage in ${placeText(place)} cannot be used: ${causeText(cause)}.`,
    { hint: hintFor(place, cause), cause },
  );
}

function hintFor(place: UsagePlace, cause: unknown): string {
  if (place.kind === 'postgres') return 'Look at the server, and at `usage.store`.';
  switch (failureOf(cause)) {
    case 'corrupt':
      return 'The file is damaged: the next server that records sets it aside and begins a new one.';
    case 'busy':
      return 'Another process writes to the file: try again.';
    case 'newer':
    case 'refused':
    case 'unavailable':
      return 'Look at the file and its folder.';
  }
}

const NOTHING: UsageReader = {
  async *events() {},
  async *codedEvents() {},
  seenEntries: () => Promise.resolve([]),
  reports: () => Promise.resolve([]),
  close: () => Promise.resolve(),
};

/** A store may break off, or show its damage, at any page. */
function readerOf(database: UsageDatabase, reading: Omit<Reading, 'range'>): UsageReader {
  const { place } = reading;
  const begun: CodedEvents[] = [];
  return {
    events: (range) => explained(readEvents(database, { ...reading, range }), place),
    codedEvents: (range) => {
      const events = new CodedEvents(database, { ...reading, range });
      begun.push(events);
      return explained(events, place);
    },
    seenEntries: async () => {
      const rows = await orExplain(database.selectFrom('usage_entries').selectAll().orderBy('key').execute(), place);
      return rows.map(({ key: _key, first_seen: firstSeen, last_seen: lastSeen, ...rest }) => ({
        ...rest,
        firstSeen,
        lastSeen,
      }));
    },
    reports: async () => {
      const reports = database.selectFrom('usage_reports').selectAll().orderBy('time').orderBy('id').execute();
      return (await orExplain(reports, place)).map(toReport);
    },
    close: async () => {
      for (const events of begun) await events.close();
      await database.destroy();
    },
  };
}

/** The batches; only what reading them fails with is explained, not what is done with them. */
async function* explained<Batch>(batches: AsyncIterable<Batch>, place: UsagePlace): AsyncGenerator<Batch> {
  try {
    for await (const batch of batches) yield batch;
  } catch (error) {
    throw unavailable(place, error);
  }
}

async function orExplain<T>(reading: Promise<T>, place: UsagePlace): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw unavailable(place, error);
  }
}
