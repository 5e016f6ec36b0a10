/**
 * `npm run bench:code`: `code__search` of the started server over 1,000 generated repositories, finding the repositories
 * included, beside the same `git grep` in a plain parallel loop (`xargs -P`). Medians of interleaved runs; the ratio is the figure.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { grepArguments } from '../src/tools/code/grep.ts';
import { parseSearchArguments } from '../src/tools/code/search-arguments.ts';
import { initialize, type LineClient, spawnServer } from './line-client.ts';
import { printFigures } from './print.ts';
import { median } from './quantile.ts';

const REPOSITORIES = 1_000;
const FILES = 24;
/** Every so manieth repository has the text that is searched for. */
const FIND_EVERY = 40;
const RUNS = Number(process.env['RUNS'] ?? 7);
const QUERY = { query: 'needleInTheStack', limit: 100 };

const folder = mkdtempSync(join(tmpdir(), 'playbook-mcp-code-'));
try {
  const repositories = generate(join(folder, 'src'));
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ code: { roots: [join(folder, 'src')] } }));
  const env = { ...process.env, PLAYBOOK_MCP_HOME: join(folder, 'home') };
  const server = spawnServer(['dist/bin/playbook-mcp.js', 'serve', '--no-starter', '--config', config], env);
  await initialize(server);
  const plan = { query: parseSearchArguments(QUERY), pattern: '-F', hasThreads: false } as const;
  const ourMs: number[] = [];
  const loopMs: number[] = [];
  for (let run = 0; run < RUNS + 1; run += 1) {
    const loopTime = timeOf(() => plainLoop(repositories, grepArguments(plan)));
    const began = performance.now();
    const found = await searchAll(server);
    const ourTime = performance.now() - began;
    if (found !== REPOSITORIES / FIND_EVERY)
      throw new Error(`It found ${found} of ${REPOSITORIES / FIND_EVERY} lines.`);
    // The first pair only warms the disk cache.
    if (run === 0) continue;
    ourMs.push(ourTime);
    loopMs.push(loopTime);
  }
  await server.kill();
  const figures = {
    ratio: median(ourMs) / median(loopMs),
    ms: median(ourMs),
    loopMs: median(loopMs),
    repositories: REPOSITORIES,
    runs: RUNS,
  };
  printFigures({
    bench: 'code',
    figures,
    rows: [
      [`${REPOSITORIES} repositories of ${FILES} files`, 'median ms', 'ratio'],
      [`git grep by xargs -P ${availableParallelism()}`, figures.loopMs.toFixed(0), '1'],
      ['code__search', figures.ms.toFixed(0), `${figures.ratio.toFixed(2)} (at most 2)`],
    ],
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** How many lines a search finds; on a machine that is too slow for one page it goes on by the cursor. */
async function searchAll(client: LineClient): Promise<number> {
  let found = 0;
  let cursor: string | undefined;
  do {
    const { result } = await client.request('tools/call', {
      name: 'execute',
      arguments: { id: 'code__search', arguments: cursor === undefined ? QUERY : { ...QUERY, cursor } },
    });
    const text = result.content[0]?.text ?? '';
    found += text.match(/^ {2}\d+: .*needleInTheStack/gm)?.length ?? 0;
    cursor = /cursor "([^"]+)"/.exec(text)?.[1];
  } while (cursor !== undefined);
  return found;
}

/** Copies of one repository in folders of 50, some with one line more: git is asked once, not a thousand times. */
function generate(root: string): readonly string[] {
  const first = join(folder, 'template');
  for (let i = 0; i < FILES; i += 1) {
    const area = join(first, ['src', 'lib', 'test'][i % 3] ?? 'src');
    mkdirSync(area, { recursive: true });
    writeFileSync(
      join(area, `file-${i}.ts`),
      `export const value${i} = ${i};\n// a line of code, in words\n`.repeat(60),
    );
  }
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: first, stdio: 'ignore' });
  git('init', '-q', '--template=');
  git('add', '.');
  git('-c', 'user.name=bench', '-c', 'user.email=bench@example.com', 'commit', '-q', '-m', 'All');
  return Array.from({ length: REPOSITORIES }, (_, i) => {
    const copy = join(root, `team-${String(Math.floor(i / 50)).padStart(2, '0')}`, `repository-${i}`);
    cpSync(first, copy, { recursive: true });
    if (i % FIND_EVERY === 0) appendFileSync(join(copy, 'src', 'file-0.ts'), 'needleInTheStack();\n');
    return copy;
  });
}

function plainLoop(repositories: readonly string[], args: readonly string[]): void {
  const xargs = ['-0', '-P', String(availableParallelism()), '-I{}', 'git', '-C', '{}', ...args];
  const { error } = spawnSync('xargs', xargs, { input: repositories.join('\0'), stdio: ['pipe', 'ignore', 'ignore'] });
  if (error !== undefined) throw error;
}

function timeOf(work: () => void): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}
