import { sql } from 'kysely';
import { connectUsage, type UsageDatabase } from './connect.ts';
import type { UsagePlace } from './place.ts';

/** Of the advisory lock under which processes that start at once make the table: any number that nobody else takes. */
const LOCK = 7_529_684;
const SWEEP_MS = 60_000;

/** Texts with an end that several processes read and write: what one replica keeps for a client that the next call leads to another. */
export class SharedState {
  readonly #database: Promise<UsageDatabase>;
  #sweptAt = performance.now();

  /** Connects when first used. @param place a PostgreSQL database */
  constructor(place: UsagePlace) {
    this.#database = open(place);
    // Told to whoever uses it.
    this.#database.catch(() => undefined);
  }

  /** Keeps a text. @param expires milliseconds since 1970 */
  async put(key: string, value: string, expires: number): Promise<void> {
    const database = await this.#database;
    const row = { key, value, expires };
    await database
      .insertInto('playbook_shared')
      .values(row)
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute();
    await this.#sweep(database);
  }

  /** The text that is kept under a key; undefined where there is none any more. */
  async get(key: string): Promise<string | undefined> {
    const database = await this.#database;
    const query = database.selectFrom('playbook_shared').select('value').where('key', '=', key);
    return (await query.where('expires', '>', Date.now()).executeTakeFirst())?.value;
  }

  /** Takes a key that can be taken once. @returns whether it was free. */
  async claim(key: string, expires: number): Promise<boolean> {
    const database = await this.#database;
    const insertion = database.insertInto('playbook_shared').values({ key, value: '', expires });
    const result = await insertion.onConflict((conflict) => conflict.column('key').doNothing()).executeTakeFirst();
    return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  async close(): Promise<void> {
    const [outcome] = await Promise.allSettled([this.#database]);
    if (outcome.status === 'fulfilled') await outcome.value.destroy();
  }

  async #sweep(database: UsageDatabase): Promise<void> {
    if (performance.now() - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = performance.now();
    await database.deleteFrom('playbook_shared').where('expires', '<', Date.now()).execute();
  }
}

async function open(place: UsagePlace): Promise<UsageDatabase> {
  const database = await connectUsage(place);
  await database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(transaction);
    await sql`create table if not exists playbook_shared
      (key text not null primary key, value text not null, expires bigint not null)`.execute(transaction);
  });
  return database;
}
