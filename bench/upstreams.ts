/**
 * `npm run bench:upstreams`: spawn to first `tools/list` answer and to the first answered search, with twenty upstreams of which
 * five are sick (one hangs, one exits, one prints a banner, one answers after 30 s, one has an invalid schema), beside the same
 * product with none. Medians of interleaved runs; the ratio is the figure. `first` runs know nothing of the upstreams, so that all
 * twenty are started in the background; the other runs have their definitions cached.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { twentyUpstreams } from '../scripts/twenty-upstreams.ts';
import { initialize, type LineClient, spawnServer } from './line-client.ts';
import { printFigures } from './print.ts';
import { median } from './quantile.ts';

const RUNS = Number(process.env['RUNS'] ?? 11);
const DELAY_MS = 30_000;
const LISTING_MS = 8000;

const folder = mkdtempSync(join(tmpdir(), 'playbook-mcp-bench-'));
const none = writeConfig('none', {});
const twenty = writeConfig('twenty', twentyUpstreams({ delayMs: DELAY_MS }));

try {
  const listed = join(folder, 'listed');
  await listOnce(listed);
  const without: number[] = [];
  const first: number[] = [];
  const cached: number[] = [];
  for (let run = 0; run < RUNS + 1; run += 1) {
    const times = [
      await firstAnswerMs(none, join(folder, 'none-home')),
      await firstAnswerMs(twenty, join(folder, `home-${run}`)),
      await firstAnswerMs(twenty, listed),
    ];
    // The first round only warms the disk cache.
    if (run > 0) [without, first, cached].forEach((list, i) => list.push(times[i] ?? 0));
  }
  const noneMs = median(without);
  const figures = {
    ratioFirst: median(first) / noneMs,
    ratio: median(cached) / noneMs,
    noneMs,
    firstMs: median(first),
    ms: median(cached),
    runs: RUNS,
  };
  printFigures({
    bench: 'upstreams',
    figures,
    rows: [
      ['upstreams', 'first tools/list, median ms', 'ratio'],
      ['none', noneMs.toFixed(0), '1'],
      ['twenty, five of them sick, never listed', figures.firstMs.toFixed(0), figures.ratioFirst.toFixed(2)],
      ['twenty, five of them sick, cached', figures.ms.toFixed(0), figures.ratio.toFixed(2)],
    ],
  });
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function writeConfig(name: string, mcpServers: object): string {
  mkdirSync(join(folder, name), { recursive: true });
  const path = join(folder, name, 'config.json');
  writeFileSync(path, JSON.stringify({ mcpServers }));
  return path;
}

function spawnProduct(config: string, home: string): LineClient {
  const env = { ...process.env, PLAYBOOK_MCP_HOME: home };
  return spawnServer(['dist/bin/playbook-mcp.js', 'serve', '--config', config], env, { cwd: process.cwd() });
}

/** Fills the cache of a home with the definitions of those that can be listed. */
async function listOnce(home: string): Promise<void> {
  const client = spawnProduct(twenty, home);
  await initialize(client);
  await client.request('tools/list');
  await new Promise((resolve) => setTimeout(resolve, LISTING_MS));
  await client.kill();
}

/** Milliseconds from the spawn to the answer to the first `tools/list`, with the 2025 handshake before it. */
async function firstAnswerMs(config: string, home: string): Promise<number> {
  const began = performance.now();
  const client = spawnProduct(config, home);
  await initialize(client);
  await client.request('tools/list');
  const elapsed = performance.now() - began;
  await client.kill();
  // The watchdogs of a killed product end its upstreams; they must not take the next run's time.
  await new Promise((resolve) => setTimeout(resolve, 300));
  return elapsed;
}
