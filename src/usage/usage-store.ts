import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Expression, type RawBuilder, sql } from 'kysely';
import { compact, connectUsage, type UsageDatabase } from './connect.ts';
import type { SeenEntry, StepReport, UsageEvent } from './event.ts';
import { insertEvents } from './insert-events.ts';
import { migrate, type Tell } from './migrations.ts';
import { packEvents } from './packed-pages.ts';
import type { UsagePlace } from './place.ts';
import { toCodedRow, toEventRow, toReportRow } from './tables.ts';
import { codeTexts, lockTexts, removeTexts } from './texts.ts';
import { usageKey } from './usage-key.ts';
import { DAY_MS } from './day.ts';

/** PostgreSQL takes 65,535 values a statement, SQLite 32,766; an event has 19. */
const ROWS = 500;

/** What is written at once. */
export interface UsageBatch {
  readonly events?: readonly UsageEvent[];
  readonly entries?: readonly SeenEntry[];
  readonly reports?: readonly StepReport[];
}

/** Rows of a batch that were not there yet. */
interface Written {
  readonly events: number;
  readonly entries: number;
  readonly reports: number;
}

/** A store that is written to. */
export class UsageStore {
  readonly #database: UsageDatabase;
  readonly #kind: UsagePlace['kind'];

  private constructor(database: UsageDatabase, kind: UsagePlace['kind']) {
    this.#database = database;
    this.#kind = kind;
  }

  /**
   * Opens a store, and makes it where there is none.
   *
   * @param tell see `migrate`.
   * @throws PlaybookError `usage/newer`, and whatever the database has to say: see `failureOf`.
   */
  static async open(place: UsagePlace, tell?: Tell): Promise<UsageStore> {
    if (place.kind === 'sqlite') await makeFile(place.path);
    const database = await connectUsage(place);
    try {
      await migrate(database, place, tell);
    } catch (error) {
      await database.destroy();
      throw error;
    }
    return new UsageStore(database, place.kind);
  }

  /** Writes all of a batch or nothing; what is there already is not written again. */
  async write({ events = [], entries = [], reports = [] }: UsageBatch): Promise<Written> {
    return this.#database.transaction().execute(async (transaction) => ({
      events: await this.#addEvents(transaction, events),
      entries: await addRows(latestByKey(entries), (some) => addEntries(transaction, some)),
      reports: await addRows(reports, (some) =>
        transaction
          .insertInto('usage_reports')
          .values(some.map(toReportRow))
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst(),
      ),
    }));
  }

  async #addEvents(transaction: UsageDatabase, events: readonly UsageEvent[]): Promise<number> {
    if (events.length === 0) return 0;
    await lockTexts(transaction, this.#kind, 'writer');
    const rows = events.map(toEventRow);
    const codeOf = await codeTexts(transaction, this.#kind, rows);
    return insertEvents(
      transaction,
      this.#kind,
      rows.map((row) => toCodedRow(row, codeOf)),
    );
  }

  /** When each entry that the store knows was last noted, by `usageKey`. */
  async lastSeen(): Promise<Map<string, number>> {
    const rows = await this.#database.selectFrom('usage_entries').select(['key', 'last_seen']).execute();
    return new Map(rows.map((row) => [row.key, row.last_seen]));
  }

  /** Removes what is older than the days, where no process has done so for a day. */
  async purgeOld(days: number, now: number): Promise<void> {
    const { numInsertedOrUpdatedRows = 0n } = await this.#database
      .insertInto('usage_meta')
      .values({ key: 'purged', value: now })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet({ value: now })
          .where('usage_meta.value', '<', now - DAY_MS),
      )
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows > 0n) await this.removeBefore(now - days * DAY_MS);
  }

  /** Removes events and reports from before a time. @returns how many. */
  async removeBefore(time: number): Promise<number> {
    return this.#database.transaction().execute(async (transaction) => {
      await lockTexts(transaction, this.#kind, 'remover');
      if (this.#kind === 'sqlite') await transaction.deleteFrom('usage_pages').where('start_time', '<', time).execute();
      const events = await transaction.deleteFrom('usage_coded_events').where('time', '<', time).executeTakeFirst();
      await removeTexts(transaction, time);
      const reports = await transaction.deleteFrom('usage_reports').where('time', '<', time).executeTakeFirst();
      return Number(events.numDeletedRows + reports.numDeletedRows);
    });
  }

  /** Removes everything. @returns how many events, entries and reports. */
  async removeAll(): Promise<number> {
    return this.#database.transaction().execute(async (transaction) => {
      await lockTexts(transaction, this.#kind, 'remover');
      if (this.#kind === 'sqlite') await transaction.deleteFrom('usage_pages').execute();
      await transaction.deleteFrom('usage_texts').executeTakeFirst();
      const removed = [
        await transaction.deleteFrom('usage_coded_events').executeTakeFirst(),
        await transaction.deleteFrom('usage_entries').executeTakeFirst(),
        await transaction.deleteFrom('usage_reports').executeTakeFirst(),
      ];
      return removed.reduce((sum, { numDeletedRows }) => sum + Number(numDeletedRows), 0);
    });
  }

  /** See `packEvents`. */
  async pack(now: number): Promise<boolean> {
    return this.#kind === 'sqlite' && packEvents(this.#database, now);
  }

  /** See `compact`. */
  async compact(): Promise<void> {
    await compact(this.#database);
  }

  async close(): Promise<void> {
    await this.#database.destroy();
  }
}

/** What somebody asked is nobody else's. SQLite takes an empty file for a new one, and gives those beside it the same mode. */
async function makeFile(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle = await open(path, 'a', 0o600);
  await handle.close();
}

/** Inserts rows some hundreds at a time. @returns how many were new. */
async function addRows<T>(
  rows: readonly T[],
  insert: (some: readonly T[]) => Promise<{ readonly numInsertedOrUpdatedRows?: bigint | undefined }>,
): Promise<number> {
  let count = 0;
  for (let at = 0; at < rows.length; at += ROWS) {
    const { numInsertedOrUpdatedRows = 0n } = await insert(rows.slice(at, at + ROWS));
    count += Number(numInsertedOrUpdatedRows);
  }
  return count;
}

/** The first time that an entry was seen stays the first, the last the last, in whatever order they are told. */
async function addEntries(
  database: UsageDatabase,
  entries: readonly SeenEntry[],
): Promise<{ readonly numInsertedOrUpdatedRows?: bigint | undefined }> {
  return database
    .insertInto('usage_entries')
    .values(
      entries.map(({ firstSeen, lastSeen, ...rest }) => ({
        ...rest,
        key: usageKey(rest),
        first_seen: firstSeen,
        last_seen: lastSeen,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((eb) => ({
          first_seen: pick(eb.ref('excluded.first_seen'), '<', eb.ref('usage_entries.first_seen')),
          last_seen: pick(eb.ref('excluded.last_seen'), '>', eb.ref('usage_entries.last_seen')),
        }))
        .where((eb) =>
          eb.or([
            eb('excluded.first_seen', '<', eb.ref('usage_entries.first_seen')),
            eb('excluded.last_seen', '>', eb.ref('usage_entries.last_seen')),
          ]),
        ),
    )
    .executeTakeFirst();
}

/** The least or greatest of two: the databases have no common function for it. */
function pick(a: Expression<number>, sign: '<' | '>', b: Expression<number>): RawBuilder<number> {
  return sql<number>`case when ${a} ${sql.raw(sign)} ${b} then ${a} else ${b} end`;
}

/** One statement must not touch a row twice. */
function latestByKey(entries: readonly SeenEntry[]): readonly SeenEntry[] {
  const byKey = new Map<string, SeenEntry>();
  for (const entry of entries) {
    const key = usageKey(entry);
    const known = byKey.get(key);
    byKey.set(key, {
      ...entry,
      firstSeen: Math.min(entry.firstSeen, known?.firstSeen ?? Infinity),
      lastSeen: Math.max(entry.lastSeen, known?.lastSeen ?? -Infinity),
    });
  }
  return [...byKey.values()];
}
