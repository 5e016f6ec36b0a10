import { randomInt } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { threadFile } from '../../src/server/package-root.ts';
import { connectUsage, type UsageDatabase } from '../../src/usage/connect.ts';
import type { CodedEvent, TimeRange, UsageEvent } from '../../src/usage/event.ts';
import type { UsagePlace } from '../../src/usage/place.ts';
import { CodedEvents } from '../../src/usage/read-events.ts';
import { UsageStore } from '../../src/usage/usage-store.ts';
import { event } from './seed.ts';

const HOUR = 3_600_000;
const NOW = 1_790_000_000_000;
const DAY = 24 * HOUR;

const open: { readonly close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function newStore() {
  const path = join(mkdtempSync(join(tmpdir(), 'usage-')), 'usage.db');
  const place = { kind: 'sqlite', path } as const;
  const store = await UsageStore.open(place);
  const database = await connectUsage(place);
  open.push(store, { close: () => database.destroy() });
  return { place, store, database };
}

async function packAll(store: UsageStore): Promise<void> {
  while (await store.pack(NOW));
}

/** As they are counted, by pages where there are any. */
async function counted(place: UsagePlace, range?: TimeRange, readerFile?: string): Promise<CodedEvent[]> {
  const database = await connectUsage(place);
  const all: CodedEvent[] = [];
  for await (const some of new CodedEvents(database, { place, range, readerFile })) all.push(...some);
  await database.destroy();
  return all;
}

async function countedByRows(place: UsagePlace, database: UsageDatabase, range?: TimeRange): Promise<CodedEvent[]> {
  await sql`alter table usage_pages rename to usage_pages_away`.execute(database);
  await sql`create table usage_pages as select * from usage_pages_away where false`.execute(database);
  const all = await counted(place, range);
  await sql`drop table usage_pages`.execute(database);
  await sql`alter table usage_pages_away rename to usage_pages`.execute(database);
  return all;
}

/** How many pages there are, and whether each begins where the one before it ends. */
async function pages(database: UsageDatabase): Promise<{ readonly count: number; readonly gaps: number }> {
  const rows = await database.selectFrom('usage_pages').selectAll().orderBy('end_time').orderBy('end_id').execute();
  const gaps = rows.filter((row, at) => at > 0 && row.start_id !== rows[at - 1]?.end_id).length;
  return { count: rows.length, gaps };
}

/** Events of an hour ago and before, some at the same moment. */
function events(count: number, from = NOW - 300 * DAY): UsageEvent[] {
  return Array.from({ length: count }, (_, at) =>
    event({
      time: from + Math.floor(at / 3) * 60_000,
      session: `s${at % 50}`,
      operation: at % 2 === 0 ? 'search' : 'execute',
      query: at % 2 === 0 ? `query ${at % 700}` : null,
      shown: at % 2 === 0 ? ['a:b', `c:${at % 7}`] : null,
      ms: at / 7,
      code: at % 11 === 0 ? 'tools/timeout' : null,
    }),
  );
}

describe('packed pages', () => {
  it('are read as the rows are, also by the thread, also from and up to the middle of one', async () => {
    const { place, store, database } = await newStore();
    const all = events(5_500);
    await store.write({ events: all });
    await packAll(store);
    expect(await pages(database)).toEqual({ count: 5, gaps: 0 });
    const [since, until] = [all[1_600]?.time ?? 0, all[4_321]?.time ?? 0];
    for (const range of [undefined, { since }, { until }, { since, until }, { since: all[1_000]?.time ?? 0 }]) {
      const byRows = await countedByRows(place, database, range);
      expect(byRows.length).toBeGreaterThan(2_000);
      expect(await counted(place, range)).toEqual(byRows);
      expect(await counted(place, range, threadFile('usage-reader'))).toEqual(byRows);
    }
  });

  it('leave out what is not settled, and what does not fill one', async () => {
    const { store, database } = await newStore();
    await store.write({ events: events(1_500, NOW - HOUR / 2) });
    await packAll(store);
    expect(await pages(database)).toEqual({ count: 0, gaps: 0 });
    await store.write({ events: events(999) });
    await packAll(store);
    expect(await pages(database)).toEqual({ count: 0, gaps: 0 });
  });

  it('are packed some at a time, which says that more are left', async () => {
    const { store, database } = await newStore();
    await store.write({ events: events(21_500) });
    expect(await store.pack(NOW)).toBe(true);
    expect(await pages(database)).toEqual({ count: 20, gaps: 0 });
    expect(await store.pack(NOW)).toBe(false);
    expect(await pages(database)).toEqual({ count: 21, gaps: 0 });
  });

  it('are gone as soon as one of their events changes, whoever does it, and are packed again', async () => {
    const { place, store, database } = await newStore();
    const all = events(5_500);
    await store.write({ events: all });
    await packAll(store);
    const late = event({ time: all[2_500]?.time ?? 0 });
    await store.write({ events: [late] });
    expect(await pages(database)).toEqual({ count: 4, gaps: 1 });
    expect(await counted(place)).toHaveLength(5_501);
    // What is there already changes nothing.
    await store.write({ events: [late, ...all] });
    expect((await pages(database)).count).toBe(4);
    await packAll(store);
    expect(await pages(database)).toEqual({ count: 6, gaps: 0 });
    await sql`delete from usage_coded_events where id = ${all[10]?.id ?? ''}`.execute(database);
    await sql`update usage_coded_events set tokens = 77 where id = ${all[4_500]?.id ?? ''}`.execute(database);
    expect((await pages(database)).count).toBe(4);
    expect(await counted(place)).toEqual(await countedByRows(place, database));
    expect((await counted(place)).filter(({ tokens }) => tokens === 77)).toHaveLength(1);
  });

  it('go with the events that are purged', async () => {
    const { place, store, database } = await newStore();
    const all = events(5_500);
    await store.write({ events: all });
    await packAll(store);
    await store.removeBefore(all[2_500]?.time ?? 0);
    expect((await pages(database)).count).toBe(2);
    expect(await counted(place)).toEqual(await countedByRows(place, database));
    expect(await counted(place)).toHaveLength(all.filter(({ time }) => time >= (all[2_500]?.time ?? 0)).length);
    await store.removeAll();
    expect(await pages(database)).toEqual({ count: 0, gaps: 0 });
    expect(await counted(place)).toEqual([]);
  });

  it('say what the rows say after any changes', async () => {
    const { place, store, database } = await newStore();
    for (let round = 0; round < 12; round += 1) {
      const from = NOW - randomInt(400) * DAY;
      if (round % 4 === 3) await store.removeBefore(NOW - randomInt(350, 420) * DAY);
      await store.write({ events: events(randomInt(1, 3_000), from) });
      if (round % 3 !== 0) await packAll(store);
      expect(await counted(place)).toEqual(await countedByRows(place, database));
    }
    const { count } = await pages(database);
    expect(count).toBeGreaterThan(0);
  });
});
