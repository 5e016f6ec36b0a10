import { sql } from 'kysely';
import { PlaybookError } from '../errors.ts';
import { connectUsage, type UsageDatabase } from './connect.ts';
import type { UsagePlace } from './place.ts';

/** Of the advisory lock under which processes that start at once make the table: any number that nobody else takes. */
const LOCK = 7_529_684;
const SWEEP_MS = 60_000;

/** Texts with an end that several processes read and write: what one replica keeps for a client that the next call leads to another. */
export class SharedState {
  readonly #place: UsagePlace;
  #database: Promise<UsageDatabase> | undefined;
  #sweptAt = performance.now();

  /** Connects at once, and again with each use for as long as that fails. @param place a PostgreSQL database */
  constructor(place: UsagePlace) {
    this.#place = place;
    // Told to whoever uses it.
    this.#connected().catch(() => undefined);
  }

  /** Keeps a text. @param expires milliseconds since 1970 @throws PlaybookError `usage/unavailable`. */
  put(key: string, value: string, expires: number): Promise<void> {
    const row = { key, value, expires };
    return this.#use(async (database) => {
      await database
        .insertInto('playbook_shared')
        .values(row)
        .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
        .execute();
      await this.#sweep(database);
    });
  }

  /** The text that is kept under a key; undefined where there is none any more. @throws PlaybookError `usage/unavailable`. */
  get(key: string): Promise<string | undefined> {
    return this.#use(async (database) => {
      const query = database.selectFrom('playbook_shared').select('value').where('key', '=', key);
      return (await query.where('expires', '>', Date.now()).executeTakeFirst())?.value;
    });
  }

  /** Takes a key that can be taken once. @returns whether it was free. @throws PlaybookError `usage/unavailable`. */
  claim(key: string, expires: number): Promise<boolean> {
    return this.#use(async (database) => {
      const insertion = database.insertInto('playbook_shared').values({ key, value: '', expires });
      const result = await insertion.onConflict((conflict) => conflict.column('key').doNothing()).executeTakeFirst();
      return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
    });
  }

  async close(): Promise<void> {
    const [outcome] = await Promise.allSettled([this.#database]);
    if (outcome.status === 'fulfilled') await outcome.value?.destroy();
  }

  /** Clients are told no more than that it fails: where the database is, is nothing to them. */
  async #use<T>(work: (database: UsageDatabase) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#connected());
    } catch (cause) {
      throw new PlaybookError('usage/unavailable', 'What the replicas of this server share cannot be reached now.', {
        hint: 'Try again in a moment.',
        cause,
      });
    }
  }

  #connected(): Promise<UsageDatabase> {
    this.#database ??= open(this.#place).catch((error: unknown) => {
      this.#database = undefined;
      throw error;
    });
    return this.#database;
  }

  async #sweep(database: UsageDatabase): Promise<void> {
    if (performance.now() - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = performance.now();
    await database.deleteFrom('playbook_shared').where('expires', '<', Date.now()).execute();
  }
}

async function open(place: UsagePlace): Promise<UsageDatabase> {
  const database = await connectUsage(place);
  try {
    await database.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${LOCK})`.execute(transaction);
      await sql`create table if not exists playbook_shared
        (key text not null primary key, value text not null, expires bigint not null)`.execute(transaction);
    });
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}
