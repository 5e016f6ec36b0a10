/**
 * `npm run bench:startup`: spawn to first `tools/list` answer, beside an unbundled hello-world server on the same SDK.
 * A catalog of 3,000 playbooks begins to load after the answer. Medians of interleaved runs; the ratio is the figure.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { initialize, spawnServer } from './line-client.ts';
import { printFigures } from './print.ts';
import { median } from './quantile.ts';

const PLAYBOOKS = 3_000;
const RUNS = Number(process.env['RUNS'] ?? 21);

const folder = mkdtempSync(join(tmpdir(), 'playbook-mcp-bench-'));
try {
  for (let i = 0; i < PLAYBOOKS; i += 1) {
    const area = join(folder, 'playbooks', `area-${i % 60}`);
    mkdirSync(area, { recursive: true });
    writeFileSync(
      join(area, `task-${i}.md`),
      `---\nname: task-${i}\ndescription: Do task ${i} of area ${i % 60}. Use when task ${i} is due.\ntags: [domain:area-${i % 60}]\n---\n${'A step of the task, in words.\n'.repeat(40)}`,
    );
  }
  const env = { ...process.env, PLAYBOOK_MCP_HOME: join(folder, 'home') };
  const ours = ['dist/bin/playbook-mcp.js', 'serve', '--playbooks', join(folder, 'playbooks')];
  const theirs = ['bench/hello-world.mjs'];
  const ourMs: number[] = [];
  const theirMs: number[] = [];
  for (let run = 0; run < RUNS + 1; run += 1) {
    const [ourTime, theirTime] = [await firstAnswerMs(ours, env), await firstAnswerMs(theirs, env)];
    // The first pair only warms the disk cache.
    if (run > 0) {
      ourMs.push(ourTime);
      theirMs.push(theirTime);
    }
  }
  const figures = {
    ratio: median(ourMs) / median(theirMs),
    ms: median(ourMs),
    helloWorldMs: median(theirMs),
    runs: RUNS,
  };
  printFigures({
    bench: 'startup',
    figures,
    rows: [
      ['server', 'first tools/list, median ms', 'ratio'],
      ['hello-world on the SDK, unbundled', figures.helloWorldMs.toFixed(0), '1'],
      [`playbook-mcp, ${PLAYBOOKS} playbooks`, figures.ms.toFixed(0), `${figures.ratio.toFixed(2)} (at most 0.85)`],
    ],
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Milliseconds from spawning a stdio server to its answer to the first `tools/list`, with the 2025 handshake before it. */
async function firstAnswerMs(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const began = performance.now();
  const client = spawnServer(args, env);
  await initialize(client);
  await client.request('tools/list');
  const elapsed = performance.now() - began;
  await client.kill();
  return elapsed;
}
