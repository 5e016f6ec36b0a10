import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  sql,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';
import { messageOf } from '../errors.ts';
import type { UsagePlace } from './place.ts';
import type { UsageTables } from './tables.ts';

export type UsageDatabase = Kysely<UsageTables>;

/** How long a statement waits for the other processes that write. */
const BUSY_MS = 2_000;
/** A server that does not answer so long is away: the events wait in the queue meanwhile. */
const CONNECT_MS = 5_000;
/** How statements begin that insert events, and that a connection to SQLite keeps prepared. */
export const INSERT_EVENTS = 'insert into usage_coded_events ';
/** Statements that are kept prepared. */
const MOST_STATEMENTS = 16;
/** Hundreds of agents must not each hold a connection that they use once a minute. */
const IDLE_MS = 10_000;

/** Connects to a store, whose tables may not be there yet. @throws whatever the driver has to say: see `failureOf`. */
export async function connectUsage(place: UsagePlace): Promise<UsageDatabase> {
  return place.kind === 'sqlite' ? connectSqlite(place.path) : connectPostgres(place.url);
}

/** Takes what was removed off the disk: SQLite only marks it as free. @throws while other processes write. */
export async function compact(database: UsageDatabase): Promise<void> {
  await sql`vacuum`.execute(database);
  await sql`pragma wal_checkpoint(truncate)`.execute(database);
}

async function connectSqlite(path: string): Promise<UsageDatabase> {
  const { default: Database } = await import('libsql');
  const database = new Database(path, { timeout: BUSY_MS });
  try {
    // Also the first look into the file: one that is no database fails here.
    database.pragma('journal_mode = WAL');
    // In WAL mode this loses nothing when a process is killed, and the last moment when the machine is.
    database.pragma('synchronous = NORMAL');
  } catch (error) {
    database.close();
    throw error;
  }
  return new Kysely<UsageTables>({ dialect: new LibsqlDialect({ database: withKnownStatements(database) }) });
}

/** A store is read and written by the same few statements, each of which takes as long to prepare as some events to read or write. */
function withKnownStatements(database: SqliteDatabase): SqliteDatabase {
  const known = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare: (text) => {
      if (!text.startsWith('select ') && !text.startsWith(INSERT_EVENTS)) return database.prepare(text);
      const statement = known.get(text) ?? database.prepare(text);
      if (known.size >= MOST_STATEMENTS) known.clear();
      known.set(text, statement);
      return statement;
    },
  };
}

/** libsql speaks as better-sqlite3 does, for which kysely has a dialect. */
class LibsqlDialect extends SqliteDialect {
  readonly #config: ConstructorParameters<typeof SqliteDialect>[0];

  constructor(config: ConstructorParameters<typeof SqliteDialect>[0]) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new ImmediateDriver(this.#config);
  }
}

/** A transaction that reads before it writes fails where another process wrote in between; one that begins as a writer waits. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** SQLite takes a transaction back itself where the disk is full: that there is none any more must not hide why. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!/no transaction is active/.test(messageOf(error))) throw error;
    }
  }
}

async function connectPostgres(url: string): Promise<UsageDatabase> {
  const [{ default: pg }, { PostgresDialect }] = await Promise.all([import('pg'), import('kysely')]);
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'playbook-mcp',
    max: 2,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    // Times are milliseconds: a number holds them exactly.
    types: {
      getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
    },
  });
  // A connection that breaks while nobody uses it is replaced by the next query; unheard it would end the process.
  pool.on('error', () => undefined);
  return new Kysely<UsageTables>({ dialect: new PostgresDialect({ pool }) });
}
