/**
 * `npm run bench:reload`: how long after a save a search finds what was saved, among 3,000 playbooks behind the started server, and how
 * many files were parsed for it. Beside the limit that the project sets itself.
 */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { initialize, type LineClient, spawnServer } from './line-client.ts';
import { printFigures } from './print.ts';
import { median, quantile } from './quantile.ts';

const PLAYBOOKS = 3_000;
const SAVES = 40;
const LIMIT_MS = 300;

/** Ways in which editors and authors put text into a file. */
const KINDS = ['edit in place', 'replace by rename', 'new file', 'new folder'] as const;
type Kind = (typeof KINDS)[number];

const folder = mkdtempSync(join(tmpdir(), 'playbook-mcp-reload-'));
try {
  const root = join(folder, 'playbooks');
  for (let i = 0; i < PLAYBOOKS; i += 1) write(pathOf(root, i), playbook(i, ''));
  const log: string[] = [];
  const args = [resolve('dist/bin/playbook-mcp.js'), '--no-starter', '--playbooks', root];
  const env = { ...process.env, PLAYBOOK_MCP_HOME: join(folder, 'home'), HOME: folder, PLAYBOOK_MCP_LOG: 'debug' };
  const client = spawnServer(args, env, { cwd: folder, onStderr: (line) => log.push(line) });
  await initialize(client);
  await search(client, 'playbook');
  // The scan that follows the first one, when the folders are watched.
  while (parsedIn(log).length < 2) await delay(20);
  const before = parsedIn(log).length;
  const took = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]));
  for (let save = 0; save < SAVES; save += 1) {
    const kind = KINDS[save % KINDS.length]!;
    took.get(kind)!.push(await timeSave({ client, root, kind, save }));
    await delay(100);
  }
  await client.kill();
  const parsed = parsedIn(log).slice(before);
  const all = [...took.values()].flat();
  const figures = {
    playbooks: PLAYBOOKS,
    saveToSearchableMs: median(all),
    slowestMs: quantile(all, 1),
    parsedPerSave: parsed.reduce((sum, count) => sum + count, 0) / SAVES,
  };
  printFigures({
    bench: 'reload',
    figures,
    rows: [
      ['figure', 'measured', 'limit'],
      ...[...took].map(([kind, ms]) => [`${kind}: save to searchable, median ms`, median(ms).toFixed(0), '']),
      ['all of them, median ms', figures.saveToSearchableMs.toFixed(0), String(LIMIT_MS)],
      ['slowest, ms', figures.slowestMs.toFixed(0), ''],
      ['files parsed a save', figures.parsedPerSave.toFixed(2), '1'],
    ],
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Save {
  readonly client: LineClient;
  readonly root: string;
  readonly kind: Kind;
  readonly save: number;
}

/** From the moment at which the file is written to the answer that lists it; searches follow each other without a pause. */
async function timeSave({ client, root, kind, save }: Save): Promise<number> {
  const word = `zyx${save.toString(36)}q${'abcdefghij'[save % 10]!}`;
  const began = performance.now();
  const content = playbook(save, word);
  if (kind === 'edit in place') writeFileSync(pathOf(root, save * 7), content);
  else if (kind === 'replace by rename') {
    writeFileSync(`${pathOf(root, save * 7)}~`, content);
    renameSync(`${pathOf(root, save * 7)}~`, pathOf(root, save * 7));
  } else if (kind === 'new file') writeFileSync(join(root, `new-${save}.md`), content);
  else write(join(root, `area-new-${save}`, 'skill', 'SKILL.md'), content);
  while (!(await search(client, word)).includes(word)) await delay(1);
  return performance.now() - began;
}

async function search(client: LineClient, query: string): Promise<string> {
  const { result } = await client.request('tools/call', { name: 'search', arguments: { query } });
  return result.content
    .map(({ text = '' }) => text)
    .join('\n')
    .replace(`"${query}"`, '');
}

/** A third flat files, the rest skills in folders of their own. */
function pathOf(root: string, i: number): string {
  return i % 3 === 0 ? join(root, `area-${i % 40}`, `p${i}.md`) : join(root, `area-${i % 40}`, `p${i}`, 'SKILL.md');
}

function playbook(i: number, word: string): string {
  const steps = Array.from(
    { length: 40 },
    (_, step) => `${step}. Look at part ${(i * 31 + step * 7) % 997} and mend it.`,
  );
  return `---\nname: p${i}\ndescription: Mend part ${i} of the machine ${word}. Use when number ${i} breaks.\n---\n${steps.join('\n')}\n`;
}

function write(path: string, content: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
}

/** Files parsed by each load, as the log tells. */
function parsedIn(log: readonly string[]): readonly number[] {
  return log.flatMap((line) => /"parsed":(\d+)/.exec(line)?.[1] ?? []).map(Number);
}
