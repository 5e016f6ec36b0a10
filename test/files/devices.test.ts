import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSourceFile } from '../../src/files/read.ts';
import { scanSource } from '../../src/files/scan.ts';
import { source } from '../seed.ts';
import { plant, playbook } from './seed.ts';

describe.skipIf(process.platform === 'win32')('pipes and devices in a source', () => {
  it('are left out and named, since reading one may never end', async () => {
    const root = plant({ 'good.md': playbook('Good') });
    execFileSync('mkfifo', [join(root, 'pipe.md')]);
    symlinkSync('/dev/zero', join(root, 'zero.md'));
    symlinkSync('pipe.md', join(root, 'linked.md'));
    const { found, diagnostics } = await scanSource(source('platform', { folders: [root] }));
    expect(found.map(({ id }) => id)).toEqual(['good']);
    expect(diagnostics.map(({ rule, path }) => [rule, path])).toEqual(
      ['linked.md', 'pipe.md', 'zero.md'].map((name) => ['not-a-file', join(root, name)]),
    );
  });

  it('are not read where a file has become one since it was found', async () => {
    const root = plant({ 'good.md': playbook('Good') });
    const { found } = await scanSource(source('platform', { folders: [root] }));
    const [good] = found;
    if (good === undefined) throw new Error('The playbook was not found.');
    expect(await readSourceFile({ ...good, path: '/dev/zero' })).toMatchObject({ kind: 'unreadable' });
  });
});
