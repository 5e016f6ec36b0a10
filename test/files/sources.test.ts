import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultConfig, type Config, type Flags } from '../../src/config/index.ts';
import { findSources, findWorkspaceSource, type FoundSources } from '../../src/files/sources.ts';
import { resolveWorkspace } from '../../src/files/workspace.ts';
import { plant, playbook, type Seed } from './seed.ts';

const at = { path: '/config.json', line: 3, column: 5 };
const noFlags: Flags = { playbooks: [], workspaces: [], starter: true };

interface Surroundings {
  readonly config?: Partial<Config>;
  readonly flags?: Partial<Flags>;
  /** Below the planted folder. */
  readonly workspace?: string;
}

async function find(root: string, { config, flags, workspace }: Surroundings = {}): Promise<FoundSources> {
  const env = { HOME: join(root, 'home'), USERPROFILE: join(root, 'home'), PLAYBOOK_MCP_HOME: join(root, 'state') };
  const complete = { ...defaultConfig, starter: false, ...config };
  const found = [
    await findSources({ config: complete, flags: { ...noFlags, ...flags }, env, packageRoot: join(root, 'package') }),
  ];
  if (workspace !== undefined) {
    const resolved = await resolveWorkspace({ argument: join(root, workspace), allowed: [], env, cwd: root });
    if (resolved !== undefined) found.unshift(await findWorkspaceSource(complete, resolved));
  }
  return {
    sources: found.flatMap(({ sources }) => sources),
    diagnostics: found.flatMap(({ diagnostics }) => diagnostics),
  };
}

function namesOf({ sources }: FoundSources): readonly string[] {
  return sources.map(({ name }) => name);
}

const text = playbook('x');

describe('sources', () => {
  it('come most specific first: workspace, user, flags, configuration, starter', async () => {
    const root = plant({
      'repo/.playbooks/a.md': text,
      'home/.claude/skills/a/SKILL.md': text,
      'flagged/a.md': text,
      'company/a.md': text,
      'package/playbooks/a.md': text,
    });
    const found = await find(root, {
      workspace: 'repo',
      flags: { playbooks: [join(root, 'flagged')] },
      config: { starter: true, sources: [{ kind: 'directory', name: 'platform', path: join(root, 'company'), at }] },
    });
    expect(found.sources).toEqual([
      {
        name: 'workspace',
        kind: 'workspace',
        label: 'workspace:repo',
        folders: [join(root, 'repo/.playbooks')],
        isTrusted: false,
      },
      { name: 'user', kind: 'user', label: 'user', folders: [join(root, 'home/.claude/skills')], isTrusted: true },
      { name: 'flagged', kind: 'central', label: 'flagged', folders: [join(root, 'flagged')], isTrusted: true },
      { name: 'platform', kind: 'central', label: 'platform', folders: [join(root, 'company')], isTrusted: true },
      {
        name: 'starter',
        kind: 'central',
        label: 'starter',
        folders: [join(root, 'package/playbooks')],
        isTrusted: true,
      },
    ]);
    expect(found.diagnostics).toEqual([]);
  });

  it('are none where nothing is', async () => {
    expect(await find(plant({ 'repo/': '' }), { workspace: 'repo' })).toEqual({ sources: [], diagnostics: [] });
  });

  it('of the user are three folders', async () => {
    const root = plant({
      'state/playbooks/a.md': text,
      'home/.agents/skills/b/SKILL.md': text,
      'home/.claude/skills/c/SKILL.md': text,
    });
    const { sources } = await find(root);
    expect(sources).toMatchObject([
      {
        name: 'user',
        folders: ['state/playbooks', 'home/.agents/skills', 'home/.claude/skills'].map((folder) => join(root, folder)),
      },
    ]);
  });
});

describe('the folders of a workspace', () => {
  const monorepo: Seed = {
    '.playbooks/above-the-repo.md': text,
    'repo/.git/HEAD': '',
    'repo/.claude/skills/a/SKILL.md': text,
    'repo/playbooks/a.md': text,
    'repo/packages/web/.github/skills/a/SKILL.md': text,
    'repo/packages/web/playbooks/a.md': text,
    'repo/packages/api/playbooks/a.md': text,
  };

  it('are those of the working directory first, then those above, up to the git root', async () => {
    const root = plant(monorepo);
    const { sources } = await find(root, { workspace: 'repo/packages/web' });
    expect(sources[0]?.folders).toEqual(
      ['packages/web/playbooks', 'packages/web/.github/skills', 'playbooks', '.claude/skills'].map((folder) =>
        join(root, 'repo', folder),
      ),
    );
  });

  it('are only its own without a git root', async () => {
    const root = plant({ 'playbooks/a.md': text, 'dir/playbooks/a.md': text });
    const { sources } = await find(root, { workspace: 'dir' });
    expect(sources[0]?.folders).toEqual([join(root, 'dir/playbooks')]);
  });

  it('are as the configuration says', async () => {
    const root = plant({ 'repo/docs/runbooks/a.md': text, 'repo/playbooks/a.md': text });
    const { sources } = await find(root, {
      workspace: 'repo',
      config: { workspace: { folders: ['docs/runbooks'], policy: 'all' } },
    });
    expect(sources[0]?.folders).toEqual([join(root, 'repo/docs/runbooks')]);
  });

  it.each(['none', 'trusted'] as const)('are left out by the policy %s', async (policy) => {
    const root = plant({ 'repo/playbooks/a.md': text });
    const found = await find(root, {
      workspace: 'repo',
      config: { workspace: { ...defaultConfig.workspace, policy } },
    });
    expect(found).toEqual({ sources: [], diagnostics: [] });
  });

  it('may be links inside it, but not out of it', async () => {
    const outside = plant({ 'a.md': text });
    const root = plant({
      'repo/.git/HEAD': '',
      'repo/docs/a.md': text,
      'repo/playbooks': { link: 'docs' },
      'repo/.claude/skills': { link: outside },
    });
    const found = await find(root, { workspace: 'repo' });
    expect(found.sources).toMatchObject([{ folders: [join(root, 'repo/playbooks')] }]);
    expect(found.diagnostics).toMatchObject([
      { rule: 'link-outside-workspace', path: join(root, 'repo/.claude/skills') },
    ]);
  });
});

describe('a source of the configuration', () => {
  it('that is no folder is named where it is written, and the others are served', async () => {
    const root = plant({ 'file.md': text, 'there/a.md': text });
    const sources = ['gone', 'file.md', 'there'].map(
      (name) => ({ kind: 'directory', name, path: join(root, name), at }) as const,
    );
    const found = await find(root, { config: { sources } });
    expect(namesOf(found)).toEqual(['there']);
    expect(found.diagnostics).toMatchObject([
      { rule: 'source-not-found', severity: 'error', ...at },
      { rule: 'source-not-found', severity: 'error', ...at },
    ]);
  });
});

describe('a folder of --playbooks', () => {
  it('that does not exist fails by name', async () => {
    const root = plant({});
    const finding = find(root, { flags: { playbooks: [join(root, 'gone')] } });
    await expect(finding).rejects.toMatchObject({
      code: 'source/not-found',
      message: expect.stringContaining(join(root, 'gone')),
    });
  });

  it('is called by its own name, made fit for an id', async () => {
    const root = plant({ '.playbooks/a.md': text, 'our team: runbooks/a.md': text, 'рецепты/a.md': text });
    const playbooks = ['.playbooks', 'our team: runbooks', 'рецепты'].map((folder) => join(root, folder));
    expect(namesOf(await find(root, { flags: { playbooks } }))).toEqual(['playbooks', 'our-team-runbooks', 'рецепты']);
  });

  it('gets another name where its own is taken, and says so', async () => {
    const root = plant({
      'a/platform/x.md': text,
      'b/platform/x.md': text,
      'c/platform/x.md': text,
      'd/user/x.md': text,
    });
    const sources = [{ kind: 'directory', name: 'platform', path: join(root, 'c/platform'), at } as const];
    const playbooks = ['a/platform', 'b/platform', 'd/user'].map((folder) => join(root, folder));
    const found = await find(root, { config: { sources }, flags: { playbooks } });
    expect(namesOf(found)).toEqual(['platform-2', 'platform-3', 'user-2', 'platform']);
    expect(found.diagnostics.map(({ rule, path }) => ({ rule, path }))).toEqual(
      playbooks.map((path) => ({ rule: 'source-renamed', path })),
    );
  });

  it('counts once when it is given twice', async () => {
    const root = plant({ 'a/x.md': text });
    expect(namesOf(await find(root, { flags: { playbooks: [join(root, 'a'), `${join(root, 'a')}/`] } }))).toEqual([
      'a',
    ]);
  });
});
