import { sql } from 'kysely';
import { PlaybookError } from '../errors.ts';
import { codeEvents } from './code-events.ts';
import { compact, type UsageDatabase } from './connect.ts';
import { failureOf } from './failure.ts';
import { makePages } from './packed-pages.ts';
import { placeText, type UsagePlace } from './place.ts';
import { wordsOf } from './tables.ts';

/** One step of the tables, in both dialects: rows are kept in the order of time, which is how they are read and removed. */
type Migration = (database: UsageDatabase, kind: UsagePlace['kind']) => Promise<void>;

const MIGRATIONS: readonly Migration[] = [createTables, codeEvents, makePages];
/** The first one that does not touch events. */
const SWIFT = 2;

/** Told in words of what is going on. */
export type Tell = (message: string) => void;

/** Events that take seconds. */
const MANY = 100_000;

/** Of the advisory lock under which processes that start at once make the tables: any number that nobody else takes. */
const LOCK = 7_529_683;

/**
 * Brings the tables to this version. Other processes that write wait meanwhile.
 *
 * @param tell told once where that can take long.
 * @throws PlaybookError `usage/newer` for a store of a newer version, which is left as it is.
 */
export async function migrate(database: UsageDatabase, place: UsagePlace, tell: Tell = () => undefined): Promise<void> {
  if ((await versionOf(database, place)) === MIGRATIONS.length) return;
  const from = await database.transaction().execute(async (transaction) => {
    if (place.kind === 'postgres') await sql`select pg_advisory_xact_lock(${LOCK})`.execute(transaction);
    const version = await versionOf(transaction, place);
    if (version > 0 && version < SWIFT) await tellOfMany(transaction, place, tell);
    for (const step of MIGRATIONS.slice(version)) await step(transaction, place.kind);
    if (version < MIGRATIONS.length) await setVersion(transaction, MIGRATIONS.length);
    return version;
  });
  if (place.kind === 'sqlite' && from > 0 && from < SWIFT) await shrink(database);
}

async function tellOfMany(database: UsageDatabase, place: UsagePlace, tell: Tell): Promise<void> {
  const { rows } = await sql<{ readonly events: number }>`select count(*) as events from usage_events`.execute(
    database,
  );
  const events = rows[0]?.events ?? 0;
  if (events < MANY) return;
  tell(
    `The ${events.toLocaleString('en-US')} events in ${placeText(place)} are put into the tables of this version, once: a second or two for each 100,000.`,
  );
}

/** Gives the room of the old tables back to the disk, if nobody else uses the file at this moment. */
async function shrink(database: UsageDatabase): Promise<void> {
  try {
    await compact(database);
  } catch (error) {
    if (failureOf(error) !== 'busy') throw error;
  }
}

/** 0 for a store without tables. @throws PlaybookError `usage/newer`. */
async function versionOf(database: UsageDatabase, place: UsagePlace): Promise<number> {
  if (!(await hasTables(database, place))) return 0;
  const row = await database.selectFrom('usage_meta').select('value').where('key', '=', 'version').executeTakeFirst();
  const version = row?.value ?? 0;
  if (version <= MIGRATIONS.length) return version;
  throw new PlaybookError(
    'usage/newer',
    `The usage in ${placeText(place)} was written by a newer version of playbook-mcp (its tables have version ${version}, this one knows ${MIGRATIONS.length}); it is left alone.`,
    { hint: 'Update playbook-mcp, or name another store by `usage.store`.' },
  );
}

/** Whether a store has tables of ours. */
export async function hasTables(database: UsageDatabase, { kind }: UsagePlace): Promise<boolean> {
  const query =
    kind === 'sqlite'
      ? sql`select 1 as found from sqlite_master where type = 'table' and name = 'usage_meta'`
      : // Not `to_regclass`, which may still know what was before another process's transaction.
        sql`select 1 as found from pg_class where relname = 'usage_meta' and pg_table_is_visible(oid)`;
  return (await query.execute(database)).rows.length > 0;
}

async function setVersion(database: UsageDatabase, version: number): Promise<void> {
  await database
    .insertInto('usage_meta')
    .values({ key: 'version', value: version })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: version }))
    .execute();
}

async function createTables(database: UsageDatabase, kind: UsagePlace['kind']): Promise<void> {
  const { integer, real, end } = wordsOf(kind);
  const tables = [
    `create table usage_meta (key text not null primary key, value ${integer} not null)`,
    `create table usage_events (time ${integer} not null, id text not null, session text not null, client text,
      user_name text, repo text, operation text not null, entry text, kind text, source text, digest text,
      outcome text not null, code text, ms ${real} not null, tokens ${integer} not null, rank ${integer}, query text,
      shown text, trace text, primary key (time, id))`,
    `create table usage_entries (key text not null primary key, entry text not null, kind text not null,
      source text not null, repo text, first_seen ${integer} not null, last_seen ${integer} not null)`,
    `create table usage_reports (time ${integer} not null, id text not null, entry text not null, repo text,
      digest text not null, step text, problem text not null, client text, user_name text, primary key (time, id))`,
  ];
  for (const table of tables) await sql.raw(`${table} ${end}`).execute(database);
}
