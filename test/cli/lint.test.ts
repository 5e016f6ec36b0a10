import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { seedFolder } from '../server/product.ts';
import { type CliRun, runCli } from './run-cli.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));

const lint = (args: readonly string[], cwd: string): CliRun => runCli(['lint', ...args], { cwd });

const good = '---\ndescription: Rolls a release back. Use when a deploy broke production.\n---\nGo back.\n';
const broken = good.replace('Go back.', 'Go [back](gone.md).');
const renewal =
  '---\ndescription: Renews the certificate of the gateway. Use before it expires.\n---\nAfter [[a]], ask the registrar.\n';
const vague = good.replace(
  ' Use when a deploy broke production.',
  ' It prints the id of the old one and of the new one.',
);

describe('lint', () => {
  it('says nothing on stdout and exits 0 where there is nothing to say', () => {
    const run = lint([], seedFolder({ '.playbooks/a.md': good }));
    expect(run).toEqual({ code: 0, stdout: '', stderr: '1 playbook: no findings\n' });
  });

  it('prints findings with their places, and exits 1 on an error', () => {
    const { code, stdout, stderr } = lint([], seedFolder({ '.playbooks/a.md': broken }));
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^\.playbooks\/a\.md\n {2}4:4 +error +broken-reference {2}"gone\.md" leads to no playbook\./,
    );
    expect(stderr).toContain('1 playbook: 1 error, 0 warnings, 0 notes');
  });

  it.each([
    { name: 'exits 0 on warnings alone', args: [], code: 0 },
    { name: 'exits 1 on more warnings than --max-warnings', args: ['--max-warnings', '0'], code: 1 },
    { name: 'exits 0 on as many as --max-warnings', args: ['--max-warnings', '1'], code: 0 },
    { name: 'takes the level of a rule from --rule', args: ['--rule', 'description-when=error'], code: 1 },
    { name: 'leaves out a rule that is off', args: ['--rule', 'description-when=off', '--max-warnings', '0'], code: 0 },
  ])('$name', ({ args, code }) => {
    expect(lint(args, seedFolder({ '.playbooks/a.md': vague })).code).toBe(code);
  });

  it('knows the tools that are built in, and no others of their servers', () => {
    const tools = '[results__read, playbooks__propose, playbooks__report, playbooks__forget]';
    const { stdout } = lint([], seedFolder({ '.playbooks/a.md': good.replace('---\nGo', `tools: ${tools}\n---\nGo`) }));
    expect(stdout.match(/There is no tool "\w+"/g)).toEqual(['There is no tool "playbooks__forget"']);
  });

  it('shows errors only with --quiet', () => {
    const { stdout } = lint(['--quiet'], seedFolder({ '.playbooks/a.md': vague, '.playbooks/b.md': broken }));
    expect(stdout).toContain('b.md');
    expect(stdout).not.toContain('a.md\n');
  });

  it('follows the configuration of the repository, and names a rule in it that does not exist', () => {
    const cwd = seedFolder({
      '.playbooks/a.md': broken,
      '.playbooks/config.json': '{\n  "lint": { "rules": { "broken-reference": "info", "long-boddy": "off" } }\n}',
    });
    const { code, stdout } = lint([], cwd);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /config\.json\n {2}2:\d+ +warning unknown-rule {2}There is no lint rule "long-boddy"\.\n +Did you mean long-body\?/,
    );
    expect(stdout).toMatch(/4:4 +info +broken-reference/);
  });

  it('checks what is asked for, against everything that it may refer to', () => {
    const cwd = seedFolder({
      '.playbooks/a.md': broken,
      '.playbooks/b.md': renewal,
      'other/c.md': broken,
    });
    expect(lint(['.playbooks/b.md'], cwd).stderr).toBe('1 playbook: no findings\n');
    expect(lint(['other'], cwd).stdout).toMatch(/^other\/c\.md\n/);
    expect(lint(['.'], cwd).stdout).toMatch(/^\.playbooks\/a\.md\n/);
  });

  it('leaves the starter alone but with --all', () => {
    const cwd = seedFolder({ '.playbooks/a.md': good });
    expect(lint(['--all'], cwd).stderr).toMatch(/^\d\d+ playbooks/);
  });

  it.each([
    { name: 'a path that does not exist', args: ['nowhere'], message: 'There is no file or folder nowhere.' },
    { name: 'a folder without playbooks', args: ['docs'], message: 'There is no playbook in docs.' },
    { name: 'a file that is no playbook', args: ['docs/notes.md'], message: 'There is no playbook in docs/notes.md.' },
    { name: 'a rule that does not exist', args: ['--rule', 'secrets=off'], message: 'Did you mean secret?' },
    { name: 'a level that does not exist', args: ['--rule', 'secret=loud'], message: '"loud" is no level' },
    { name: 'a number that is none', args: ['--max-warnings', 'few'], message: '"few" is not a number' },
    { name: 'a format that does not exist', args: ['--format', 'xml'], message: 'Allowed choices are' },
  ])('exits 2 for $name', ({ args, message }) => {
    const { code, stdout, stderr } = lint(args, seedFolder({ '.playbooks/a.md': good, 'docs/notes.md': '# Notes\n' }));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it.each(['json', 'sarif'])('prints one document with --format %s, and nothing else on stdout', (format) => {
    const { code, stdout } = lint(['--format', format], seedFolder({ '.playbooks/a.md': broken }));
    expect(code).toBe(1);
    expect(JSON.stringify(JSON.parse(stdout))).toContain('broken-reference');
  });
});

describe('lint --fix', () => {
  const colon = '---\r\ndescription: Rolls back. Use when: it is broken\r\n---\r\nGo back.';

  it('writes the file at once, keeps its mode, and says what it did', () => {
    const cwd = seedFolder({ '.playbooks/a.md': colon, '.playbooks/b.md': good });
    const path = join(cwd, '.playbooks', 'a.md');
    chmodSync(path, 0o640);
    const before = statSync(join(cwd, '.playbooks', 'b.md')).mtimeMs;
    const { code, stderr } = lint(['--fix'], cwd);
    expect(code).toBe(0);
    expect(stderr).toBe('mended .playbooks/a.md: unquoted-colon, final-newline\n2 playbooks: no findings\n');
    expect(readFileSync(path, 'utf8')).toBe(
      "---\r\ndescription: 'Rolls back. Use when: it is broken'\r\n---\r\nGo back.\r\n",
    );
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(statSync(join(cwd, '.playbooks', 'b.md')).mtimeMs).toBe(before);
    expect(readdirSync(join(cwd, '.playbooks'))).toEqual(['a.md', 'b.md']);
  });

  it('leaves what a level or a comment silences', () => {
    const cwd = seedFolder({ '.playbooks/a.md': colon });
    expect(lint(['--fix', '--rule', 'unquoted-colon=off', '--rule', 'final-newline=off'], cwd).stderr).not.toContain(
      'mended',
    );
  });

  it('writes through a link to its target', () => {
    const cwd = seedFolder({ '.git/HEAD': '', 'shared/a.md': colon, '.playbooks/b.md': good });
    symlinkSync('../shared/a.md', join(cwd, '.playbooks', 'a.md'));
    lint(['--fix'], cwd);
    expect(readFileSync(join(cwd, 'shared', 'a.md'), 'utf8')).toMatch(/\r\n$/);
  });
});

describe('the playbooks of this project', () => {
  it('pass without any finding', () => {
    const { code, stdout } = lint(['playbooks', '--max-warnings', '0'], project);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  });
});

const corpora = process.env['PLAYBOOK_MCP_CORPORA'] ?? '';

describe.runIf(corpora !== '')('public skills (PLAYBOOK_MCP_CORPORA)', () => {
  it('are all looked at, without a crash, and every finding has a place in its file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'playbook-mcp-lint-'));
    const archives = readdirSync(corpora).filter((name) => name.endsWith('.tar.gz'));
    for (const name of archives) spawnSync('tar', ['xzf', join(corpora, name), '-C', folder]);
    const { code, stdout } = lint(['--json', '--no-starter', folder], project);
    expect(code).toBe(1);
    const { findings } = JSON.parse(stdout) as {
      findings: { path: string; line: number; column: number; rule: string }[];
    };
    const lines = new Map<string, readonly string[]>();
    for (const { path, line, column } of findings) {
      const text =
        lines.get(path) ??
        readFileSync(path, 'utf8')
          .replace(/^\uFEFF/, '')
          .split(/\r\n|\r|\n/);
      lines.set(path, text);
      expect(line).toBeGreaterThanOrEqual(1);
      expect(line).toBeLessThanOrEqual(text.length);
      expect(column).toBeLessThanOrEqual((text[line - 1] ?? '').length + 1);
    }
  });
});
if (corpora === '') console.warn('SKIPPED: lint over public skills; name their folder in PLAYBOOK_MCP_CORPORA.');
