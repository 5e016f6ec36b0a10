import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { connectUsage } from '../../src/usage/connect.ts';
import { DAY_MS } from '../../src/usage/day.ts';
import { readUsage } from '../../src/usage/open.ts';
import type { UsagePlace } from '../../src/usage/place.ts';
import { UsageStore } from '../../src/usage/usage-store.ts';
import { postgresPrograms } from './postgres.ts';
import { storesIn, usePostgres } from './stores.ts';
import { allEvents, event } from './seed.ts';

const postgres = usePostgres();
const stores = storesIn(postgres);

async function textsIn(place: UsagePlace): Promise<readonly string[]> {
  const database = await connectUsage(place);
  const rows = await database.selectFrom('usage_texts').select('text').orderBy('id').execute();
  await database.destroy();
  return rows.map(({ text }) => text);
}

const searched = (query: string, time: number) => event({ time, operation: 'search', entry: null, query, shown: [] });

describe.each(stores)('texts of events in $name', ({ isThere, place: newPlace }) => {
  it.skipIf(!isThere)('are kept once', async () => {
    const place = await newPlace();
    const store = await UsageStore.open(place);
    await store.write({ events: [event(), event()] });
    await store.write({ events: [event(), event({ session: 'other' })] });
    await store.close();
    const texts = await textsIn(place);
    expect(texts.toSorted()).toEqual([
      'd',
      'execute',
      'ok',
      'other',
      'platform',
      'platform:deploy',
      'playbook',
      's',
      'test',
    ]);
  });

  it.skipIf(!isThere)('go with the last event that has them, also within a day', async () => {
    const place = await newPlace();
    const store = await UsageStore.open(place);
    const noon = 100 * DAY_MS + DAY_MS / 2;
    await store.write({
      events: [
        searched('asked once', 90 * DAY_MS),
        searched('asked again', 90 * DAY_MS),
        searched('in the morning', noon - 1),
        searched('all day', noon - 1),
        searched('all day', noon),
      ],
    });
    await store.write({ events: [searched('asked again', 101 * DAY_MS), searched('asked once', 89 * DAY_MS)] });
    expect(await store.removeBefore(noon)).toBe(5);
    const texts = await textsIn(place);
    expect(texts.filter((text) => text.includes(' ')).toSorted()).toEqual(['all day', 'asked again']);
    const reader = await readUsage(place);
    expect((await allEvents(reader)).map(({ query }) => query)).toEqual(['all day', 'asked again']);
    await reader.close();
    await store.removeAll();
    expect(await textsIn(place)).toEqual([]);
    await store.close();
  });

  it.skipIf(!isThere)('come back as they can be stored, of any length, whatever they hold', async () => {
    const place = await newPlace();
    const store = await UsageStore.open(place);
    const long = Array.from({ length: 20_000 }, () => Math.random().toString(36)).join(' ');
    const odd = ['\ud83d', 'a\\b \\x41', '', "'; drop table usage_texts; --", '\u0001\u{1f680}', long];
    await store.write({ events: odd.map((query, at) => searched(query, at)) });
    await store.close();
    const reader = await readUsage(place);
    expect((await allEvents(reader)).map(({ query }) => query)).toEqual(['\ufffd', ...odd.slice(1)]);
    await reader.close();
  });

  it.skipIf(!isThere)('never get the number of one that was removed', async () => {
    const place = await newPlace();
    const store = await UsageStore.open(place);
    const ids = async (): Promise<readonly number[]> => {
      const database = await connectUsage(place);
      const { rows } = await sql<{ readonly id: number }>`select id from usage_texts`.execute(database);
      await database.destroy();
      return rows.map(({ id }) => id);
    };
    await store.write({ events: [event()] });
    const before = await ids();
    await store.removeAll();
    await store.write({ events: [event()] });
    expect(Math.min(...(await ids()))).toBeGreaterThan(Math.max(...before));
    await store.close();
  });
});

// Of SQLite, whose transactions hold their thread, `usage-processes.test.ts` has eight processes write at once.
describe.skipIf(postgresPrograms === undefined)('texts that several write to PostgreSQL', () => {
  it('stop nobody, and none is removed while somebody writes an event that has it', async () => {
    const place = { kind: 'postgres' as const, url: await postgres().newDatabase() };
    const remover = await UsageStore.open(place);
    const writers = await Promise.all(Array.from({ length: 4 }, () => UsageStore.open(place)));
    const rounds = Array.from({ length: 20 }, (_, round) => round);
    const write = async (store: UsageStore, of: number): Promise<void> => {
      for (const round of rounds) {
        // The same texts by each, in another order.
        const events = rounds.map((at) => searched(`query ${(at * (of + 1) + round) % 40}`, (90 + at) * DAY_MS));
        await store.write({ events: of % 2 === 0 ? events : events.toReversed() });
      }
    };
    const remove = async (): Promise<void> => {
      for (const round of rounds) await remover.removeBefore((90 + round) * DAY_MS);
    };
    await Promise.all([...writers.map(write), remove()]);
    await Promise.all([remover, ...writers].map((store) => store.close()));
    const reader = await readUsage(place);
    const events = await allEvents(reader);
    await reader.close();
    expect(events.length).toBeGreaterThan(0);
    expect(events.filter(({ query, session }) => query === null || session !== 's')).toEqual([]);
  });
});

it('are gone from a file of SQLite once it is made smaller', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'usage-texts-')), 'usage.db');
  const store = await UsageStore.open({ kind: 'sqlite', path });
  await store.write({ events: [searched('a secret wish', 1), searched('another one', 2 * DAY_MS)] });
  await store.removeBefore(DAY_MS);
  await store.compact();
  await store.close();
  const file = readFileSync(path, 'latin1');
  expect([file.includes('a secret wish'), file.includes('another one')]).toEqual([false, true]);
});
