/**
 * `npm run bench:http`: throughput of `search` over HTTP at 1,000 playbooks, beside the same SDK handler answering a constant
 * (`constant-http.mjs`), rounds in turn within one run; `ratio` is that of the medians. The constant is answered in two ways: as the SDK's
 * own adapter for Node does, and (`ratioToLight`) by the lighter responses that ours are. Then 1,000 open subscriptions and 10,000 mixed
 * requests: how many failed, and how the resident memory of the server went.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { printFigures } from './print.ts';
import { median } from './quantile.ts';

const PLAYBOOKS = 1_000;
const ROUNDS = Number(process.env['RUNS'] ?? 15);
const WARM_UP_ROUNDS = 5;
const CALLS = 400;
const IN_FLIGHT = 16;
const SUBSCRIPTIONS = 1_000;
const MIXED = 10_000;
const LIMIT_RATIO = 0.7;

const VERBS = ['deploy', 'rotate', 'migrate', 'restore', 'audit', 'index', 'drain', 'resize', 'patch', 'monitor'];
const NOUNS = ['cluster', 'keys', 'database', 'backup', 'queue', 'cache', 'gateway', 'ledger', 'session', 'invoice'];
const PLACES = [
  'staging',
  'production',
  'europe',
  'asia',
  'checkout',
  'billing',
  'search',
  'mobile',
  'internal',
  'edge',
];
const pick = (words: readonly string[], index: number): string => words[index % words.length] ?? '';
const subject = (index: number): string =>
  `${pick(VERBS, index)} the ${pick(NOUNS, Math.floor(index / 10))} of ${pick(PLACES, Math.floor(index / 100))}`;

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const folder = mkdtempSync(join(tmpdir(), 'playbook-mcp-http-'));
const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
const children: ChildProcess[] = [];
try {
  plant(join(folder, 'playbooks'));
  const bin = fileURLToPath(new URL('../dist/bin/playbook-mcp.js', import.meta.url));
  const args = ['serve', '--http', '127.0.0.1:0', '--no-starter', '--playbooks', join(folder, 'playbooks')];
  const constantFile = fileURLToPath(new URL('constant-http.mjs', import.meta.url));
  const [product, constant, light] = await Promise.all([
    start([bin, ...args]),
    start([constantFile]),
    start([constantFile, '--light']),
  ]);
  const rates = { product: new Array<number>(), constant: new Array<number>(), light: new Array<number>() };
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const ways = [
      { url: product.url, into: rates.product },
      { url: constant.url, into: rates.constant },
      { url: light.url, into: rates.light },
    ];
    for (const { url, into } of round % 2 === 0 ? ways : ways.reverse()) {
      const rate = await throughput(url, round);
      if (round >= 0) into.push(rate);
    }
  }
  const [perSecond, constantPerSecond] = [median(rates.product), median(rates.constant)];
  const ratio = perSecond / constantPerSecond;
  const ratioToLight = perSecond / median(rates.light);
  const load = await underLoad(product);
  printFigures({
    bench: 'http',
    figures: { ratio, ratioToLight, perSecond, constantPerSecond, playbooks: PLAYBOOKS, rounds: ROUNDS, ...load },
    rows: [
      ['measure', 'value', 'limit'],
      ['searches per second', perSecond.toFixed(0), ''],
      ['constants per second', constantPerSecond.toFixed(0), ''],
      ['ratio', ratio.toFixed(2), `>= ${LIMIT_RATIO}`],
      ['ratio to light constants', ratioToLight.toFixed(2), ''],
      ['open subscriptions', String(load.subscriptions), String(SUBSCRIPTIONS)],
      ['errors of mixed requests', String(load.errors), '0'],
      ['MB after 1,000, 5,000 and 10,000', load.residentMb.map((mb) => mb.toFixed(0)).join(', '), 'flat'],
    ],
  });
  process.exitCode = ratio >= LIMIT_RATIO && load.errors === 0 ? 0 : 1;
} finally {
  agent.destroy();
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function plant(into: string): void {
  mkdirSync(into, { recursive: true });
  for (let index = 0; index < PLAYBOOKS; index += 1) {
    const about = subject(index);
    const text = `---\ndescription: How to ${about}, number ${index}.\ntags: [action:${pick(VERBS, index)}]\n---\n1. Look.\n2. Then ${about}.\n`;
    writeFileSync(join(into, `playbook-${index}.md`), text);
  }
}

interface Started {
  readonly url: string;
  readonly pid: number;
}

function start(args: readonly string[]): Promise<Started> {
  const env = { ...process.env, PLAYBOOK_MCP_HOME: join(folder, 'home') };
  const child = spawn(process.execPath, args, { env, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  children.push(child);
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`A server ended with ${code}.`)));
    createInterface({ input: child.stderr }).on('line', (line) => {
      const url = /Serving at (\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve({ url, pid: child.pid ?? 0 });
    });
  });
}

interface Call {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

function searchOf(index: number): Call {
  return { method: 'tools/call', params: { name: 'search', arguments: { query: subject(index * 7) } } };
}

function open(url: string, { method, params }: Call, through: Agent): Promise<IncomingMessage> {
  const name = params['name'] ?? params['uri'];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } });
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    ...(typeof name === 'string' && { 'Mcp-Name': name }),
  };
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers, agent: through }, resolve).on('error', reject).end(body);
  });
}

/** The answer to one call. @returns whether it is a result */
async function send(url: string, call: Call): Promise<boolean> {
  const response = await open(url, call, agent);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(Buffer.from(chunk as Buffer));
  return response.statusCode === 200 && Buffer.concat(chunks).includes('"result"');
}

/** Sends calls, so many at once. @returns how many failed */
async function sendAll(url: string, count: number, callAt: (index: number) => Call): Promise<number> {
  let [next, failed] = [0, 0];
  const worker = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      if (!(await send(url, callAt(next)))) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return failed;
}

/** Answers per second. */
async function throughput(url: string, round: number): Promise<number> {
  const began = performance.now();
  const failed = await sendAll(url, CALLS, (index) => searchOf(round * CALLS + index + 100_000));
  if (failed > 0) throw new Error(`${failed} calls failed.`);
  return CALLS / ((performance.now() - began) / 1000);
}

interface Load {
  /** Streams that were open all the time. */
  readonly subscriptions: number;
  readonly errors: number;
  /** After 1,000, 5,000 and 10,000 requests. */
  readonly residentMb: readonly number[];
}

async function underLoad({ url, pid }: Started): Promise<Load> {
  const streams = new Agent({ maxSockets: Infinity });
  const filter = { notifications: { resourcesListChanged: true, promptsListChanged: true } };
  let closed = 0;
  for (let opened = 0; opened < SUBSCRIPTIONS; opened += 50) {
    const batch = Array.from({ length: 50 }, () =>
      open(url, { method: 'subscriptions/listen', params: filter }, streams),
    );
    for (const stream of await Promise.all(batch)) {
      if (stream.statusCode !== 200) closed += 1;
      stream.on('close', () => (closed += 1)).resume();
    }
  }
  const residentMb: number[] = [];
  let errors = 0;
  for (const count of [1_000, 4_000, MIXED - 5_000]) {
    errors += await sendAll(url, count, mixedAt);
    residentMb.push(residentMbOf(pid));
  }
  const subscriptions = SUBSCRIPTIONS - closed;
  streams.destroy();
  return { subscriptions, errors, residentMb };
}

function mixedAt(index: number): Call {
  const id = `playbook-${index % PLAYBOOKS}`;
  const calls: readonly Call[] = [
    searchOf(index),
    { method: 'tools/call', params: { name: 'execute', arguments: { id } } },
    { method: 'tools/call', params: { name: 'get_schema', arguments: { ids: [id] } } },
    { method: 'tools/list', params: {} },
    { method: 'resources/list', params: {} },
    { method: 'resources/read', params: { uri: `playbook://${id}` } },
    { method: 'prompts/get', params: { name: id } },
    { method: 'server/discover', params: {} },
  ];
  return calls[index % calls.length] ?? searchOf(index);
}

function residentMbOf(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
