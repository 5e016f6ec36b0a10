import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PlaybookError } from '../../src/errors.ts';
import { EventQueue } from '../../src/usage/event-queue.ts';
import { readUsage } from '../../src/usage/open.ts';
import type { UsagePlace } from '../../src/usage/place.ts';
import { UsageStore } from '../../src/usage/usage-store.ts';
import { allEvents, entry, event, report } from './seed.ts';

const newPlace = (): UsagePlace => ({ kind: 'sqlite', path: join(mkdtempSync(join(tmpdir(), 'queue-')), 'usage.db') });

async function stored(place: UsagePlace) {
  const reader = await readUsage(place);
  const events = await allEvents(reader);
  await reader.close();
  return events;
}

/** A queue on a store that cannot be opened until it is mended. */
function queueOn(place: UsagePlace, { isBroken = false, mostEvents = 10_000 } = {}) {
  const state = { isBroken, opened: 0, told: [] as string[] };
  const queue = new EventQueue({
    open: async () => {
      state.opened += 1;
      if (state.isBroken) throw Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' });
      return UsageStore.open(place);
    },
    tell: (_level, message) => state.told.push(message),
    mostEvents,
  });
  return { queue, state };
}

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await delay(10);
};

describe('the queue of what is to be written', () => {
  it('writes what is pushed, and all of it before it is closed', async () => {
    const place = newPlace();
    const { queue, state } = queueOn(place);
    const events = Array.from({ length: 5_000 }, () => event());
    for (const one of events) queue.push([one]);
    await queue.close();
    expect(new Set((await stored(place)).map(({ id }) => id))).toEqual(new Set(events.map(({ id }) => id)));
    expect(state.told).toEqual([]);
  });

  it('waits for a store that fails, telling it once, and writes then', async () => {
    const place = newPlace();
    const { queue, state } = queueOn(place, { isBroken: true });
    queue.push([event(), event()]);
    await until(() => state.opened >= 3);
    expect(state.told).toEqual(['Usage cannot be recorded for now: disk full']);
    state.isBroken = false;
    queue.push([event()]);
    await until(() => state.told.length === 2);
    expect(state.told[1]).toBe('Usage is recorded again.');
    await queue.close();
    expect(await stored(place)).toHaveLength(3);
  });

  it('drops the oldest where too many wait, and tells how many once', async () => {
    const place = newPlace();
    const { queue, state } = queueOn(place, { isBroken: true, mostEvents: 100 });
    for (let time = 0; time < 250; time += 1) queue.push([event({ time })]);
    await until(() => state.opened >= 1);
    state.isBroken = false;
    await queue.close();
    expect((await stored(place)).map(({ time }) => time)).toEqual(Array.from({ length: 100 }, (_, i) => 150 + i));
    expect(state.told.filter((line) => line.includes('dropped'))).toEqual([
      '150 usage events were dropped, since they could not be stored in time.',
    ]);
  });

  it('ends with a store that stays broken, and tells what is lost', async () => {
    const { queue, state } = queueOn(newPlace(), { isBroken: true });
    queue.push([event()]);
    await until(() => state.opened >= 1);
    await queue.close();
    expect(state.told.at(-1)).toBe('1 usage events were dropped, since they could not be stored in time.');
  });

  it('leaves out rows that the store will never take', async () => {
    const place = newPlace();
    const { queue, state } = queueOn(place);
    queue.push([event({ tokens: 1.5 })]);
    await until(() => state.told.length > 0);
    queue.push([event()]);
    await queue.close();
    expect(await stored(place)).toHaveLength(1);
  });

  it('writes nothing more where the store is of a newer version', async () => {
    const told: string[] = [];
    let opened = 0;
    const queue = new EventQueue({
      open: () => {
        opened += 1;
        throw new PlaybookError('usage/newer', 'made by a newer version');
      },
      tell: (_level, message) => told.push(message),
    });
    queue.push([event()]);
    await until(() => told.length > 0);
    queue.push([event()]);
    await queue.close();
    expect([told, opened]).toEqual([['made by a newer version'], 1]);
    await expect(queue.report(report())).rejects.toMatchObject({ code: 'usage/newer' });
  });

  it('notes an entry once a day', async () => {
    const place = newPlace();
    const day = 86_400_000;
    const { queue } = queueOn(place);
    for (const time of [day, day + 5, 2 * day - 1]) queue.push([], [entry({ firstSeen: time, lastSeen: time })]);
    await queue.close();
    const again = queueOn(place).queue;
    again.push([], [entry({ firstSeen: 2 * day - 1, lastSeen: 2 * day - 1 })]);
    await again.close();
    const reader = await readUsage(place);
    expect(await reader.seenEntries()).toEqual([entry({ firstSeen: day, lastSeen: day })]);
    await reader.close();
  });
});
