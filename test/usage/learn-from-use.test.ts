import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { threadFile } from '../../src/server/package-root.ts';
import { learnFromUse } from '../../src/usage/learn-from-use.ts';
import type { UsagePlace } from '../../src/usage/place.ts';
import { UsageStore } from '../../src/usage/usage-store.ts';
import { event } from './seed.ts';

const NOW = 1_790_000_000_000;
const file = threadFile('usage-learner');
const newPlace = (): UsagePlace => ({ kind: 'sqlite', path: join(mkdtempSync(join(tmpdir(), 'learn-')), 'usage.db') });

async function filled(count: number): Promise<UsagePlace> {
  const place = newPlace();
  const store = await UsageStore.open(place);
  await store.write({
    events: Array.from({ length: count }, (_, number) =>
      event({ time: NOW - number, session: `s${number % 50}`, query: `query ${number % 1_000} of many` }),
    ),
  });
  await store.close();
  return place;
}

describe('a lesson', () => {
  it('gives what the store teaches', async () => {
    const lesson = learnFromUse(file, { place: await filled(3), now: NOW });
    expect(await lesson.learned).toMatchObject({ kind: 'learned', queries: { keys: ['platform:deploy'] } });
    await lesson.end();
  });

  it('is none where there is no store, and makes none', async () => {
    const lesson = learnFromUse(file, { place: newPlace(), now: NOW });
    expect(await lesson.learned).toMatchObject({ kind: 'learned', queries: { keys: [] } });
  });

  it('tells what is wrong with a store', async () => {
    const place = newPlace();
    if (place.kind === 'sqlite') writeFileSync(place.path, 'not a database at all, and long enough to be one');
    const lesson = learnFromUse(file, { place, now: NOW });
    expect(await lesson.learned).toMatchObject({ kind: 'failed', problem: expect.stringContaining('not a database') });
  });

  // A thread that was made to end amid a call of libsql took the whole process along.
  it('ends at any moment without harm', async () => {
    const place = await filled(20_000);
    for (let wait = 0; wait < 400; wait += 50) {
      const lesson = learnFromUse(file, { place, now: NOW });
      await delay(wait);
      await lesson.end();
      expect(['learned', 'failed']).toContain((await lesson.learned).kind);
    }
  }, 60_000);
});
