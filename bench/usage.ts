/**
 * `npm run bench:usage`: what recording costs a search. Two servers of one catalog, one of which records, are asked the same queries in
 * turns; once by themselves, once while eight other processes write to the same store. `SEARCHES` (600) searches of each.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { initialize, type LineClient, spawnServer } from './line-client.ts';
import { printFigures } from './print.ts';
import { median, quantile } from './quantile.ts';

const PLAYBOOKS = 1_000;
const SEARCHES = Number(process.env['SEARCHES'] ?? 600);
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
  const on = await start(args, 'on');
  const off = await start(args, 'off');
  const alone = await compare(on, off);
  const writers = await Promise.all(Array.from({ length: WRITERS }, () => start(args, 'on')));
  const stop = new AbortController();
  const writing = writers.map((writer) => keepWriting(writer.client, stop.signal));
  const busy = await compare(on, off);
  stop.abort();
  const written = (await Promise.all(writing)).reduce((sum, count) => sum + count, 0);
  await Promise.all([on, off, ...writers].map(({ client }) => client.kill()));
  printFigures({
    bench: 'usage',
    figures: { ...alone, withWriters: { ...busy, events: written }, searches: SEARCHES, most: MOST },
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

/** Searches of both in turns, each first in every second turn. */
async function compare(on: Server, off: Server): Promise<Comparison> {
  await Promise.all([loopDelay(on), loopDelay(off)]);
  const took = new Map<Server, number[]>([
    [on, []],
    [off, []],
  ]);
  for (let i = 0; i < SEARCHES; i += 1) {
    for (const server of i % 2 === 0 ? [on, off] : [off, on]) took.get(server)!.push(await search(server.client, i));
  }
  const [onMs, offMs] = [took.get(on)!, took.get(off)!];
  return {
    ratio: median(onMs) / median(offMs),
    onMs: median(onMs),
    offMs: median(offMs),
    onP99Ms: quantile(onMs, 0.99),
    offP99Ms: quantile(offMs, 0.99),
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
