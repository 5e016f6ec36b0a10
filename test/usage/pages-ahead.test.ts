import { copyFileSync, mkdtempSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { threadFile } from '../../src/server/package-root.ts';
import { IDS } from '../../src/usage/coded-page.ts';
import type { ReadPage } from '../../src/usage/coded-pages.ts';
import { connectUsage } from '../../src/usage/connect.ts';
import type { CodedEvent } from '../../src/usage/event.ts';
import { PagesAhead } from '../../src/usage/pages-ahead.ts';
import { placeBefore } from '../../src/usage/read-page.ts';
import { CodedEvents, type Reading } from '../../src/usage/read-events.ts';
import { UsageStore } from '../../src/usage/usage-store.ts';
import { event } from './seed.ts';

const EVENTS = 30_500;

let written: Promise<string> | undefined;

/** A store in which nearly every event has a query of its own. */
async function newStore(): Promise<string> {
  const path = newPath();
  written ??= writeStore();
  copyFileSync(await written, path);
  return path;
}

const newPath = (): string => join(mkdtempSync(join(tmpdir(), 'usage-')), 'usage.db');

async function writeStore(): Promise<string> {
  const path = newPath();
  const store = await UsageStore.open({ kind: 'sqlite', path });
  const events = Array.from({ length: EVENTS }, (_, at) =>
    event({ time: at, operation: 'search', query: `query ${at % 30_000}`, shown: ['a:b', `c:${at % 7}`] }),
  );
  await store.write({ events });
  await store.close();
  return path;
}

async function readAll(path: string, how: Partial<Reading>, onPage = (): void => undefined): Promise<CodedEvent[]> {
  const place = { kind: 'sqlite', path } as const;
  const database = await connectUsage(place);
  const all: CodedEvent[] = [];
  try {
    for await (const page of new CodedEvents(database, { place, range: undefined, ...how })) {
      all.push(...page);
      onPage();
    }
  } finally {
    await database.destroy();
  }
  return all;
}

function threads(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'MessagePort').length;
}

describe('a thread that reads ahead', () => {
  const readerFile = threadFile('usage-reader');

  it('gives page after page, more of them than are read ahead', async () => {
    const path = await newStore();
    const before = threads();
    const ahead = new PagesAhead(readerFile, { path, after: placeBefore(), until: undefined }, 4);
    let events = 0;
    let page: ReadPage | undefined;
    do {
      page = await ahead.next();
      events += (page?.ids.length ?? 0) / IDS;
    } while (page?.end !== undefined);
    expect(events).toBe(EVENTS);
    await ahead.close();
    expect(threads()).toBe(before);
  });

  it('gives the events that are read without it, and ends', async () => {
    const path = await newStore();
    const before = threads();
    const alone = await readAll(path, {});
    expect(alone).toHaveLength(EVENTS);
    expect(await readAll(path, { readerFile })).toEqual(alone);
    const range = { since: 500, until: 30_001 };
    expect(await readAll(path, { readerFile, range })).toEqual(await readAll(path, { range }));
    expect(threads()).toBe(before);
  });

  it('is done without where it cannot be started', async () => {
    const path = await newStore();
    const before = threads();
    expect(await readAll(path, { readerFile: join(path, 'none.js') })).toHaveLength(EVENTS);
    await expect.poll(threads).toBe(before);
  });

  it('ends where nobody reads on, and lets a broken store fail as it does without', async () => {
    const path = await newStore();
    const before = threads();
    let pages = 0;
    const stop = (): void => {
      pages += 1;
      if (pages === 20) throw new Error('enough');
    };
    await expect(readAll(path, { readerFile, mostAhead: 4 }, stop)).rejects.toThrow('enough');
    pages = 0;
    const cut = (): void => {
      pages += 1;
      if (pages === 10) truncateSync(path, 500_000);
    };
    await expect(readAll(path, { readerFile, mostAhead: 4 }, cut)).rejects.toThrow(/malformed|disk/);
    expect(threads()).toBe(before);
  });
});
