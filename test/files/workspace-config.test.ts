import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultConfig, mergeConfig } from '../../src/config/index.ts';
import { readWorkspaceConfig, type WorkspaceConfig } from '../../src/files/workspace-config.ts';
import type { Workspace } from '../../src/files/workspace.ts';
import { plant, type Seed } from './seed.ts';

function read(root: string, directory = root): Promise<WorkspaceConfig> {
  const workspace: Workspace = { directory, root, label: 'repo', hasGit: true };
  return readWorkspaceConfig(workspace, { HOME: root, USERPROFILE: root });
}

describe('the configuration of a repository', () => {
  it('is nothing where there is none', async () => {
    expect(await read(plant({}))).toEqual({ layers: [], diagnostics: [] });
  });

  it('gives lint rules and synonyms, the nearest last', async () => {
    const root = plant({
      '.playbooks/config.json':
        '{ "lint": { "rules": { "a": "off", "b": "info" } }, "search": { "synonyms": { "k8s": ["kubernetes"] } } }',
      'packages/web/.playbooks/config.json': '{ "lint": { "rules": { "a": "error" } } }',
    });
    const { layers, diagnostics } = await read(root, join(root, 'packages/web'));
    const config = mergeConfig(defaultConfig, ...layers);
    expect(Object.fromEntries(config.lint.rules)).toEqual({ a: 'error', b: 'info' });
    expect(Object.fromEntries(config.search.synonyms)).toEqual({ k8s: ['kubernetes'] });
    expect(diagnostics).toEqual([]);
  });

  it('runs nothing: servers and commands are inert and named', async () => {
    const root = plant({
      '.playbooks/config.json':
        '{\n  "mcpServers": { "evil": { "command": "rm" } },\n  "commands": { "x": {} },\n  "usage": { "store": "postgres://evil" }\n}',
    });
    const { layers, diagnostics } = await read(root);
    expect(layers).toEqual([{}]);
    expect(diagnostics).toMatchObject([
      { rule: 'config-inert', line: 2, column: 3, message: expect.stringContaining('mcpServers') },
      { rule: 'config-inert', line: 3, column: 3, message: expect.stringContaining('commands') },
      { rule: 'config-not-for-workspace', line: 4, column: 3, message: expect.stringContaining('usage') },
    ]);
  });

  const rows: readonly { name: string; seed: Seed; why: string }[] = [
    { name: 'is not JSON', seed: { '.playbooks/config.json': '{ oops' }, why: 'config.json:1:3: not JSON' },
    {
      name: 'is nested without end',
      seed: { '.playbooks/config.json': '['.repeat(200_000) },
      why: 'nested too deeply',
    },
    { name: 'is too large', seed: { '.playbooks/config.json': ' '.repeat(300_000) }, why: '256 KiB' },
    { name: 'is a folder', seed: { '.playbooks/config.json/a': '' }, why: 'not a file' },
    {
      name: 'is a link out of the repository',
      seed: { '.playbooks/config.json': { link: '/etc/passwd' } },
      why: 'outside',
    },
  ];
  it.each(rows)('is ignored and named where it $name', async ({ seed, why }) => {
    const root = plant(seed);
    expect(await read(root)).toMatchObject({
      layers: [],
      diagnostics: [
        {
          rule: 'workspace-config-ignored',
          path: join(root, '.playbooks/config.json'),
          message: expect.stringContaining(why),
        },
      ],
    });
  });
});
