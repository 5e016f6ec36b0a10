import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { connectUsage } from '../../src/usage/connect.ts';
import type { UsageEvent } from '../../src/usage/event.ts';
import { failureOf } from '../../src/usage/failure.ts';
import { foldUsage } from '../../src/usage/fold/fold.ts';
import { readUsage } from '../../src/usage/open.ts';
import type { UsagePlace } from '../../src/usage/place.ts';
import { usageStatus } from '../../src/usage/status.ts';
import { UsageStore } from '../../src/usage/usage-store.ts';
import { storesIn, usePostgres } from './stores.ts';
import { allEvents, entry, event, report } from './seed.ts';

const postgres = usePostgres();
const stores = storesIn(postgres);

/** The tables of the first version, as it made them. */
async function makeFirstVersion(place: UsagePlace): Promise<void> {
  const isSqlite = place.kind === 'sqlite';
  if (isSqlite) mkdirSync(dirname(place.path), { recursive: true });
  const [integer, real, end] = isSqlite
    ? ['integer', 'real', 'strict, without rowid']
    : ['bigint', 'double precision', ''];
  const database = await connectUsage(place);
  for (const table of [
    `create table usage_meta (key text not null primary key, value ${integer} not null)`,
    `create table usage_events (time ${integer} not null, id text not null, session text not null, client text,
      user_name text, repo text, operation text not null, entry text, kind text, source text, digest text,
      outcome text not null, code text, ms ${real} not null, tokens ${integer} not null, rank ${integer}, query text,
      shown text, trace text, primary key (time, id))`,
    `create table usage_entries (key text not null primary key, entry text not null, kind text not null,
      source text not null, repo text, first_seen ${integer} not null, last_seen ${integer} not null)`,
    `create table usage_reports (time ${integer} not null, id text not null, entry text not null, repo text,
      digest text not null, step text, problem text not null, client text, user_name text, primary key (time, id))`,
  ]) {
    await sql.raw(`${table} ${end}`).execute(database);
  }
  await sql`insert into usage_meta (key, value) values ('version', 1)`.execute(database);
  await database.destroy();
}

/** Writes as the first version did. */
async function writeAsFirst(place: UsagePlace, events: readonly UsageEvent[]): Promise<void> {
  const database = await connectUsage(place);
  try {
    for (const { user, shown, ...rest } of events) {
      const row = { ...rest, user_name: user, shown: shown === null ? null : JSON.stringify(shown) };
      const [columns, values] = [Object.keys(row), Object.values(row)];
      await sql`insert into usage_events (${sql.join(columns.map((column) => sql.ref(column)))})
        values (${sql.join(values)})`.execute(database);
    }
  } finally {
    await database.destroy();
  }
}

async function read(place: UsagePlace): Promise<UsageEvent[]> {
  const reader = await readUsage(place);
  const events = await allEvents(reader);
  await reader.close();
  return events;
}

const OLD = [
  event({ time: 1, session: '', client: '', user: 'ann', repo: 'r', trace: '0af7651916cd43dd8448eb211c80319c' }),
  event({ time: 2, session: '', outcome: 'error', code: 'tools/timeout', ms: 0.25 }),
  event({
    time: 3,
    session: 'ann',
    operation: 'search',
    entry: null,
    query: 'häufig \\x41 “q” \u{1f680}',
    shown: ['a:b', 'c__d'],
  }),
  event({ time: 4, session: 'ann', entry: `a:${'long '.repeat(3_000)}${Math.random()}`, rank: 3 }),
];

describe.each(stores)('a store of the first version in $name', ({ isThere, place: newPlace }) => {
  it.skipIf(!isThere)('gives back every event as it was, and takes more', async () => {
    const place = await newPlace();
    await makeFirstVersion(place);
    await writeAsFirst(place, OLD);
    expect(await read(place)).toEqual(OLD);
    const store = await UsageStore.open(place);
    const added = event({ time: 5 });
    expect(await store.write({ events: [...OLD, added], entries: [entry()], reports: [report()] })).toEqual({
      events: 1,
      entries: 1,
      reports: 1,
    });
    await store.close();
    expect(await read(place)).toEqual([...OLD, added]);
    expect(await usageStatus(place)).toMatchObject({ events: 5, first: 1, last: 5 });
  });

  it.skipIf(!isThere)('counts each call without a session as one of its own', async () => {
    const place = await newPlace();
    await makeFirstVersion(place);
    await writeAsFirst(place, OLD);
    const reader = await readUsage(place);
    const folded = await foldUsage(reader);
    await reader.close();
    expect(folded.funnel.sessions).toBe(3);
    expect(folded.clients.get('')?.events).toBe(1);
    expect(folded.totals).toMatchObject({ events: 4, failures: 1, searches: 1 });
    expect(folded.totals.users.size).toBe(1);
  });

  it.skipIf(!isThere)('is brought to this version once by many that open it at the same moment', async () => {
    const place = await newPlace();
    await makeFirstVersion(place);
    await writeAsFirst(place, OLD);
    const all = await Promise.all(Array.from({ length: 8 }, () => UsageStore.open(place)));
    for (const store of all) await store.write({ events: [event({ time: 9 })] });
    await Promise.all(all.map((store) => store.close()));
    expect(await read(place)).toHaveLength(OLD.length + 8);
  });

  it.skipIf(!isThere)(
    'lets a process of that version find that it is newer, by a failure that is no refusal of rows',
    async () => {
      const place = await newPlace();
      await makeFirstVersion(place);
      await writeAsFirst(place, OLD);
      await read(place);
      // What is refused would be dropped batch by batch; after another failure the store is opened anew, and its version looked at.
      const failure = await writeAsFirst(place, [event()]).then(
        () => 'none',
        (error: unknown) => failureOf(error),
      );
      expect(failure).toBe('unavailable');
      expect(await read(place)).toEqual(OLD);
    },
  );
});
