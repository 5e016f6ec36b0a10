import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { removeLeftovers } from '../../src/files/leftovers.ts';
import { seedFolder } from '../server/product.ts';

const module = fileURLToPath(new URL('../../src/files/replace-file.ts', import.meta.url));
/** The loop keeps the draft from being renamed: the writer dies exactly while it writes. */
const WRITE = `
const [{ replaceFile }, { readdirSync }, { dirname }] = await Promise.all([
  import(${JSON.stringify(module)}), import('node:fs'), import('node:path'),
]);
const path = process.argv[1];
void replaceFile(path, 'x');
while (!readdirSync(dirname(path)).some((name) => name.startsWith('file.json.'))) {}
process.kill(process.pid, 'SIGKILL');
`;
const draftsIn = (folder: string): readonly string[] => readdirSync(folder).filter((name) => name.endsWith('.tmp'));

async function killWhileWriting(folder: string): Promise<void> {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', WRITE, join(folder, 'file.json')];
  await once(spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit');
}

function age(path: string): void {
  const then = new Date(Date.now() - 60_000);
  utimesSync(path, then, then);
}

it('what a writer that was killed has left is removed, and what may be in use is not', async () => {
  const folder = seedFolder({ 'tools/kept.json': '{}', 'kept.tmp': 'not ours' });
  const tools = join(folder, 'tools');
  await killWhileWriting(tools);
  expect(draftsIn(tools)).toHaveLength(1);
  for (const name of draftsIn(tools)) age(join(tools, name));
  const fresh = `fresh.json.${'0'.repeat(36)}.tmp`;
  writeFileSync(join(tools, fresh), 'being written');
  for (const name of ['old.lock', 'held.lock', `${'1'.repeat(36)}.tmp`]) mkdirSync(join(folder, name));
  age(join(folder, 'old.lock'));
  age(join(folder, 'kept.tmp'));
  age(join(folder, `${'1'.repeat(36)}.tmp`));

  const problems: unknown[] = [];
  const watch = removeLeftovers([folder, join(folder, 'absent')], (problem) => problems.push(problem));
  onTestFinished(() => watch.close());
  await expect.poll(() => [draftsIn(tools), existsSync(join(folder, 'old.lock'))]).toEqual([[fresh], false]);
  expect(readdirSync(folder).sort()).toEqual([`${'1'.repeat(36)}.tmp`, 'held.lock', 'kept.tmp', 'tools']);
  expect(readdirSync(tools)).toContain('kept.json');
  expect(problems).toEqual([]);
});
