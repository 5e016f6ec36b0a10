/**
 * `npm run bench:usage`: what recording costs a search. Two servers of one catalog, one of which records, are asked the same queries in
 * turns; once by themselves, once while eight other processes write to the same store. `SEARCHES` (200) searches of each of `STARTS` (5)
 * pairs of servers, since a process keeps the luck of its start (what its engine compiled when); the figures are medians of the pairs'.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { initialize, type LineClient, spawnServer } from './line-client.ts';
import { printFigures } from './print.ts';
import { median, quantile } from './quantile.ts';

const PLAYBOOKS = 1_000;
const STARTS = Number(process.env['STARTS'] ?? 5);
const SEARCHES = Number(process.env['SEARCHES'] ?? 200);
const WRITERS = 8;
/** Each of the others calls so often: far more than an agent does. */
const WRITER_PAUSE_MS = 100;
const MOST = 1.05;

const WORDS = 'deploy rollback flag release index cache queue schema token invoice ledger parser socket cluster'.split(
  ' ',
);

const folder = mkdtempSync(join(tmpdir(), 'playbook-mcp-usage-'));
try {
  const playbooks = join(folder, 'playbooks');
  for (let i = 0; i < PLAYBOOKS; i += 1) {
    const words = [0, 1, 2].map((shift) => WORDS[(i * (shift + 3) + shift) % WORDS.length]).join(' ');
    mkdirSync(join(playbooks, `area-${i % 20}`), { recursive: true });
    writeFileSync(
      join(playbooks, `area-${i % 20}`, `task-${i}.md`),
      `---\nname: task-${i}\ndescription: Mend the ${words} of area ${i % 20}. Use when number ${i} breaks.\n---\n${`A step about the ${words}.\n`.repeat(20)}`,
    );
  }
  const args = [resolve('dist/bin/playbook-mcp.js'), '--no-starter', '--playbooks', playbooks];
  const pairs: Pair[] = [];
  for (let i = 0; i < STARTS; i += 1) pairs.push({ on: await start(args, 'on'), off: await start(args, 'off') });
  const alone = await compare(pairs);
  const writers = await Promise.all(Array.from({ length: WRITERS }, () => start(args, 'on')));
  const stop = new AbortController();
  const writing = writers.map((writer) => keepWriting(writer.client, stop.signal));
  const busy = await compare(pairs);
  stop.abort();
  const written = (await Promise.all(writing)).reduce((sum, count) => sum + count, 0);
  await Promise.all([...pairs.flatMap(({ on, off }) => [on, off]), ...writers].map(({ client }) => client.kill()));
  printFigures({
    bench: 'usage',
    figures: { ...alone, withWriters: { ...busy, events: written }, starts: STARTS, searches: SEARCHES, most: MOST },
    rows: [
      ['figure', 'off', 'on', 'ratio', 'limit'],
      ...rowsOf('alone', alone),
      ...rowsOf(`beside ${WRITERS} processes that wrote ${written} events`, busy),
    ],
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Server {
  readonly client: LineClient;
  readonly delayFile: string;
}

/** Servers of the same catalog. */
interface Pair {
  readonly on: Server;
  readonly off: Server;
}

async function start(args: readonly string[], usage: 'on' | 'off'): Promise<Server> {
  const delayFile = join(folder, `delay-${Math.random()}`);
  const env = {
    ...process.env,
    PLAYBOOK_MCP_HOME: join(folder, 'home'),
    HOME: folder,
    LOOP_DELAY_FILE: delayFile,
    ...(usage === 'off' ? { PLAYBOOK_MCP_USAGE: 'off' } : {}),
  };
  const client = spawnServer(['--import', resolve('bench/loop-delay.mjs'), ...args], env, { cwd: folder });
  await initialize(client);
  for (let i = 0; i < 50; i += 1) await search(client, i);
  // The entries are noted, and the worker is there.
  await delay(2_000);
  return { client, delayFile };
}

interface Comparison {
  readonly ratio: number;
  readonly onMs: number;
  readonly offMs: number;
  readonly onP99Ms: number;
  readonly offP99Ms: number;
  /** 99th percentile of the event loop's delay. */
  readonly onLoopMs: number;
  readonly offLoopMs: number;
}

async function compare(pairs: readonly Pair[]): Promise<Comparison> {
  const all: Comparison[] = [];
  for (const pair of pairs) all.push(await comparePair(pair));
  const of = (figure: (comparison: Comparison) => number): number => median(all.map(figure));
  return {
    ratio: of(({ ratio }) => ratio),
    onMs: of(({ onMs }) => onMs),
    offMs: of(({ offMs }) => offMs),
    onP99Ms: of(({ onP99Ms }) => onP99Ms),
    offP99Ms: of(({ offP99Ms }) => offP99Ms),
    onLoopMs: of(({ onLoopMs }) => onLoopMs),
    offLoopMs: of(({ offLoopMs }) => offLoopMs),
  };
}

/** Searches of both in turns, each first in every second turn. */
async function comparePair({ on, off }: Pair): Promise<Comparison> {
  await Promise.all([loopDelay(on), loopDelay(off)]);
  const [ofOn, ofOff]: [number[], number[]] = [[], []];
  const turn = [
    { client: on.client, times: ofOn },
    { client: off.client, times: ofOff },
  ];
  for (let i = 0; i < SEARCHES; i += 1) {
    for (const { client, times } of i % 2 === 0 ? turn : turn.toReversed()) times.push(await search(client, i));
  }
  const [onMs, offMs] = [median(ofOn), median(ofOff)];
  return {
    ratio: onMs / offMs,
    onMs,
    offMs,
    onP99Ms: quantile(ofOn, 0.99),
    offP99Ms: quantile(ofOff, 0.99),
    onLoopMs: await loopDelay(on),
    offLoopMs: await loopDelay(off),
  };
}

/** Milliseconds of one search. */
async function search(client: LineClient, i: number): Promise<number> {
  const query = `${WORDS[i % WORDS.length]} ${WORDS[(i * 5 + 1) % WORDS.length]} area ${i % 20}`;
  const began = performance.now();
  await client.request('tools/call', { name: 'search', arguments: { query } });
  return performance.now() - began;
}

/** @returns how many calls were made. */
async function keepWriting(client: LineClient, signal: AbortSignal): Promise<number> {
  let count = 0;
  while (!signal.aborted) {
    const id = `area-${count % 20}/task-${count % 20}`;
    await client.request('tools/call', { name: 'execute', arguments: { id, arguments: {} } });
    count += 1;
    await delay(WRITER_PAUSE_MS * (0.5 + Math.random()));
  }
  return count;
}

/** What it was since the last time that it was asked for. */
async function loopDelay({ client, delayFile }: Server): Promise<number> {
  rmSync(delayFile, { force: true });
  process.kill(client.pid, 'SIGUSR2');
  while (!existsSync(delayFile) || readFileSync(delayFile, 'utf8') === '') await delay(10);
  return Number(readFileSync(delayFile, 'utf8'));
}

function rowsOf(name: string, { ratio, ...ms }: Comparison): readonly (readonly string[])[] {
  const row = (label: string, off: number, on: number): readonly string[] => [
    `${name}: ${label}`,
    off.toFixed(2),
    on.toFixed(2),
    (on / off).toFixed(3),
  ];
  return [
    [...row('search, median ms', ms.offMs, ms.onMs).slice(0, 3), ratio.toFixed(3), String(MOST)],
    [...row('search, p99 ms', ms.offP99Ms, ms.onP99Ms), ''],
    [...row('event loop, p99 ms', ms.offLoopMs, ms.onLoopMs), ''],
  ];
}
