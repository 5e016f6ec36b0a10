/**
 * `npm run bench:usage-read`: how long `stats` and `review` take over a million events, from the store and without it. `--events 1000000`,
 * `--store <folder>` keeps the store for the next run.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultConfig } from '../src/config/defaults.ts';
import { threadFile } from '../src/server/package-root.ts';
import type { UsageEvent } from '../src/usage/event.ts';
import { foldUsage } from '../src/usage/fold/fold.ts';
import { joinCatalog, qualifierOf } from '../src/usage/join.ts';
import { readUsage } from '../src/usage/open.ts';
import { reviewUsage } from '../src/usage/review/review.ts';
import { summarizeUsage } from '../src/usage/summary.ts';
import { UsageStore } from '../src/usage/usage-store.ts';
import { printFigures } from './print.ts';
import { HABITS } from './simulate/habits.ts';
import { simulateYear } from './simulate/year.ts';

const AT_ONCE = 5_000;
const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    store: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const habits = HABITS['usual'];
if (habits === undefined) throw new Error('no usual habits');
const year = simulateYear(1, habits);
const folder = values.store ?? mkdtempSync(join(tmpdir(), 'playbook-mcp-usage-'));
const place = { kind: 'sqlite', path: join(folder, 'usage.db') } as const;
try {
  if (!existsSync(place.path)) await fill(Number(values.events));
  const reader = await readUsage(place, { readerFile: threadFile('usage-reader') });
  const began = performance.now();
  let events = 0;
  for await (const batch of reader.codedEvents()) events += batch.length;
  const read = performance.now();
  const folded = await foldUsage(reader, { qualify: qualifierOf(year.catalog) });
  const foldedAt = performance.now();
  const uses = joinCatalog(folded, year.catalog, { seen: year.seen, repo: null });
  const summary = summarizeUsage(folded, uses);
  const told = performance.now();
  const thresholds = defaultConfig.review;
  const proposals = reviewUsage({ folded, catalog: year.catalog, uses, reports: [], now: year.now, thresholds });
  const reviewed = performance.now();
  await reader.close();
  const figures = {
    events,
    queries: folded.queries.length,
    readMs: read - began,
    readAndFoldMs: foldedAt - read,
    summarizeMs: told - foldedAt,
    reviewMs: reviewed - told,
    statsMs: told - read,
  };
  printFigures({
    bench: 'usage-read',
    figures: { ...figures, entries: summary.entries.length, proposals: proposals.length },
    rows: [
      ['figure', 'measured'],
      ...Object.entries(figures).map(([name, value]) => [name, Math.round(value).toString()]),
    ],
  });
} finally {
  if (values.store === undefined) rmSync(folder, { recursive: true, force: true });
}

/** The simulated year again and again, each time by other people in other words of the same kind, until there are so many events. */
async function fill(count: number): Promise<void> {
  const store = await UsageStore.open(place);
  const rounds = Math.ceil(count / year.events.length);
  const all: UsageEvent[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const event of year.events.slice(0, count - round * year.events.length)) all.push(again(event, round));
  }
  for (let at = 0; at < all.length; at += AT_ONCE) {
    await store.write({ events: all.slice(at, at + AT_ONCE), entries: [], reports: [] });
  }
  await store.close();
}

function again(event: UsageEvent, round: number): UsageEvent {
  const query = event.query === null || round % 2 === 0 ? event.query : `${event.query} ${round}`;
  const user = event.user === null ? null : `${event.user}-${round}`;
  return { ...event, id: `${event.id}-${round}`, session: `${event.session}-${round}`, user, query };
}
