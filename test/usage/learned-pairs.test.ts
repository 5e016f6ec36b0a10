import { describe, expect, it } from 'vitest';
import { connectExisting } from '../../src/usage/connect-existing.ts';
import { DAY_MS } from '../../src/usage/day.ts';
import type { UsageEvent } from '../../src/usage/event.ts';
import { type PairsOptions, readLearnedPairs } from '../../src/usage/learned-pairs.ts';
import type { UsagePlace } from '../../src/usage/place.ts';
import { UsageStore } from '../../src/usage/usage-store.ts';
import { event } from './seed.ts';
import { storesIn, usePostgres } from './stores.ts';

const stores = storesIn(usePostgres());
const NOW = 1_790_000_000_000;

async function pairsOf(place: UsagePlace, events: readonly UsageEvent[], options: Partial<PairsOptions> = {}) {
  const store = await UsageStore.open(place);
  await store.write({ events });
  await store.close();
  const database = (await connectExisting(place))!;
  const pairs = await readLearnedPairs(database, { kind: place.kind, now: NOW, ...options });
  await database.destroy();
  return pairs.map(({ query, key, callers, callersOfEntry }) => [query, key, callers, callersOfEntry]);
}

const used = (query: string | null, session: string, more: Partial<UsageEvent> = {}): UsageEvent =>
  event({ time: NOW - 1, query, session, ...more });

describe.each(stores)('what use teaches, read from $name', ({ isThere, place: newPlace }) => {
  it.skipIf(!isThere)('counts callers, not calls, and what most did comes first', async () => {
    const events = [
      used('ship it', 'a'),
      ...Array.from({ length: 5 }, () => used('send out', 'a')),
      used('ship it', 'b'),
      used('ship it', 'c', { entry: 'platform:other' }),
    ];
    expect(await pairsOf(await newPlace(), events)).toEqual([
      ['ship it', 'platform:deploy', 2, 2],
      ['send out', 'platform:deploy', 1, 2],
      ['ship it', 'platform:other', 1, 1],
    ]);
  });

  it.skipIf(!isThere)('takes the sessions of one person for one caller', async () => {
    const events = ['a', 'b', 'c'].map((session) => used('ship it', session, { user: 'ada' }));
    expect(await pairsOf(await newPlace(), [...events, used('ship it', 'd', { user: 'bob' })])).toEqual([
      ['ship it', 'platform:deploy', 2, 2],
    ]);
  });

  it.skipIf(!isThere)('leaves out what teaches nothing', async () => {
    const events = [
      used('failed', 'a', { outcome: 'error', code: 'tools/timeout' }),
      used('only looked at', 'a', { operation: 'get_schema' }),
      used('only asked', 'a', { operation: 'search', entry: null }),
      used(null, 'a'),
      used(`sha256:${'0'.repeat(32)}`, 'a'),
      used('by nobody knows whom', ''),
      used('long ago', 'a', { time: NOW - 181 * DAY_MS }),
    ];
    expect(await pairsOf(await newPlace(), events)).toEqual([]);
    expect(await pairsOf(await newPlace(), [...events, used('ship it', 'a')])).toEqual([
      ['ship it', 'platform:deploy', 1, 1],
    ]);
  });

  it.skipIf(!isThere)('keeps the playbooks of repositories apart', async () => {
    const local = { entry: 'workspace:deploy', source: 'workspace' };
    const events = [
      used('ship it', 'a', { ...local, repo: 'org/shop' }),
      used('ship it', 'b', { ...local, repo: 'org/shop' }),
      used('ship it', 'c', { ...local, repo: 'org/blog' }),
      used('ship it', 'd', { repo: 'org/shop' }),
    ];
    const [first, ...others] = await pairsOf(await newPlace(), events);
    expect(first).toEqual(['ship it', 'org/shop#workspace:deploy', 2, 2]);
    // Equals come in the order in which the store met their ids.
    expect(new Set(others)).toEqual(
      new Set([
        ['ship it', 'org/blog#workspace:deploy', 1, 1],
        ['ship it', 'platform:deploy', 1, 1],
      ]),
    );
  });

  it.skipIf(!isThere)('is the same in parts of any size, and nothing where it was ended', async () => {
    const events = Array.from({ length: 40 }, (_, number) =>
      used(`query ${number % 7}`, `session ${number % 5}`, { time: NOW - 1 - Math.floor(number / 4) }),
    );
    const whole = await pairsOf(await newPlace(), events);
    expect(whole).toHaveLength(7);
    for (const eventsAtOnce of [1, 3, 7, 40]) {
      expect(await pairsOf(await newPlace(), events, { eventsAtOnce })).toEqual(whole);
    }
    expect(await pairsOf(await newPlace(), events, { isEnded: () => true })).toEqual([]);
  });

  it.skipIf(!isThere)('is bounded for each entry, and in all', async () => {
    const events = [
      ...Array.from({ length: 9 }, (_, index) => used(`query ${index}`, 'noisy', { time: NOW - 1 - index })),
      used('query 8', 'b'),
      used('rare', 'c', { entry: 'platform:other', time: NOW - 50 }),
    ];
    expect(await pairsOf(await newPlace(), events, { mostOfEntry: 2 })).toEqual([
      ['query 8', 'platform:deploy', 2, 2],
      ['query 0', 'platform:deploy', 1, 2],
      ['rare', 'platform:other', 1, 1],
    ]);
    expect(await pairsOf(await newPlace(), events, { mostPairs: 1 })).toEqual([['query 8', 'platform:deploy', 2, 2]]);
  });
});
