import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../scripts/demo/path.ts';
import { runCli } from '../cli/run-cli.ts';
import { text } from '../seed.ts';
import { until } from '../tools/harness.ts';
import { configFile, connectModern, registryServer, seedFolder } from './product.ts';

describe('an entry that is retired while it is served', () => {
  it('is found below others once it is deprecated, not at all once it is retired, and as before once it is restored', async () => {
    const old = text('Feed the okapi. Use when it is hungry.', 'Give it leaves.');
    const cwd = seedFolder({
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.playbooks/feed-okapi.md': old,
      '.playbooks/nourish-okapi.md': text('Nourish the okapi with fruit.', 'Give it fruit.'),
      '.playbooks/day.md': text('Plan the day of a keeper.', 'First [feed](feed-okapi.md).'),
    });
    const product = await connectModern({ args: ['--no-starter'], cwd });
    const cli = (...args: string[]): unknown =>
      expect(runCli(['--no-starter', ...args], { cwd })).toMatchObject({ code: 0 });
    const found = async (): Promise<string> => textOf(await product.call('search', { query: 'feed the okapi' }));
    const execute = async (id: string): Promise<string> => textOf(await product.call('execute', { id }));
    expect(await found()).toMatch(/^feed-okapi · playbook/);

    cli(
      'deprecate',
      'feed-okapi',
      '--reason',
      'it prefers fruit',
      '--since',
      '2026-11-01',
      '--replace',
      'nourish-okapi',
    );
    await until(async () => (await found()).includes('[deprecated → nourish-okapi]'));
    expect(await execute('feed-okapi')).toContain(
      'deprecated since 2026-11-01: it prefers fruit. Use nourish-okapi instead.',
    );
    await until(async () => (await execute('day')).includes('nourish-okapi'));

    cli('retire', 'feed-okapi');
    await until(async () => !(await found()).includes('feed-okapi · playbook'));
    expect(await found()).toContain('nourish-okapi · playbook');
    expect(await product.call('execute', { id: 'feed-okapi' })).toMatchObject({
      isError: true,
      _meta: { 'playbook-mcp/error': 'catalog/retired' },
    });
    expect(await execute('feed-okapi')).toContain('Execute nourish-okapi instead.');

    cli('restore', 'feed-okapi');
    await until(async () => (await found()).includes('feed-okapi · playbook'));
    expect(await execute('feed-okapi')).toContain('Give it leaves.');
    expect(readFileSync(join(cwd, '.playbooks', 'feed-okapi.md'), 'utf8')).toBe(old);
  });

  it('is a tool just as well', async () => {
    const config = configFile({ things: registryServer('server-everything') });
    const home = seedFolder({});
    const product = await connectModern({ args: ['--no-starter', '--config', config] });
    const cli = (...args: string[]): unknown =>
      expect(runCli(['--no-starter', '--config', config, ...args], { env: { PLAYBOOK_MCP_HOME: home } })).toMatchObject(
        { code: 0 },
      );
    const found = async (): Promise<string> => textOf(await product.call('search', { query: 'echo the input back' }));
    await until(async () => (await found()).includes('things__echo'));
    cli('retire', 'things__echo', '--replace', 'things__get-sum', '--write');
    await until(async () => !(await found()).includes('things__echo'));
    const call = { id: 'things__echo', arguments: { message: 'x' } };
    expect(textOf(await product.call('execute', call))).toContain('Execute things__get-sum instead.');
    cli('restore', 'things__echo', '--write');
    await until(async () => (await found()).includes('things__echo'));
    expect(textOf(await product.call('execute', call))).toContain('x');
  });
});
