import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** A PostgreSQL server of its own, as Debian's package `postgresql` has it, for the tests of one file. */
export interface PostgresServer {
  readonly url: string;
  /** An empty database. */
  readonly newDatabase: () => Promise<string>;
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Stops it and removes its files. */
  readonly close: () => Promise<void>;
}

/** The folder of `initdb` and `postgres`; undefined where they are not installed, which is said. */
export const postgresPrograms = findPrograms();
if (postgresPrograms === undefined) {
  process.stderr.write('SKIPPED: tests against PostgreSQL; `apt-get install postgresql` brings what they start.\n');
}

function findPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** The server refuses to run as root. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

export async function startPostgres(): Promise<PostgresServer> {
  if (postgresPrograms === undefined) throw new Error('PostgreSQL is not installed.');
  const folder = mkdtempSync(join(tmpdir(), 'playbook-mcp-pg-'));
  const [data, sockets] = [join(folder, 'data'), join(folder, 's')];
  mkdirSync(sockets);
  const as = unprivileged();
  if (as.uid !== undefined) for (const path of [folder, sockets]) chownSync(path, as.uid, as.gid!);
  const env = { ...process.env, HOME: folder };
  execFileSync(
    join(postgresPrograms, 'initdb'),
    ['-D', data, '-A', 'trust', '-U', 'tester', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    { ...as, env, cwd: folder, stdio: 'pipe' },
  );
  const port = await freePort();
  const url = `postgres://tester:s3cret@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const args = ['-D', data, '-k', sockets, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'];
    child = spawn(join(postgresPrograms, 'postgres'), args, { ...as, env, cwd: folder, stdio: 'ignore' });
    await untilReady(url);
  };
  const stop = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    // Immediate: clients are cut off, as by a machine that goes down.
    child.kill('SIGQUIT');
    await exited;
  };
  await start();
  let last = 0;
  return {
    url,
    newDatabase: async () => {
      last += 1;
      await run(url, `create database d${last}`);
      return url.replace(/postgres$/, `d${last}`);
    },
    start,
    stop,
    close: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs one statement. */
export async function run(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

async function untilReady(url: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await run(url, 'select 1');
      return;
    } catch (error) {
      if (tries > 200) throw error;
      await delay(100);
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
