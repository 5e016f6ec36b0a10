import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultConfig, type Env } from '../../src/config/index.ts';
import type { GitSourceConfig } from '../../src/config/types.ts';
import { cloneOf, readStatus, withoutCredentials } from '../../src/files/git/clone.ts';
import { GitSources } from '../../src/files/git/git-sources.ts';
import { refreshDueMs, refreshGitSource } from '../../src/files/git/refresh.ts';
import { readSupportingFile } from '../../src/files/read.ts';
import { scanSources } from '../../src/files/scan.ts';
import { findSources, type FoundSources } from '../../src/files/sources.ts';
import { plant, playbook } from './seed.ts';

const signal = new AbortController().signal;

interface Remote {
  readonly env: Env;
  readonly remote: string;
  readonly commit: (files: Readonly<Record<string, string>>) => string;
  readonly git: (...args: string[]) => string;
  readonly source: (overrides?: Partial<GitSourceConfig>) => GitSourceConfig;
}

/** A repository with a playbook in it, and a machine that has never fetched it. */
function stage(): Remote {
  const root = plant({ 'remote/playbooks/a.md': playbook('a'), 'home/': '' });
  const remote = join(root, 'remote');
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: remote,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  const commit = (files: Readonly<Record<string, string>>): string => {
    for (const [path, content] of Object.entries(files)) writeFileSync(join(remote, path), content);
    git('add', '-A');
    git('commit', '-qm', 'change');
    return git('rev-parse', 'HEAD');
  };
  git('init', '-q', '-b', 'main');
  commit({});
  const env = { ...process.env, HOME: join(root, 'home'), PLAYBOOK_MCP_HOME: join(root, 'state') };
  const base: GitSourceConfig = {
    kind: 'git',
    name: 'org',
    git: remote,
    path: 'playbooks',
    refreshMinutes: 60,
    at: { path: '/config.json', line: 3, column: 5 },
  };
  return { env, remote, commit, git, source: (overrides) => ({ ...base, ...overrides }) };
}

async function find(source: GitSourceConfig, env: Env): Promise<FoundSources> {
  return findSources({
    config: { ...defaultConfig, starter: false, sources: [source] },
    flags: { playbooks: [], workspaces: [], starter: false },
    env,
    packageRoot: '/nowhere',
  });
}

async function idsOf(source: GitSourceConfig, env: Env): Promise<readonly string[]> {
  const { sources } = await find(source, env);
  return (await scanSources(sources)).found.map(({ id }) => id);
}

describe('a git source', () => {
  it('is named until it has been fetched, and then served as a central one that links do not lead out of', async () => {
    const { env, source } = stage();
    expect(await find(source(), env)).toMatchObject({
      sources: [],
      diagnostics: [{ rule: 'source-not-fetched', severity: 'info', line: 3 }],
    });
    await refreshGitSource(source(), { env, signal });
    const { repository } = cloneOf(source(), join(env['PLAYBOOK_MCP_HOME'] ?? '', 'cache'));
    expect(await find(source(), env)).toEqual({
      sources: [
        {
          name: 'org',
          kind: 'central',
          label: 'org',
          folders: [join(repository, 'playbooks')],
          isTrusted: true,
          linksWithin: repository,
        },
      ],
      diagnostics: [],
    });
    expect(await idsOf(source(), env)).toEqual(['a']);
  });

  it('is told with the reason that git gives, not with the advice below it', async () => {
    const { env, source } = stage();
    const gone = source({ git: join(env['PLAYBOOK_MCP_HOME'] ?? '', 'gone') });
    await refreshGitSource(gone, { env, signal });
    const [problem] = (await find(gone, env)).diagnostics;
    expect(problem?.message).toMatch(/does not appear to be a git repository fatal: .*remote repository\.$/);
  });

  it('follows its remote: new files come, deleted ones go, rewritten history is taken', async () => {
    const { env, source, commit, git, remote } = stage();
    await refreshGitSource(source(), { env, signal });
    rmSync(join(remote, 'playbooks', 'a.md'));
    commit({ 'playbooks/b.md': playbook('b') });
    await refreshGitSource(source(), { env, signal });
    expect(await idsOf(source(), env)).toEqual(['b']);
    git('reset', '-q', '--hard', 'HEAD~1');
    commit({ 'playbooks/c.md': playbook('c') });
    await refreshGitSource(source(), { env, signal });
    expect(await idsOf(source(), env)).toEqual(['a', 'c']);
  });

  it.each([
    { name: 'a branch', ref: () => 'stable' },
    { name: 'a tag', ref: () => 'v1' },
    { name: 'a commit', ref: (hash: string) => hash },
    { name: 'a short hash', ref: (hash: string) => hash.slice(0, 10) },
  ])('keeps to $name', async ({ ref }) => {
    const { env, source, commit, git } = stage();
    const hash = git('rev-parse', 'HEAD');
    git('branch', 'stable');
    git('tag', '-a', 'v1', '-m', 'v1');
    commit({ 'playbooks/b.md': playbook('b') });
    const pinned = source({ ref: ref(hash) });
    await refreshGitSource(pinned, { env, signal });
    expect(await find(pinned, env)).toMatchObject({ diagnostics: [] });
    expect(await idsOf(pinned, env)).toEqual(['a']);
  });

  it('asks nobody again for a commit that it has', async () => {
    const { env, source, git } = stage();
    const pinned = source({ ref: git('rev-parse', 'HEAD') });
    await refreshGitSource(pinned, { env, signal });
    expect(await refreshDueMs(pinned, env)).toBe(Number.POSITIVE_INFINITY);
  });

  it('serves the last good copy while the remote is away, says so, and is well again when it comes back', async () => {
    const { env, source, remote } = stage();
    await refreshGitSource(source(), { env, signal });
    renameSync(remote, `${remote}-away`);
    await refreshGitSource(source(), { env, signal });
    const found = await find(source(), env);
    expect(found.diagnostics).toMatchObject([{ rule: 'source-not-refreshed', severity: 'warning' }]);
    expect(found.diagnostics[0]?.message).toMatch(/could not be refreshed: .*The copy of 20\d\d-/);
    expect(await idsOf(source(), env)).toEqual(['a']);
    expect(await refreshDueMs(source(), env)).toBeGreaterThan(0);
    renameSync(`${remote}-away`, remote);
    await refreshGitSource(source(), { env, signal });
    expect(await find(source(), env)).toMatchObject({ diagnostics: [] });
  });

  it.each([
    { name: 'a repository that is not there', overrides: { git: '/nowhere/at/all.git' }, rule: 'source-not-fetched' },
    { name: 'a ref that is not there', overrides: { ref: 'nothing' }, rule: 'source-not-fetched' },
    {
      name: 'a ref that looks like an option',
      overrides: { ref: '--upload-pack=touch x' },
      rule: 'source-not-fetched',
    },
    {
      name: 'a URL that looks like an option',
      overrides: { git: '--upload-pack=touch x' },
      rule: 'source-not-fetched',
    },
    { name: 'a transport of open files', overrides: { git: 'fd::17' }, rule: 'source-not-fetched' },
    { name: 'a transport that runs programs', overrides: { git: 'ext::sh -c date' }, rule: 'source-not-fetched' },
    { name: 'a folder that is not there', overrides: { path: 'other' }, rule: 'source-not-found' },
    { name: 'a folder outside', overrides: { path: '../..' }, rule: 'source-not-found' },
  ])('names $name', async ({ overrides, rule }) => {
    const { env, source } = stage();
    await refreshGitSource(source(overrides), { env, signal });
    expect(await find(source(overrides), env)).toMatchObject({
      sources: [],
      diagnostics: [{ rule, severity: 'error' }],
    });
  });

  it.skipIf(process.platform === 'win32')('leaves out what its links would bring from elsewhere', async () => {
    const { env, source, remote, commit } = stage();
    const secret = plant({ 'secret.md': playbook('secret') });
    symlinkSync(join(secret, 'secret.md'), join(remote, 'playbooks', 'secret.md'));
    symlinkSync('a.md', join(remote, 'playbooks', 'link.md'));
    commit({});
    await refreshGitSource(source(), { env, signal });
    expect(await idsOf(source(), env)).toEqual(['a']);
  });

  it.skipIf(process.platform === 'win32')('shows nothing of git’s own folder, whatever links into it', async () => {
    const { env, source, remote, commit } = stage();
    mkdirSync(join(remote, 'playbooks', 'skill'));
    symlinkSync('../../.git/config', join(remote, 'playbooks', 'skill', 'config.txt'));
    symlinkSync('../../.git', join(remote, 'playbooks', 'skill', 'folder'));
    symlinkSync('../.git/description', join(remote, 'playbooks', 'description.md'));
    commit({ 'playbooks/skill/SKILL.md': playbook('skill'), 'playbooks/skill/own.txt': 'Own.' });
    await refreshGitSource(source(), { env, signal });
    const { sources } = await find(source(), env);
    const { found, diagnostics } = await scanSources(sources);
    expect(found.map(({ id, supportingFiles }) => ({ id, supportingFiles }))).toEqual([
      { id: 'a', supportingFiles: [] },
      { id: 'skill', supportingFiles: ['own.txt'] },
    ]);
    expect(diagnostics.map(({ rule }) => rule)).toEqual(Array.from({ length: 3 }, () => 'link-outside-workspace'));
    const [, skill] = found;
    const read = async (path: string): Promise<unknown> => skill && readSupportingFile(skill, path);
    await expect(read('config.txt')).rejects.toThrow('git’s own folder');
    await expect(read('folder/config')).rejects.toThrow('git’s own folder');
  });

  it.each([
    { name: 'a folder called .git', entry: '.git' },
    { name: 'a name that leads out', entry: 'playbooks/../../x' },
  ])('is refused with the reason where its tree holds $name, and runs nothing of it', async ({ entry }) => {
    const { env, source, git, remote } = stage();
    const hash = git('rev-parse', 'HEAD^{tree}');
    const tree = Buffer.concat([Buffer.from(`40000 ${entry}\0`), Buffer.from(hash, 'hex')]);
    writeFileSync(join(remote, 'tree'), tree);
    const hostile = git('hash-object', '-t', 'tree', '-w', '--literally', 'tree');
    git('update-ref', 'refs/heads/main', git('commit-tree', hostile, '-m', 'hostile'));
    await refreshGitSource(source(), { env, signal });
    const { sources, diagnostics } = await find(source(), env);
    expect(sources).toEqual([]);
    expect(diagnostics).toMatchObject([
      { rule: 'source-not-fetched', message: expect.stringContaining('invalid path') },
    ]);
  });

  it('leaves out submodules, filters of its attributes and files that are too large, and serves the rest', async () => {
    const { env, source, git, remote, commit } = stage();
    const ran = join(env['PLAYBOOK_MCP_HOME'] ?? '', 'ran');
    const module = `[submodule "x"]\n\tpath = playbooks/sub\n\turl = ext::sh -c "touch ${ran}"\n`;
    git('update-index', '--add', '--cacheinfo', `160000,${git('rev-parse', 'HEAD')},playbooks/sub`);
    mkdirSync(join(remote, 'playbooks', 'sub'));
    git('init', '-q', 'playbooks/sub');
    commit({
      '.gitmodules': module,
      '.gitattributes': '* filter=evil\n',
      '.gitconfig': `[filter "evil"]\n\tsmudge = touch ${ran}\n`,
      'playbooks/huge.md': `${playbook('huge')}${'x'.repeat(2_000_000)}`,
    });
    await refreshGitSource(source(), { env, signal });
    expect(await idsOf(source(), env)).toEqual(['a']);
    expect(existsSync(ran)).toBe(false);
  });

  it('is fetched by one of many that begin at once', async () => {
    const { env, source } = stage();
    const fetched: string[] = [];
    const open = () => new GitSources([source()], env, ({ name }) => fetched.push(name));
    await Promise.all([open(), open(), open()].map((sources) => sources.fetch('missing')));
    expect(await idsOf(source(), env)).toEqual(['a']);
    const status = await readStatus(cloneOf(source(), join(env['PLAYBOOK_MCP_HOME'] ?? '', 'cache')));
    expect(status.claimedAt).toBeUndefined();
    expect(status.failure).toBeUndefined();
  });

  it('tells nobody the password in its URL', async () => {
    const { env, source } = stage();
    const secret = source({ git: 'http://me:hunter2@127.0.0.1:1/org.git' });
    await refreshGitSource(secret, { env, signal });
    const found = await find(secret, env);
    const clone = cloneOf(secret, join(env['PLAYBOOK_MCP_HOME'] ?? '', 'cache'));
    expect(JSON.stringify(found) + readFileSync(clone.statusFile, 'utf8')).not.toContain('hunter2');
    expect(withoutCredentials('fatal: https://a:b@c.d/e and ssh://f@g')).toBe('fatal: https://c.d/e and ssh://g');
  });
});
