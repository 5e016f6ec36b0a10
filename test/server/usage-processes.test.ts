import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { connectUsage } from '../../src/usage/connect.ts';
import { readUsage } from '../../src/usage/open.ts';
import type { UsagePlace } from '../../src/usage/place.ts';
import { usageStatus } from '../../src/usage/status.ts';
import { postgresPrograms, run } from '../usage/postgres.ts';
import { usePostgres } from '../usage/stores.ts';
import { rounds } from '../rounds.ts';
import { allEvents } from '../usage/seed.ts';
import { configFile, handshake, pipe, type Piped, seedFolder } from './product.ts';

const PROCESSES = 8;
const CALLS = rounds(1_000, 100);
const KILLS = rounds(50, 5);

const postgres = usePostgres();

interface Stage {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly place: UsagePlace;
}

const stores = [
  { name: 'SQLite', isThere: true, stage: () => Promise.resolve(stageOf(undefined)) },
  {
    name: 'PostgreSQL',
    isThere: postgresPrograms !== undefined,
    stage: async () => stageOf(await postgres().newDatabase()),
  },
];

function stageOf(url: string | undefined): Stage {
  const home = seedFolder({ 'playbooks/deploy.md': '---\ndescription: Deploy the app.\n---\nStep 1.\n' });
  const config = configFile({}, url === undefined ? {} : { usage: { store: url } });
  return {
    args: ['--no-starter', '--playbooks', join(home, 'playbooks'), '--config', config],
    env: { PLAYBOOK_MCP_HOME: home },
    place: url === undefined ? { kind: 'sqlite', path: join(home, 'state', 'usage.db') } : { kind: 'postgres', url },
  };
}

function start({ args, env }: Stage): Piped {
  const server = pipe({ args, env });
  for (const message of handshake) server.send(message);
  return server;
}

const deploy = (id: number): object => ({
  id,
  method: 'tools/call',
  params: { name: 'execute', arguments: { id: 'deploy', arguments: {} } },
});

describe.each(stores)('usage in $name', ({ isThere, stage: newStage }) => {
  it.skipIf(!isThere)(
    `has every event of ${PROCESSES} processes that write at once`,
    async () => {
      const stage = await newStage();
      const codes = await Promise.all(
        Array.from({ length: PROCESSES }, async () => {
          const one = start(stage);
          for (let id = 2; id < CALLS + 2; id += 1) one.send(deploy(id));
          await one.answer(CALLS + 1);
          return one.end();
        }),
      );
      expect(codes).toEqual(Array.from({ length: PROCESSES }, () => 0));
      const reader = await readUsage(stage.place);
      const events = await allEvents(reader);
      await reader.close();
      expect(events).toHaveLength(PROCESSES * CALLS);
      expect(new Set(events.map(({ session }) => session)).size).toBe(PROCESSES);
    },
    240_000,
  );
});

describe('usage of processes that are killed', () => {
  it('loses no more than the last moments, and the file stays sound', async () => {
    const stage = stageOf(undefined);
    const kills = Array.from({ length: KILLS }, (_, i) => i);
    const answered = new Map<number, readonly number[]>();
    while (kills.length > 0) {
      const some = kills.splice(0, 2);
      await Promise.all(some.map(async (kill) => answered.set(kill, await callUntilKilled(stage, kill))));
    }
    const database = await connectUsage(stage.place);
    const check = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(database);
    await database.destroy();
    expect(check.rows).toEqual([{ integrity_check: 'ok' }]);
    const reader = await readUsage(stage.place);
    const events = await allEvents(reader);
    await reader.close();
    for (const [kill, times] of answered) {
      const stored = events.filter(({ client }) => client === `kill-${kill}`).length;
      const due = times.filter((time) => time < times.at(-1)! - LOST_MS).length;
      expect([kill, stored >= due]).toEqual([kill, true]);
    }
    expect(events.length).toBeGreaterThan(0);
  }, 240_000);
});

/** A second, and what a machine adds that does other things as well. */
const LOST_MS = 5_000;

/** Calls every few milliseconds, and kills at a random moment after the first answer, once there is an event. @returns when each answer came */
async function callUntilKilled(stage: Stage, kill: number): Promise<readonly number[]> {
  const one = pipe(stage);
  one.send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: `kill-${kill}`, version: '1' } },
  });
  one.send({ method: 'notifications/initialized' });
  const times: number[] = [];
  const ended = new Promise((resolve) => one.child.once('close', resolve));
  one.child.stdin.on('error', () => undefined);
  for (let id = 2; !one.child.killed; id += 1) {
    one.send(deploy(id));
    await Promise.race([one.answer(id).then(() => times.push(Date.now())), ended]);
    if (id === 2) {
      // On a busy machine all could be over before the first has begun to write.
      void untilStored(stage.place, 1).then(() => setTimeout(() => one.child.kill('SIGKILL'), Math.random() * 2_000));
    }
    await delay(5);
  }
  await ended;
  return times;
}

describe.skipIf(postgresPrograms === undefined)('usage in a PostgreSQL server', () => {
  it('waits while the server is away, and is written when it is back', async () => {
    const stage = stageOf(await postgres().newDatabase());
    const one = start(stage);
    one.send(deploy(2));
    await one.answer(2);
    await untilStored(stage.place, 1);
    await postgres().stop();
    one.send(deploy(3));
    expect((await one.answer(3)).result?.isError).toBeUndefined();
    while (!one.stderr().includes('cannot be recorded')) await delay(50);
    await postgres().start();
    one.send(deploy(4));
    await untilStored(stage.place, 3);
    expect(await one.end()).toBe(0);
  }, 120_000);

  it('does not disturb serving where there never was one, and its password is told nowhere', async () => {
    const stage = stageOf('postgres://ann:s3cret@127.0.0.1:9/nowhere');
    const one = start(stage);
    one.send(deploy(2));
    expect((await one.answer(2)).result?.isError).toBeUndefined();
    one.send({
      id: 3,
      method: 'tools/call',
      params: { name: 'execute', arguments: { id: 'playbooks__report', arguments: { id: 'deploy', problem: 'x' } } },
    });
    const { result } = await one.answer(3);
    expect(result?.isError).toBe(true);
    expect(await one.end()).toBe(0);
    expect(one.stderr()).toContain('cannot be recorded');
    expect(`${JSON.stringify(result)}${one.stderr()}`).not.toContain('s3cret');
  }, 120_000);

  it('names who called, since several people share it', async () => {
    const stage = stageOf(await postgres().newDatabase());
    const one = start(stage);
    one.send(deploy(2));
    await one.answer(2);
    expect(await one.end()).toBe(0);
    const { kind, url } = stage.place as { kind: string; url: string };
    expect(kind).toBe('postgres');
    expect(await run(url, 'select user_name is not null as named, operation from usage_events')).toEqual([
      { named: true, operation: 'execute' },
    ]);
  });
});

async function untilStored(place: UsagePlace, events: number): Promise<void> {
  for (;;) {
    const status = await usageStatus(place).catch(() => undefined);
    if ((status?.events ?? 0) >= events) return;
    await delay(100);
  }
}
