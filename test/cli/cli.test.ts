import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { configFile, seedFolder } from '../server/product.ts';
import { fakePath } from '../tools/harness.ts';
import { bin, type CliRun, runCli, startCli } from './run-cli.ts';

const run = (args: readonly string[], cwd?: string, input = ''): CliRun =>
  runCli(args, { input, ...(cwd === undefined ? {} : { cwd }) });

const repository = seedFolder({
  '.playbooks/deploy/rollback.md':
    '---\ndescription: Roll back a bad release. Use when a deploy broke production.\ntags: [domain:deploy]\n---\nGo back.\n\n## Done when\nIt runs.\n',
  '.playbooks/broken.md': '---\nname: broken\ndescription: "never closed\n---\nBody.\n',
  '.playbooks/skill/SKILL.md': '---\ndescription: A skill. Use when testing files.\n---\n[rules](rules.txt)\n',
  '.playbooks/skill/rules.txt': 'Be exact.\n',
});

describe('search', () => {
  it('prints what an agent sees', () => {
    const args = ['--no-starter', 'search', 'roll', 'back', 'the', 'release'];
    const { code, stdout } = startCli(args, { cwd: repository });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^deploy\/rollback · playbook · Roll back a bad release\./);
  });

  it('prints JSON for programs, and nothing else on stdout', () => {
    const { stdout } = run(['--no-starter', 'search', '--json', '--tag', 'domain:deploy'], repository);
    expect(JSON.parse(stdout)).toMatchObject([{ id: 'deploy/rollback', kind: 'playbook', tags: ['domain:deploy'] }]);
  });
});

describe('list', () => {
  it('prints a row for each entry, and takes the common flags after the command too', () => {
    const { code, stdout } = run(['list', '--no-starter', '--workspace', repository]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/deploy\/rollback\s+playbook\s+workspace:/);
    expect(stdout).not.toContain('ci/');
  });
});

describe('show', () => {
  it.each([
    {
      name: 'an entry with its text',
      id: 'deploy/rollback',
      expected: /# deploy\/rollback[\s\S]*Size: \d+ tokens[\s\S]*Go back\./,
    },
    { name: 'an entry by its bare name', id: 'rollback', expected: /# deploy\/rollback/ },
    { name: 'a section', id: 'deploy/rollback#done-when', expected: /^## Done when\nIt runs\.\n$/ },
    { name: 'a supporting file', id: 'skill/rules.txt', expected: /^Be exact\.\n+$/ },
  ])('prints $name', ({ id, expected }) => {
    const { code, stdout } = run(['--no-starter', 'show', id], repository);
    expect(code).toBe(0);
    expect(stdout).toMatch(expected);
  });

  it('exits 2 for an unknown id and names the closest', () => {
    const { code, stdout, stderr } = run(['--no-starter', 'show', 'deploy/rolback'], repository);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Closest: deploy/rollback');
  });
});

describe('duplicates', () => {
  const steps =
    'Wait for the pipeline, tag the commit, watch error rates for ten minutes, then announce the version to the team.';
  const twice = seedFolder({
    '.playbooks/ship.md': `---\ndescription: Ship a release.\n---\n${steps}\n`,
    '.playbooks/release.md': `---\ndescription: Release it.\nowner: platform\n---\n\n${steps}\n`,
    '.playbooks/garden.md': '---\ndescription: Grow tomatoes.\n---\nWater them.\n',
  });

  it('prints each pair with the passage they share and which to keep, and exits 1', () => {
    const { code, stdout } = run(['--no-starter', 'duplicates'], twice);
    expect(code).toBe(1);
    expect(stdout).toMatch(/100 % release and ship: the same text\n {2}20 words: "Wait for the pipeline[^\n]*"/);
    expect(stdout).toMatch(
      /release\.md:6\n\s+\S+ship\.md:4\n {2}keep release: It is more complete: it has an owner\.\n$/,
    );
  });

  it('prints JSON for programs', () => {
    const { stdout } = run(['--no-starter', 'duplicates', '--json', '--min-overlap', '0.9'], twice);
    expect(JSON.parse(stdout)).toMatchObject({
      playbooks: 3,
      pairs: [{ a: 'release', b: 'ship', kind: 'exact', overlapRatio: 1, keep: { id: 'release' } }],
    });
  });

  it('exits 0 and says so where there is none', () => {
    const { code, stdout, stderr } = run(['--no-starter', 'duplicates', '--of', 'garden'], twice);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('No duplicates of garden among 3 playbooks.');
  });

  it.each([
    { name: 'a share that is no number from 0 to 1', args: ['--min-overlap', '50'] },
    { name: 'an unknown id', args: ['--of', 'nowhere'] },
  ])('exits 2 for $name', ({ args }) => {
    expect(run(['--no-starter', 'duplicates', ...args], twice).code).toBe(2);
  });
});

describe('graph', () => {
  const linked = seedFolder({
    '.playbooks/deploy/release.md':
      '---\ndescription: Release.\ntags: [domain:deploy]\ntools: [ci__start]\n---\n[tests](../tests.md) [[gone]]\n',
    '.playbooks/tests.md': '---\ndescription: Run the tests.\n---\nRun them.\n',
    '.playbooks/alone.md': '---\ndescription: Alone.\n---\nAlone.\n',
  });

  it('prints a tree with tokens, orphans, what dangles and the totals', () => {
    const { code, stdout } = run(['--no-starter', 'graph'], linked);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^deploy\/release {2}\d+ tokens, \d+ with all below\n├── tests {2}\d+ tokens\n└── ci__start/,
    );
    expect(stdout).toMatch(/Orphans \(1\).*\nalone/);
    expect(stdout).toMatch(/✗ deploy\/release → gone .*release\.md:6:\d+/);
    expect(stdout).toContain('3 playbooks, 1 reference · 1 tool');
  });

  it('shows only what is around an entry, without tools where they are not wanted, and only with a tag', () => {
    const around = run(['--no-starter', 'graph', '--json', '--no-tools', '--of', 'tests'], linked);
    expect(JSON.parse(around.stdout)).toMatchObject({
      playbooks: [{ id: 'deploy/release' }, { id: 'tests', parents: ['deploy/release'] }],
      tools: [],
      orphans: [],
    });
    const tagged = run(['--no-starter', 'graph', '--tag', 'deploy', '--format', 'mermaid'], linked);
    expect(tagged.stdout).toMatch(/^flowchart LR\n {2}n0\["deploy\/release"\]/);
    expect(tagged.stdout).not.toContain('tests');
  });

  it('shows the playbooks of the workspace and what they lead to, and those of every source only where all are wanted', () => {
    const cwd = seedFolder({ '.playbooks/own.md': '---\ndescription: Own.\n---\n[[git/start-branch]]\n' });
    const ids = (...args: readonly string[]): readonly string[] =>
      JSON.parse(run(['graph', '--json', ...args], cwd).stdout).playbooks.map(({ id }: { id: string }) => id);
    expect(ids()).toEqual(['git/start-branch', 'own']);
    expect(ids('--all')).toEqual(expect.arrayContaining(['own', 'debug/fix-bug']));
    expect(run(['graph'], seedFolder({})).stderr).toContain('--all shows those of every source');
  });

  it('exits 2 for an unknown id and names the closest, and for a file that cannot be written', () => {
    const unknown = run(['--no-starter', 'graph', '--of', 'deploy/relese'], linked);
    expect({ code: unknown.code, stdout: unknown.stdout }).toEqual({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain('Closest: deploy/release');
    const unwritable = run(['--no-starter', 'graph', '--out', `${linked}/no/such/folder/graph.dot`], linked);
    expect(unwritable.code).toBe(2);
    expect(unwritable.stderr).toContain('cannot be written');
  });

  it('writes the format that the name of the file says, and nothing on stdout', () => {
    const { code, stdout, stderr } = run(['--no-starter', 'graph', '--out', `${linked}/graph.html`], linked);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain(`Written to ${linked}/graph.html`);
    expect(readFileSync(`${linked}/graph.html`, 'utf8')).toMatch(/^<!doctype html>[\s\S]*"id":"deploy\/release"/);
    expect(run(['--no-starter', 'graph', '--format', 'dot'], linked).stdout).toMatch(/^digraph playbooks \{/);
  });
});

describe('doctor', () => {
  it('names what cannot be read with path, line and column, serves the rest, and exits 1', () => {
    const { code, stdout } = run(['--no-starter', 'doctor'], repository);
    expect(code).toBe(1);
    expect(stdout).toMatch(/broken\.md:\d+:\d+ error /);
    expect(stdout).toContain('2 playbooks');
  });

  it('names a bad entry of the configuration with file, line and key, and an upstream that cannot be started', () => {
    const config = seedFolder({
      'config.json':
        '{\n  "mcpServers": {\n    "dead": { "command": "no-such-program-anywhere" },\n    "unset": { "command": "x", "env": { "T": "${NO_SUCH_VARIABLE}" } }\n  },\n  "limits": { "resultTokens": "many" }\n}\n',
    });
    const { code, stdout } = run(['--no-starter', '--config', `${config}/config.json`, 'doctor']);
    expect(code).toBe(5);
    expect(stdout).toMatch(/config\.json:6:\d+ .*resultTokens/);
    expect(stdout).toMatch(/config\.json:4:\d+ .*NO_SUCH_VARIABLE/);
    expect(stdout).toMatch(/dead\s+failed\s+tools unknown\s+.*no-such-program-anywhere/);
  });

  it.each(['doctor', 'tools status'])(
    'counts a server as dead that starts and does not list its tools: %s',
    (command) => {
      const upstream = { command: process.execPath, args: [fakePath('raw-upstream.mjs'), 'refuses-list'] };
      const { code, stdout } = run(['--no-starter', '--config', configFile({ raw: upstream }), ...command.split(' ')]);
      expect(code).toBe(5);
      expect(stdout).toContain('the list is lost');
      expect(stdout).not.toContain('No problems found');
    },
  );

  it('names code roots and programs of commands that are not there, and knows the ones that are', () => {
    const config = seedFolder({
      'config.json': JSON.stringify({
        code: { roots: [repository, '/no/such/root'] },
        commands: {
          here: { description: 'x', command: ['git', 'status'] },
          gone: { description: 'x', command: ['no-such-program-anywhere'] },
        },
      }),
    });
    const { code, stdout } = run(['--no-starter', '--config', `${config}/config.json`, 'doctor']);
    expect(code).toBe(0);
    expect(stdout).toContain('/no/such/root cannot be read');
    expect(stdout).toContain('no git repository below');
    expect(stdout).toContain('Command `gone` cannot be started: there is no program no-such-program-anywhere.');
    expect(stdout).not.toMatch(/`here`|No problems found/);
  });

  it('does not call well what has a link that leads nowhere', () => {
    const folder = seedFolder({ '.playbooks/a.md': '---\ndescription: A. Use when testing.\n---\n[gone](gone.md)\n' });
    const { stdout } = run(['--no-starter', 'doctor', '--offline'], folder);
    expect(stdout).toContain('gone.md');
    expect(stdout).not.toContain('No problems found');
  });

  it('prints JSON for programs', () => {
    const { stdout } = run(['--no-starter', 'doctor', '--json', '--offline'], repository);
    expect(JSON.parse(stdout)).toMatchObject({
      sources: [{ kind: 'workspace', playbooks: 2 }],
      diagnostics: [{ rule: 'broken-yaml' }],
    });
  });
});

describe('a state directory that cannot be written', () => {
  it('costs nobody their playbooks', () => {
    const file = `${seedFolder({ state: 'a file where a folder should be' })}/state`;
    const { code, stdout } = runCli(['list', '--json'], { cwd: repository, env: { PLAYBOOK_MCP_HOME: file } });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ id: 'deploy/rollback' }));
  });
});

describe('wrong use', () => {
  it.each([
    { name: 'a mistyped command', args: ['serch', 'x'], expected: 'Did you mean search?' },
    { name: 'a mistyped flag', args: ['search', '--tga', 'x'], expected: '--tag' },
    {
      name: 'a flag of another command',
      args: ['tools', 'status', '--limit', '3'],
      expected: 'run playbook-mcp tools status --help',
    },
    { name: 'a missing argument', args: ['retire'], expected: 'run playbook-mcp retire --help' },
    { name: 'a mistyped common flag', args: ['--playbok', 'x'], expected: '--playbooks' },
    {
      name: 'a folder that is not there',
      args: ['--playbooks', '/no/such/folder', 'list'],
      expected: '/no/such/folder',
    },
    {
      name: 'a configuration that is not there',
      args: ['--config', '/no/such.json', 'list'],
      expected: '/no/such.json',
    },
    {
      name: 'a workspace that is not there',
      args: ['--workspace', '/no/such/repository', 'list'],
      expected: '/no/such/repository',
    },
  ])('exits 2 for $name and says what to do', ({ args, expected }) => {
    const { code, stdout, stderr } = run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(expected);
  });

  it.each([['list'], ['serve'], []])(
    'exits 2 with the position for a configuration that is not JSON: %s',
    (...command) => {
      const config = seedFolder({ 'config.json': '{\n  "sources": [,]\n}' });
      const { code, stdout, stderr } = startCli(['--config', `${config}/config.json`, ...command]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/config\.json:2:\d+/);
    },
  );
});

describe('output', () => {
  it('goes nowhere, and ends nothing, where its reader stops early', async () => {
    const args = [bin, '--no-starter', 'lint', '--format', 'github'];
    const child = spawn(process.execPath, args, {
      cwd: repository,
      env: { ...process.env, PLAYBOOK_MCP_HOME: seedFolder({}) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    const [code] = await once(child, 'close');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.not.stringContaining('EPIPE') });
  });
});

describe('a path of the common flags', () => {
  it.each([
    { name: 'nothing', args: ['list', '--workspace'], says: 'argument missing' },
    { name: 'blank', args: ['list', '--workspace', ''], says: 'is a variable unset?' },
    { name: 'blank, for the server', args: ['--workspace='], says: 'is a variable unset?' },
    { name: 'the next flag', args: ['--workspace', '--no-starter', 'list'], says: '--no-starter' },
    { name: 'a folder that is not there', args: ['list', '--workspace', 'no/where'], says: 'no directory' },
    { name: 'a file', args: ['list', '--workspace', bin], says: 'no directory' },
    { name: 'blank playbooks', args: ['list', '--playbooks', ' '], says: 'is a variable unset?' },
    { name: 'a blank configuration', args: ['list', '--config', ''], says: 'is a variable unset?' },
  ])('exits 2 where it is $name', ({ args, says }) => {
    expect(run(args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(says) });
  });

  it('is told by the server at its start where the workspace is not there', () => {
    const { code, stderr } = startCli(['--no-starter', '--workspace', 'no/where']);
    expect(code).toBe(0);
    expect(JSON.parse(stderr)).toMatchObject({ level: 40, msg: 'There is no directory no/where (from --workspace).' });
  });
});
