/**
 * `npm run bench:usage-read`: how long `stats`, `report` and `review` take over a million events, as a person runs them (`RUNS`, 3, of each in
 * turns; the medians), beside the `LIMIT_S` that a person waits; then what the parts of it take within one process. `--events 1000000`,
 * `--store <folder>` keeps the store for the next run, `--rows` packs nothing: all is read from rows, as a store is that was just moved to this version.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
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
import { median } from './quantile.ts';
import { HABITS } from './simulate/habits.ts';
import { simulateYear } from './simulate/year.ts';

const AT_ONCE = 5_000;
const RUNS = Number(process.env['RUNS'] ?? 3);
const LIMIT_S = 5;
const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    store: { type: 'string' },
    rows: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const habits = HABITS['usual'];
if (habits === undefined) throw new Error('no usual habits');
const year = simulateYear(1, habits);
const folder = values.store ?? mkdtempSync(join(tmpdir(), 'playbook-mcp-usage-'));
// As below `PLAYBOOK_MCP_HOME`.
const place = { kind: 'sqlite', path: join(folder, 'state', 'usage.db') } as const;
try {
  if (!existsSync(place.path)) await fill(Number(values.events));
  const commands = timeCommands(folder);
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
    figures: { ...figures, commands, limitS: LIMIT_S, entries: summary.entries.length, proposals: proposals.length },
    rows: [
      ['figure', 'measured', 'most'],
      ...Object.entries(commands).map(([name, seconds]) => [`${name}, s`, seconds.toFixed(2), `${LIMIT_S}`]),
      ...Object.entries(figures).map(([name, value]) => [name, Math.round(value).toString(), '']),
    ],
  });
} finally {
  if (values.store === undefined) rmSync(folder, { recursive: true, force: true });
}

/** Seconds from the start of each command to its end; the median of some runs in turns. */
function timeCommands(home: string): Readonly<Record<'stats' | 'report' | 'review', number>> {
  const taken = { stats: [] as number[], report: [] as number[], review: [] as number[] };
  const cwd = join(home, 'empty');
  mkdirSync(cwd, { recursive: true });
  const time = (into: number[], args: readonly string[]): void => {
    const began = performance.now();
    execFileSync(process.execPath, [resolve('dist/bin/playbook-mcp.js'), ...args], {
      cwd,
      env: { ...process.env, PLAYBOOK_MCP_HOME: home },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    into.push((performance.now() - began) / 1_000);
  };
  for (let run = 0; run < RUNS; run += 1) {
    time(taken.stats, ['stats']);
    time(taken.report, ['report', '--out', join(home, 'report.html')]);
    time(taken.review, ['review', '--format', 'json']);
  }
  return { stats: median(taken.stats), report: median(taken.report), review: median(taken.review) };
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
  // As an import does, and the servers do while they record.
  while (!values.rows && (await store.pack(Date.now())));
  await store.close();
}

function again(event: UsageEvent, round: number): UsageEvent {
  const query = event.query === null || round % 2 === 0 ? event.query : `${event.query} ${round}`;
  const user = event.user === null ? null : `${event.user}-${round}`;
  return { ...event, id: `${event.id}-${round}`, session: `${event.session}-${round}`, user, query };
}
