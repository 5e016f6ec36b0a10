/**
 * `npm run bench:corpora`: real public skills behind the started server. Cold start to first answered search, search
 * latency over the wire, tokens a hit, resident memory. Beside the limits that the project sets itself.
 *
 * The corpora are `*.tar.gz` files in the folder that PLAYBOOK_MCP_CORPORA names; without it the bench says so and ends.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { initialize, spawnServer } from './line-client.ts';
import { printFigures } from './print.ts';
import { median, quantile } from './quantile.ts';

const RUNS = 5;
const QUERIES = 4_000;
const corpora = process.env['PLAYBOOK_MCP_CORPORA'] ?? '../shared/corpora';

if (!existsSync(corpora)) {
  console.error(`SKIPPED: there are no corpora at ${corpora}; name their folder in PLAYBOOK_MCP_CORPORA.`);
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), 'playbook-mcp-corpora-'));
try {
  const sources = unpack();
  const runs: Run[] = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await measure(sources, run === RUNS - 1));
  const last = runs.at(-1)!;
  const figures = {
    files: last.files,
    coldStartMs: median(runs.map(({ coldStartMs }) => coldStartMs)),
    p50Ms: quantile(last.latenciesMs, 0.5),
    p99Ms: quantile(last.latenciesMs, 0.99),
    tokensPerHit: last.tokensPerHit,
    rssMb: Math.max(...runs.map(({ rssMb }) => rssMb)),
    peakRssMb: Math.max(...runs.map(({ peakRssMb }) => peakRssMb)),
  };
  printFigures({
    bench: 'corpora',
    figures,
    rows: [
      ['figure', 'measured', 'limit'],
      ['files', String(figures.files), ''],
      ['spawn to first answered search, median ms', figures.coldStartMs.toFixed(0), ''],
      ['search p50 over the wire, ms', figures.p50Ms.toFixed(1), ''],
      ['search p99 over the wire, ms', figures.p99Ms.toFixed(1), '10'],
      ['tokens a hit, whole result counted', figures.tokensPerHit.toFixed(1), '60'],
      ['resident after the queries, MB', figures.rssMb.toFixed(0), '200'],
      ['resident at its peak, MB', figures.peakRssMb.toFixed(0), ''],
    ],
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function unpack(): readonly string[] {
  return readdirSync(corpora)
    .filter((name) => name.endsWith('.tar.gz'))
    .map((name) => {
      const target = mkdtempSync(join(folder, `${basename(name, '.tar.gz')}-`));
      execFileSync('tar', ['xzf', join(corpora, name), '-C', target]);
      return target;
    });
}

interface Run {
  readonly files: number;
  readonly coldStartMs: number;
  readonly latenciesMs: readonly number[];
  readonly tokensPerHit: number;
  readonly rssMb: number;
  readonly peakRssMb: number;
}

async function measure(sources: readonly string[], isLong: boolean): Promise<Run> {
  const queries = queriesFrom(sources);
  const env = { ...process.env, PLAYBOOK_MCP_HOME: mkdtempSync(join(folder, 'home-')), HOME: folder };
  const args = [
    resolve('dist/bin/playbook-mcp.js'),
    '--no-starter',
    ...sources.flatMap((source) => ['--playbooks', source]),
  ];
  const began = performance.now();
  const client = spawnServer(args, env, { cwd: folder });
  const search = async (query: string): Promise<{ text: string; hits: number }> => {
    const { result } = await client.request('tools/call', { name: 'search', arguments: { query } });
    const hits = (result._meta?.['playbook-mcp/hits'] ?? []) as unknown[];
    return { text: result.content.map(({ text = '' }) => text).join('\n'), hits: hits.length };
  };
  await initialize(client);
  await client.request('tools/list');
  await search(queries[0]!);
  const coldStartMs = performance.now() - began;
  const latenciesMs: number[] = [];
  const answers: { text: string; hits: number }[] = [];
  for (const query of isLong ? queries : []) {
    const sent = performance.now();
    answers.push(await search(query));
    latenciesMs.push(performance.now() - sent);
  }
  const memory = memoryOf(client.pid);
  await client.kill();
  const found = answers.filter(({ hits }) => hits > 0);
  const tokens = found.reduce((sum, { text }) => sum + encode(text).length, 0);
  const hits = found.reduce((sum, answer) => sum + answer.hits, 0);
  return { files: countFiles(sources), coldStartMs, latenciesMs, tokensPerHit: tokens / hits, ...memory };
}

/** Words that people would type: parts of real descriptions, of two to twelve words, the same in every run. */
function queriesFrom(sources: readonly string[]): readonly string[] {
  const descriptions = sources
    .flatMap(skillFiles)
    .flatMap((file) => /^description: *["']?(.{30,400})$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? []);
  return Array.from({ length: QUERIES }, (_, i) => {
    const words = descriptions[(i * 7919) % descriptions.length]!.split(/\s+/);
    const start = (i * 31) % Math.max(1, words.length - 4);
    return words.slice(start, start + 2 + (i % 11)).join(' ');
  });
}

function countFiles(sources: readonly string[]): number {
  return sources.flatMap(skillFiles).length;
}

function skillFiles(source: string): readonly string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => basename(path) === 'SKILL.md')
    .sort()
    .map((path) => join(source, path));
}

/** Linux only: elsewhere the figures are 0 and say nothing. */
function memoryOf(pid: number): { rssMb: number; peakRssMb: number } {
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
  const megabytes = (key: string): number =>
    Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return { rssMb: megabytes('VmRSS'), peakRssMb: megabytes('VmHWM') };
}
