import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../scripts/demo/path.ts';
import { text } from '../seed.ts';
import { until, watchCount } from '../tools/harness.ts';
import { configFile, connectModern, handshake, pipe, seedFolder } from './product.ts';

describe('a repository that is edited while it is served', () => {
  it('is served as it is: folders made later, playbooks saved, broken and mended', async () => {
    const repository = seedFolder({ '.git/HEAD': 'ref: refs/heads/main\n', 'src/main.ts': '' });
    const product = await connectModern({ args: ['--no-starter'], cwd: repository });
    const execute = async (id: string): Promise<string> => textOf(await product.call('execute', { id }));
    const found = async (query: string): Promise<string> => textOf(await product.call('search', { query }));
    expect(await found('feed the okapi')).not.toContain('feed-okapi · playbook');

    const file = join(repository, '.agents', 'skills', 'feed-okapi', 'SKILL.md');
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text('Feed the okapi. Use when it is hungry.', 'Give it leaves.'));
    await until(async () => (await found('feed the okapi')).includes('feed-okapi · playbook'));

    writeFileSync(file, text('Feed the okapi. Use when it is hungry.', 'Give it fruit.'));
    await until(async () => (await execute('feed-okapi')).includes('Give it fruit.'));

    writeFileSync(file, '---\nname: [\n---\nGive it stones.\n');
    writeFileSync(join(repository, '.agents', 'skills', 'other.md'), text('Wash the okapi.'));
    await until(async () => (await found('wash the okapi')).includes('other · playbook'));
    expect(await execute('feed-okapi')).toContain('Give it fruit.');

    writeFileSync(file, text('Feed the okapi. Use when it is hungry.', 'Give it water.'));
    await until(async () => (await execute('feed-okapi')).includes('Give it water.'));
  });

  it.skipIf(process.platform !== 'linux')('costs few watches beside three hundred packages', async () => {
    const packages = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`node_modules/p${i}/lib/index.js`, '']));
    const playbook = { '.playbooks/deploy.md': text('Deploy.'), '.git/HEAD': 'ref: refs/heads/main\n' };
    const product = pipe({ cwd: seedFolder({ ...packages, ...playbook }) });
    for (const message of handshake) product.send(message);
    await product.answer(1);
    product.send({ id: 2, method: 'tools/call', params: { name: 'search', arguments: { query: 'deploy' } } });
    await product.answer(2);
    await until(() => watchCount(product.child.pid ?? 0) > 0);
    // Long enough for any later watch to be there.
    await delay(1_500);
    expect(watchCount(product.child.pid ?? 0)).toBeLessThanOrEqual(10);
    await product.end();
  });
});

describe('a git source', () => {
  it('comes while the server runs, and follows its remote', async () => {
    const remote = seedFolder({ 'playbooks/feed-okapi.md': text('Feed the okapi.', 'Give it leaves.') });
    const git = (...args: string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: remote });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'first');
    const org = { name: 'org', git: remote, path: 'playbooks', refreshMinutes: 0.02 };
    const product = await connectModern({ args: ['--no-starter', '--config', configFile({}, { sources: [org] })] });
    const execute = async (id: string): Promise<string> => textOf(await product.call('execute', { id }));
    await until(async () => (await execute('org:feed-okapi')).includes('Give it leaves.'));
    writeFileSync(join(remote, 'playbooks', 'feed-okapi.md'), text('Feed the okapi.', 'Give it fruit.'));
    git('commit', '-qam', 'second');
    await until(async () => (await execute('org:feed-okapi')).includes('Give it fruit.'));
    expect(textOf(await product.call('search', { query: 'feed the okapi' }))).toContain('feed-okapi · playbook');
  });
});
