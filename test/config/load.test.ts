import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultConfig, loadConfig } from '../../src/config/index.ts';
import { plant, type Seed } from '../files/seed.ts';

const files: Seed = {
  'home/config.json': '{ "review": { "unusedDays": 1 } }',
  'named.json': '\uFEFF{ "review": { "unusedDays": 2 } }',
  'flag.json': '{ "review": { "unusedDays": 3 }, "starter": true }',
};

describe('loadConfig', () => {
  it('gives the defaults, and the path to make, where nobody configured anything', async () => {
    const root = plant({});
    const loaded = await loadConfig({ env: { PLAYBOOK_MCP_HOME: root } });
    expect(loaded).toEqual({ config: defaultConfig, diagnostics: [], path: join(root, 'config.json') });
  });

  it.each([
    { name: 'the file of the configuration directory', configPath: undefined, variable: undefined, expected: 1 },
    { name: 'the file of PLAYBOOK_MCP_CONFIG instead', configPath: undefined, variable: 'named.json', expected: 2 },
    { name: 'the file of --config before all', configPath: 'flag.json', variable: 'named.json', expected: 3 },
  ])('reads $name', async ({ configPath, variable, expected }) => {
    const root = plant(files);
    const loaded = await loadConfig({
      env: {
        PLAYBOOK_MCP_HOME: join(root, 'home'),
        PLAYBOOK_MCP_CONFIG: variable === undefined ? '' : join(root, variable),
      },
      ...(configPath !== undefined && { configPath: join(root, configPath) }),
    });
    expect(loaded.config.review.unusedDays).toBe(expected);
  });

  it('lets --no-starter win over the file, but not the flag that nobody gave', async () => {
    const root = plant({ 'a.json': '{ "starter": true }', 'b.json': '{ "starter": false }' });
    const flags = { playbooks: [], workspaces: [] };
    const a = await loadConfig({ env: {}, configPath: join(root, 'a.json'), flags: { ...flags, starter: false } });
    const b = await loadConfig({ env: {}, configPath: join(root, 'b.json'), flags: { ...flags, starter: true } });
    expect([a.config.starter, b.config.starter]).toEqual([false, false]);
  });

  it.each([
    { name: 'does not exist', seed: {}, code: 'config/not-found' },
    { name: 'is a folder', seed: { 'named.json/': '' }, code: 'config/not-found' },
    { name: 'is not JSON', seed: { 'named.json': '{' }, code: 'config/not-json' },
    { name: 'is not UTF-8', seed: { 'named.json': Uint8Array.of(0x7b, 0xff, 0x7d) }, code: 'config/not-json' },
  ])('fails for a named file that $name', async ({ seed, code }) => {
    const configPath = join(plant(seed), 'named.json');
    await expect(loadConfig({ env: {}, configPath })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(configPath),
      hint: expect.any(String),
    });
  });

  it('names a default file that cannot be read, and goes on with the defaults', async () => {
    const root = plant({ 'config.json/': '' });
    const { config, diagnostics } = await loadConfig({ env: { PLAYBOOK_MCP_HOME: root } });
    expect(config).toEqual(defaultConfig);
    expect(diagnostics).toMatchObject([
      { rule: 'config-unreadable', severity: 'error', path: join(root, 'config.json') },
    ]);
  });
});
