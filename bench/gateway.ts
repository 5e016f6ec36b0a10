/**
 * `npm run bench:gateway`: latency of a call through `execute` of the started product, beside a bare forwarder on the same SDK
 * (`forwarder.mjs`) and a direct connection, to the same upstream by the same official client, one call in flight and 64.
 * Rounds of calls in random order within one run, after several starts of everything, since a process keeps the luck of its start
 * (what its engine compiled when); the figures are medians of the rounds' medians, for clients of the newest revision. Those of a
 * client of 2025 are told beside them.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { printFigures } from './print.ts';
import { median } from './quantile.ts';

const STARTS = 5;
const ROUNDS = Number(process.env['RUNS'] ?? 5);
const CALLS = 200;
/** Rounds in which the engines of all processes compile what runs often. */
const WARM_UP_ROUNDS = 8;
const IN_FLIGHT = [1, 64] as const;
const LIMIT_RATIO = 1.25;
const LIMIT_ADDED_MS = 1;

const WAYS = ['direct', 'forwarder', 'product'] as const;
type Way = (typeof WAYS)[number];
type Era = '2026-07-28' | '2025';

/** One way to the upstream: gives the text back that it is given. */
interface Route {
  readonly way: Way;
  readonly echo: (text: string) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** Milliseconds a call, by way. */
type Medians = Readonly<Record<Way, number>>;

const folder = mkdtempSync(join(tmpdir(), 'playbook-mcp-gateway-'));
try {
  const [now, before] = [await measure('2026-07-28'), await measure('2025')];
  const figures = { ...now, with2025: before, calls: CALLS, starts: STARTS, rounds: ROUNDS };
  printFigures({
    bench: 'gateway',
    figures,
    rows: [
      ['client, calls in flight', 'direct ms', 'forwarder ms', 'product ms', 'to forwarder', 'added ms'],
      ...toRows('2026-07-28', now),
      ...toRows('2025-11-25', before),
      ['at most', '', '', '', LIMIT_RATIO.toFixed(2), `${LIMIT_ADDED_MS} (1 in flight)`],
    ],
  });
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

interface Figures {
  readonly ratioToForwarder: number;
  readonly ratioToForwarder64: number;
  /** Milliseconds that the product adds to a direct call, one in flight. */
  readonly addedMs: number;
  /** One in flight. */
  readonly ms: Medians;
  readonly ms64: Medians;
}

async function measure(era: Era): Promise<Figures> {
  const [ms, ms64] = [collector(), collector()];
  for (let start = 0; start < STARTS; start += 1) await measureOnce(era, { ms, ms64 });
  const [one, many] = [mediansOf(ms), mediansOf(ms64)];
  return {
    ratioToForwarder: one.product / one.forwarder,
    ratioToForwarder64: many.product / many.forwarder,
    addedMs: one.product - one.direct,
    ms: one,
    ms64: many,
  };
}

async function measureOnce(
  era: Era,
  { ms, ms64 }: Readonly<Record<'ms' | 'ms64', Record<Way, number[]>>>,
): Promise<void> {
  const routes = await Promise.all(WAYS.map((way) => open(way, era)));
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    for (const inFlight of IN_FLIGHT) {
      for (const { way, echo } of shuffled(routes)) {
        const found = median(await callMany(echo, inFlight));
        if (round >= 0) (inFlight === 1 ? ms : ms64)[way].push(found);
      }
    }
  }
  await Promise.all(routes.map(({ close }) => close()));
}

async function open(way: Way, era: Era): Promise<Route> {
  const client = new Client(
    { name: 'bench', version: '1' },
    { versionNegotiation: { mode: era === '2025' ? 'legacy' : { pin: era } } },
  );
  const args = argumentsOf(way);
  const env = { ...process.env, PLAYBOOK_MCP_HOME: join(folder, era) };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [...args], env: definedIn(env), stderr: 'ignore' }),
  );
  // Every call is answered with its own text, or the figures are of something else.
  const echo = async (text: string): Promise<unknown> => {
    const given = { text };
    const { content } = await client.callTool(
      way === 'product'
        ? { name: 'execute', arguments: { id: 'echo__echo', arguments: given } }
        : { name: 'echo', arguments: given },
    );
    if (content[0]?.type !== 'text' || content[0].text !== text)
      throw new Error(`The ${way} way answered "${text}" with ${JSON.stringify(content)}.`);
    return content;
  };
  return { way, echo, close: () => client.close() };
}

/** What Node is started with. */
function argumentsOf(way: Way): readonly string[] {
  const upstream = inBench('echo.mjs');
  if (way === 'direct') return [upstream];
  if (way === 'forwarder') return [inBench('forwarder.mjs'), process.execPath, upstream];
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { echo: { command: process.execPath, args: [upstream] } } }));
  return ['dist/bin/playbook-mcp.js', 'serve', '--config', config, '--workspace', folder];
}

function inBench(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

function definedIn(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}

/** Milliseconds of each of many calls, of which so many run at any moment. */
async function callMany(echo: Route['echo'], inFlight: number): Promise<readonly number[]> {
  const times: number[] = [];
  let begun = 0;
  const lane = async (): Promise<void> => {
    while (begun < CALLS) {
      begun += 1;
      const text = `call ${begun} of ${CALLS}`;
      const from = performance.now();
      await echo(text);
      times.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return times;
}

function collector(): Record<Way, number[]> {
  return { direct: [], forwarder: [], product: [] };
}

function mediansOf({ direct, forwarder, product }: Record<Way, number[]>): Medians {
  return { direct: median(direct), forwarder: median(forwarder), product: median(product) };
}

function shuffled<T>(items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

function toRows(
  era: string,
  { ms, ms64, ratioToForwarder, ratioToForwarder64, addedMs }: Figures,
): readonly string[][] {
  return [
    [`${era}, 1`, ...cells(ms), ratioToForwarder.toFixed(2), addedMs.toFixed(2)],
    [`${era}, 64`, ...cells(ms64), ratioToForwarder64.toFixed(2), (ms64.product - ms64.direct).toFixed(2)],
  ];
}

function cells({ direct, forwarder, product }: Medians): readonly string[] {
  return [direct, forwarder, product].map((ms) => ms.toFixed(2));
}
