import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { UsagePlace } from '../../src/usage/place.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from './postgres.ts';

/** A PostgreSQL server from the first test of a file to the last, where one can be had. @returns gives it, while tests run */
export function usePostgres(): () => PostgresServer {
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    if (postgresPrograms !== undefined) server = await startPostgres();
  });
  afterAll(() => server?.close());
  return () => {
    if (server === undefined) throw new Error('no PostgreSQL is running');
    return server;
  };
}

/** A place in each kind of database; `isThere` says whether its tests can be run. */
export function storesIn(postgres: () => PostgresServer) {
  return [
    {
      name: 'SQLite',
      isThere: true,
      place: (): Promise<UsagePlace> =>
        Promise.resolve({ kind: 'sqlite', path: join(mkdtempSync(join(tmpdir(), 'usage-')), 'state', 'usage.db') }),
    },
    {
      name: 'PostgreSQL',
      isThere: postgresPrograms !== undefined,
      place: async (): Promise<UsagePlace> => ({ kind: 'postgres', url: await postgres().newDatabase() }),
    },
  ];
}
