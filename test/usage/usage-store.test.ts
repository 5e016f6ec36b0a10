import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { connectUsage } from '../../src/usage/connect.ts';
import { DAY_MS } from '../../src/usage/day.ts';
import { readUsage } from '../../src/usage/open.ts';
import type { UsagePlace } from '../../src/usage/place.ts';
import { usageStatus } from '../../src/usage/status.ts';
import { UsageStore } from '../../src/usage/usage-store.ts';
import { storesIn, usePostgres } from './stores.ts';
import { allEvents, entry, event, report } from './seed.ts';

const postgres = usePostgres();
const stores = storesIn(postgres);

async function opened(place: UsagePlace): Promise<UsageStore> {
  return UsageStore.open(place);
}

describe.each(stores)('a store in $name', ({ isThere, place: newPlace }) => {
  it.skipIf(!isThere)('gives back what was written, in the order of time, over many pages', async () => {
    const place = await newPlace();
    const store = await opened(place);
    const events = Array.from({ length: 12_345 }, (_, i) => event({ time: 1_000 + ((i * 7_919) % 12_345), tokens: i }));
    const odd = event({
      time: 5,
      operation: 'search',
      entry: null,
      kind: null,
      source: null,
      digest: null,
      query: "häufig “quoted” \u0001 \ud83d\ude80 '; drop table usage_events; --",
      shown: ['a:b', 'c__d'],
      rank: null,
      user: 'ann',
      trace: '0af7651916cd43dd8448eb211c80319c',
      ms: 0.25,
    });
    await store.write({ events: [...events, odd] });
    await store.close();
    const reader = await readUsage(place);
    const read = await allEvents(reader);
    expect(read[0]).toEqual(odd);
    expect(read).toHaveLength(12_346);
    expect(read.map(({ time }) => time)).toEqual(read.map(({ time }) => time).toSorted((a, b) => a - b));
    expect(new Set(read.map(({ id }) => id)).size).toBe(12_346);
    expect(await allEvents(reader, { since: 1_000, until: 1_010 })).toHaveLength(10);
    await reader.close();
  });

  it.skipIf(!isThere)('counts what is written twice once', async () => {
    const store = await opened(await newPlace());
    const [one, two, told] = [event(), event({ time: 2 }), report()];
    expect(await store.write({ events: [one, one, two], reports: [told] })).toEqual({
      events: 2,
      entries: 0,
      reports: 1,
    });
    expect(await store.write({ events: [one, two], reports: [told] })).toEqual({ events: 0, entries: 0, reports: 0 });
    await store.close();
  });

  it.skipIf(!isThere)('keeps since when an entry can be used, and until when', async () => {
    const place = await newPlace();
    const store = await opened(place);
    const local = { entry: 'workspace:x', source: 'workspace' };
    await store.write({
      entries: [
        entry({ firstSeen: 50, lastSeen: 60 }),
        entry({ ...local, repo: 'r1' }),
        entry({ ...local, repo: 'r2' }),
      ],
    });
    await store.write({ entries: [entry({ firstSeen: 70, lastSeen: 80 }), entry({ firstSeen: 40, lastSeen: 45 })] });
    expect(await store.write({ entries: [entry({ firstSeen: 55, lastSeen: 60 })] })).toMatchObject({ entries: 0 });
    expect([...(await store.lastSeen())].toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual([
      ['platform:deploy', 80],
      ['r1#workspace:x', 1],
      ['r2#workspace:x', 1],
    ]);
    await store.close();
    const reader = await readUsage(place);
    expect(await reader.seenEntries()).toEqual([
      entry({ firstSeen: 40, lastSeen: 80 }),
      entry({ ...local, repo: 'r1' }),
      entry({ ...local, repo: 'r2' }),
    ]);
    await reader.close();
  });

  it.skipIf(!isThere)('gives reports back, whole', async () => {
    const place = await newPlace();
    const told = report({ step: '3', user: 'ann', repo: 'github.com/org/shop' });
    const store = await opened(place);
    await store.write({ reports: [told] });
    await store.close();
    const reader = await readUsage(place);
    expect(await reader.reports()).toEqual([told]);
    await reader.close();
  });

  it.skipIf(!isThere)('removes what is too old, at most once a day', async () => {
    const place = await newPlace();
    const store = await opened(place);
    const now = 1_000 * DAY_MS;
    const old = event({ time: now - 11 * DAY_MS });
    await store.write({
      events: [old, event({ time: now - 9 * DAY_MS })],
      reports: [report({ time: now - 11 * DAY_MS })],
    });
    await store.purgeOld(10, now);
    expect(await usageStatus(place)).toMatchObject({ events: 1, reports: 0 });
    await store.write({ events: [old] });
    await store.purgeOld(10, now + DAY_MS / 2);
    expect(await usageStatus(place)).toMatchObject({ events: 2 });
    await store.purgeOld(10, now + DAY_MS + 1);
    // The newer one has become too old meanwhile as well.
    expect(await usageStatus(place)).toMatchObject({ events: 0 });
    await store.close();
  });

  it.skipIf(!isThere)('is made once by many that open it at the same moment', async () => {
    const place = await newPlace();
    const all = await Promise.all(Array.from({ length: 8 }, () => opened(place)));
    for (const store of all) await store.write({ events: [event()] });
    await Promise.all(all.map((store) => store.close()));
    expect(await usageStatus(place)).toMatchObject({ events: 8 });
  });

  it.skipIf(!isThere)('is left alone where a newer version has written it', async () => {
    const place = await newPlace();
    const store = await opened(place);
    await store.write({ events: [event()] });
    await store.close();
    const database = await connectUsage(place);
    await sql`update usage_meta set value = 99 where key = 'version'`.execute(database);
    await database.destroy();
    await expect(opened(place)).rejects.toMatchObject({ code: 'usage/newer' });
    await expect(readUsage(place)).rejects.toMatchObject({ code: 'usage/newer' });
    await expect(usageStatus(place)).rejects.toMatchObject({ code: 'usage/newer' });
  });

  it.skipIf(!isThere)('is empty, and is not made, where nobody has written to it', async () => {
    const place = await newPlace();
    const reader = await readUsage(place);
    expect([await allEvents(reader), await reader.seenEntries(), await reader.reports()]).toEqual([[], [], []]);
    await reader.close();
    expect(await usageStatus(place)).toBeUndefined();
  });

  it.skipIf(!isThere)('tells how much there is', async () => {
    const place = await newPlace();
    const store = await opened(place);
    await store.write({ events: [event({ time: 3 }), event({ time: 9 })], entries: [entry()], reports: [report()] });
    const status = await usageStatus(place);
    expect(status).toMatchObject({ events: 2, entries: 1, reports: 1, first: 3, last: 9 });
    expect(status!.bytes).toBeGreaterThan(0);
    expect(await store.removeBefore(9)).toBe(1);
    expect(await store.removeAll()).toBe(3);
    await store.close();
  });
});

it('keeps the file to its owner', async () => {
  const place = { kind: 'sqlite' as const, path: join(mkdtempSync(join(tmpdir(), 'usage-store-')), 'usage.db') };
  const store = await UsageStore.open(place);
  await store.write({ events: [event()] });
  expect([place.path, `${place.path}-wal`].map((path) => statSync(path).mode & 0o077)).toEqual([0, 0]);
  await store.close();
});

it('says what failed, also where SQLite has taken the transaction back by itself, as on a full disk', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'usage-store-')), 'usage.db');
  const database = await connectUsage({ kind: 'sqlite', path });
  await sql`create table kept (text text primary key)`.execute(database);
  const writing = database.transaction().execute(async (transaction) => {
    await sql`insert or rollback into kept values ('a'), ('a')`.execute(transaction);
  });
  await expect(writing).rejects.toThrow('UNIQUE constraint failed');
  await database.destroy();
});
