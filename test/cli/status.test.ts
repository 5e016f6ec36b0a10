import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { text } from '../seed.ts';
import { configFile, registryServer, seedFolder } from '../server/product.ts';
import { runCli } from './run-cli.ts';

const old = text('Rolls a release back.', 'Go back.');
const next = text('Returns to the release before.', '## How\n\nGo there.');

function repository(files: Readonly<Record<string, string>> = {}): { cwd: string; read: (path: string) => string } {
  const given = Object.entries({ 'old.md': old, 'new.md': next, ...files });
  const below = Object.fromEntries(given.map(([path, content]) => [`.playbooks/${path}`, content]));
  const cwd = seedFolder({ '.git/HEAD': 'ref: refs/heads/main\n', ...below });
  return { cwd, read: (path) => readFileSync(join(cwd, '.playbooks', path), 'utf8') };
}

const run = (cwd: string, ...args: string[]): ReturnType<typeof runCli> => runCli(['--no-starter', ...args], { cwd });

describe('deprecate', () => {
  it('edits the file, and those that lead to it where something replaces it', () => {
    const links =
      'See [old](old.md#how), [it](./old "t"), [[old]], [[ old#gone|it]], `[x](old.md)`, <playbook://old>.\n\n[a]: old.md';
    const { cwd, read } = repository({
      'a.md': text('Ships.', `${links}\nAnd [by label][a].`, 'references: [old, "new"] # both'),
      'deep/b.md': text('Ships deep.', '[old](../old.md) ![old](../old.md)'),
      'c.md': text('Was replaced.', 'Nothing.', 'deprecated:\n  replacedBy: old # for now'),
      'd.md': text('Leads elsewhere.', '[new](new.md)'),
    });
    const { code, stdout, stderr } = run(
      cwd,
      'deprecate',
      'old',
      '--replace',
      'new',
      '--reason',
      'slow: very',
      '--since',
      '2026-11-01',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('takes it over') });
    expect(stdout.trim().split('\n')).toEqual([
      '.playbooks/old.md: deprecated, replaced by new',
      '.playbooks/a.md: leads to new instead of old',
      '.playbooks/c.md: leads to new instead of old',
      '.playbooks/deep/b.md: leads to new instead of old',
    ]);
    expect(read('old.md')).toBe(
      text(
        'Rolls a release back.',
        'Go back.',
        'status: deprecated\ndeprecated:\n  since: 2026-11-01\n  reason: "slow: very"\n  replacedBy: new',
      ),
    );
    expect(read('a.md')).toBe(
      text(
        'Ships.',
        'See [old](new.md#how), [it](./new "t"), [[new]], [[ new|it]], `[x](old.md)`, <playbook://new>.\n\n[a]: new.md\nAnd [by label][a].',
        'references: [new, "new"] # both',
      ),
    );
    expect(read('deep/b.md')).toBe(text('Ships deep.', '[old](../new.md) ![old](../old.md)'));
    expect(read('c.md')).toBe(text('Was replaced.', 'Nothing.', 'deprecated:\n  replacedBy: new # for now'));
    expect(read('d.md')).toBe(text('Leads elsewhere.', '[new](new.md)'));
    expect(run(cwd, 'search', '--json', 'rolls a release back').stdout).toContain('"old"');
  });

  it('is of today, and changes nothing the second time', () => {
    const { cwd, read } = repository();
    expect(run(cwd, 'deprecate', 'old').code).toBe(0);
    const after = read('old.md');
    expect(after).toMatch(/since: \d{4}-\d\d-\d\d\n/);
    expect(run(cwd, 'deprecate', 'old')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('nothing is to be changed'),
    });
    expect(read('old.md')).toBe(after);
  });

  it('writes relative paths between skills in folders, as they were', () => {
    const { cwd, read } = repository({
      'ops/old-skill/SKILL.md': text('Old skill.'),
      'ops/new-skill/SKILL.md': text('New skill.'),
      'ops/user/SKILL.md': text('User.', '[a](../old-skill/SKILL.md) and [b](../old-skill/) and [c](../old-skill)'),
    });
    expect(run(cwd, 'deprecate', 'ops/old-skill', '--replace', 'ops/new-skill').code).toBe(0);
    expect(read('ops/user/SKILL.md')).toBe(
      text('User.', '[a](../new-skill/SKILL.md) and [b](../new-skill/) and [c](../new-skill)'),
    );
  });

  it('names those of other sources, which stay as they are', () => {
    const central = seedFolder({ 'x.md': text('Central.', '[[new]]'), 'y.md': text('Another.') });
    const { cwd, read } = repository({ 'user.md': text('User.', '[[y]]') });
    const { code, stderr } = run(cwd, '--playbooks', central, 'deprecate', 'y', '--replace', 'x');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('user still leads to y: it is of another source'),
    });
    expect(read('user.md')).toContain('[[y]]');
  });

  it('prints a diff that git takes, and writes nothing, in a dry run', () => {
    const windows = '\uFEFF---\r\ndescription: Rolls back.\r\n---\r\nGo back.';
    const { cwd, read } = repository({ 'old one.md': windows, 'ü.md': text('Uses it.', '[it](<old one.md>)') });
    const { code, stdout, stderr } = run(cwd, 'deprecate', 'old one', '--replace', 'new', '--dry-run');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Nothing was written. 2 files') });
    expect(read('old one.md')).toBe(windows);
    execFileSync('git', ['init', '-q'], { cwd });
    execFileSync('git', ['apply', '-'], { cwd, input: stdout });
    expect(read('old one.md')).toMatch(
      /^\uFEFF---\r\ndescription: Rolls back\.\r\nstatus: deprecated\r\n(?:.*\r\n)+---\r\nGo back\.$/,
    );
    expect(read('ü.md')).toContain('[it](<new.md>)');
  });

  it('keeps the mode of the file, and links to it', () => {
    const { cwd } = repository();
    const elsewhere = join(cwd, 'kept.md');
    writeFileSync(elsewhere, text('Linked.'));
    chmodSync(elsewhere, 0o666);
    const link = join(cwd, '.playbooks', 'linked.md');
    symlinkSync(elsewhere, link);
    expect(run(cwd, 'deprecate', 'linked').code).toBe(0);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(statSync(elsewhere).mode & 0o777).toBe(0o666);
    expect(readFileSync(elsewhere, 'utf8')).toContain('status: deprecated');
  });

  it('writes no file at all where one of them is read-only', () => {
    const { cwd, read } = repository({ 'a.md': text('Ships.', '[[old]]') });
    chmodSync(join(cwd, '.playbooks', 'a.md'), 0o444);
    expect(run(cwd, 'deprecate', 'old', '--replace', 'new')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('read-only'),
    });
    expect(read('old.md')).toBe(old);
  });

  it.each([
    { name: 'that does not exist', replace: 'nwe', says: 'Closest: new' },
    { name: 'that is itself', replace: 'old', says: 'cannot replace itself' },
    { name: 'that is retired', replace: 'gone', says: 'Name new, which replaces it' },
    {
      name: 'that it would replace in its turn',
      replace: 'c',
      says: 'old would be replaced by c, which is replaced by b, which is replaced by old.',
    },
  ])('refuses a replacement $name', ({ replace, says }) => {
    const { cwd, read } = repository({
      'gone.md': text('Gone.', 'x', 'status: retired\ndeprecated: {replacedBy: new}'),
      'b.md': text('B.', 'x', 'deprecated: {replacedBy: old}'),
      'c.md': text('C.', 'x', 'deprecated: {replacedBy: b}'),
    });
    expect(run(cwd, 'deprecate', 'old', '--replace', replace)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(says),
    });
    expect(read('old.md')).toBe(old);
  });

  it('refuses what it cannot do', () => {
    const anchored = '---\ndescription: d\nstatus: &s active\nmore: *s\n---\n';
    const { cwd, read } = repository({ 'anchored.md': anchored });
    expect(run(cwd, 'deprecate', 'anchored')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('without changing more'),
    });
    expect(read('anchored.md')).toBe(anchored);
    expect(run(cwd, 'deprecate', 'old', '--reason', ' ')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--reason is blank'),
    });
    expect(run(cwd, 'retire', 'old', '--write')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--write is for tools'),
    });
  });
});

describe('retire', () => {
  it('names who leads to it, and goes on with --force', () => {
    const { cwd, read } = repository({
      'a.md': text('Ships.', '[[old]]'),
      'b.md': text('B.', '[[old]]', 'status: retired'),
    });
    const refused = run(cwd, 'retire', 'old');
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/To it lead:\n- a \([^\n]*a\.md\)\n {2}Give --replace <id>/),
    });
    expect(read('old.md')).toBe(old);
    const forced = run(cwd, 'retire', 'old', '--force', '--json');
    expect(JSON.parse(forced.stdout)).toMatchObject({
      id: 'old',
      status: 'retired',
      isWritten: true,
      files: [{ path: join(cwd, '.playbooks', 'old.md'), change: 'status' }],
      notes: ['a still leads to old.'],
    });
    expect(read('old.md')).toBe(text('Rolls a release back.', 'Go back.', 'status: retired'));
  });

  it('keeps what a deprecation said, and restore takes all of it out', () => {
    const { cwd, read } = repository();
    run(cwd, 'deprecate', 'old', '--replace', 'new', '--since', '2026-01-01');
    expect(run(cwd, 'retire', 'old', '--reason', 'unused').stdout).toContain('retired, replaced by new');
    expect(read('old.md')).toContain(
      'status: retired\ndeprecated:\n  since: 2026-01-01\n  replacedBy: new\n  reason: unused\n',
    );
    expect(run(cwd, 'restore', 'old').stdout).toContain('old.md: active');
    expect(read('old.md')).toBe(old);
    expect(run(cwd, 'restore', 'old').stderr).toContain('nothing is to be changed');
  });

  it('prints a patch for a git source, to be applied in its repository', () => {
    const remote = seedFolder({
      'playbooks/feed.md': text('Feed.'),
      'playbooks/a.md': text('A.', '[feed](feed.md)'),
      'playbooks/b.md': text('B.'),
    });
    const git = (...args: string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: remote });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'first');
    const config = configFile({}, { sources: [{ name: 'org', git: remote, path: 'playbooks' }] });
    const { code, stdout, stderr } = run(seedFolder({}), '--config', config, 'retire', 'org:feed', '--replace', 'b');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`a clone of ${remote}`) });
    execFileSync('git', ['apply', '-'], { cwd: remote, input: stdout });
    expect(readFileSync(join(remote, 'playbooks/feed.md'), 'utf8')).toContain(
      'status: retired\ndeprecated:\n  replacedBy: b\n',
    );
    expect(readFileSync(join(remote, 'playbooks/a.md'), 'utf8')).toContain('[feed](b.md)');
  });

  it('prints a patch for a playbook that comes with the package', () => {
    const cwd = seedFolder({});
    const [first] = JSON.parse(runCli(['list', '--kind', 'playbook', '--json'], { cwd }).stdout) as { id: string }[];
    const { code, stdout, stderr } = runCli(['deprecate', first?.id ?? ''], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('the repository of playbook-mcp') });
    expect(stdout).toMatch(/^diff --git a\/playbooks\/[^\n]+\n--- a\/playbooks\//);
    expect(stdout).toContain('+status: deprecated');
  });

  describe('a tool', () => {
    // Listed once: every process of these tests shares what it has learnt.
    const home = seedFolder({});
    const cwd = seedFolder({ '.playbooks/user.md': text('User.', 'x', 'tools: [things__echo]') });
    const cli = (config: string, ...args: string[]): ReturnType<typeof runCli> =>
      runCli(['--no-starter', '--config', config, ...args], { cwd, env: { PLAYBOOK_MCP_HOME: home } });
    const server = { things: registryServer('server-everything') };

    it('is refused where a playbook uses it; else the entry for the configuration is printed', () => {
      const config = configFile(server);
      const before = readFileSync(config, 'utf8');
      expect(cli(config, 'retire', 'things__echo')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('- user ('),
      });
      expect(cli(config, 'retire', 'things__echo', '--replace', 'things__get-sum', '--reason', 'unused')).toMatchObject(
        {
          code: 0,
          stdout: '"retired": {\n  "things__echo": {"replacedBy":"things__get-sum","reason":"unused"}\n}\n',
        },
      );
      expect(cli(config, 'retire', 'things__echo', '--force', '--dry-run').stdout).toMatch(/^\+.*"things__echo": \{/m);
      expect(readFileSync(config, 'utf8')).toBe(before);
    });

    it('is retired and restored in the configuration with --write', () => {
      const config = configFile(server);
      const retired = cli(config, 'retire', 'things__echo', '--replace', 'things__get-sum', '--write');
      expect(retired).toMatchObject({ code: 0, stdout: expect.stringContaining('is retired') });
      expect(JSON.parse(readFileSync(config, 'utf8'))).toMatchObject({
        retired: { things__echo: { replacedBy: 'things__get-sum' } },
      });
      expect(cli(config, 'restore', 'things__echo').stderr).toContain('give --write');
      expect(cli(config, 'restore', 'things__echo', '--write').stdout).toContain('is in use again');
      expect(JSON.parse(readFileSync(config, 'utf8'))).toMatchObject({ retired: {} });
    });

    it('cannot be deprecated only', () => {
      expect(cli(configFile(server), 'deprecate', 'things__echo')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('can only be retired'),
      });
    });
  });

  it('restores a playbook that the configuration retires', () => {
    const home = seedFolder({ 'config.json': '{\n  "retired": {\n    "workspace:old": {} // ours\n  }\n}\n' });
    const { cwd } = repository();
    const { code } = runCli(['--no-starter', 'restore', 'old', '--write'], { cwd, env: { PLAYBOOK_MCP_HOME: home } });
    expect(code).toBe(0);
    expect(readFileSync(join(home, 'config.json'), 'utf8')).toBe('{\n  "retired": {\n  }\n}\n');
  });
});
