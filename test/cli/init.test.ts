import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { playbookJsonSchema } from '../../src/playbooks/schema.ts';
import { seedFolder } from '../server/product.ts';
import { runCli } from './run-cli.ts';

const WORKFLOW = '.github/workflows/playbooks.yml';
const EXAMPLE = '.playbooks/repository/prepare-change.md';

function repository(): string {
  const cwd = seedFolder({});
  execFileSync('git', ['init', '-q'], { cwd });
  return cwd;
}

describe('init', () => {
  it('sets up an example that is found, a schema and a workflow, and tells what is next', () => {
    const cwd = repository();
    const { code, stdout, stderr } = runCli(['init'], { cwd });
    expect(code).toBe(0);
    expect(stdout.trim().split('\n')).toEqual(
      [EXAMPLE, '.playbooks/playbook.schema.json', WORKFLOW].map((path) => `wrote ${path}`),
    );
    expect(stderr).toMatch(/Next:\n {2}playbook-mcp new <id>[^\n]*\n {2}playbook-mcp lint/);
    expect(JSON.parse(readFileSync(join(cwd, '.playbooks/playbook.schema.json'), 'utf8'))).toEqual(
      playbookJsonSchema(),
    );
    const found = runCli(['search', '--json', 'get my branch ready for review'], { cwd });
    expect(JSON.parse(found.stdout)[0]).toMatchObject({ id: 'repository/prepare-change' });
    expect(runCli(['eval', '--strict', '--min-recall', '1'], { cwd }).code).toBe(0);
  });

  it('pins every action and the program in the workflow', () => {
    const cwd = repository();
    runCli(['init'], { cwd });
    const text = readFileSync(join(cwd, WORKFLOW), 'utf8');
    const { jobs } = parse(text) as { jobs: Record<string, { steps: { uses?: string; run?: string }[] }> };
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    const isPinned = ({ uses = '', run = '' }: { uses?: string; run?: string }): boolean =>
      /@[0-9a-f]{40}$/.test(uses) || /playbook-mcp@\d+\.\d+\.\d+ /.test(run);
    expect(steps).toHaveLength(7);
    expect(steps.filter((step) => !isPinned(step))).toEqual([]);
  });

  it('lints, and compares a pull request with its base, by commands that pass on what init writes', () => {
    const cwd = repository();
    runCli(['init'], { cwd });
    const { jobs } = parse(readFileSync(join(cwd, WORKFLOW), 'utf8')) as {
      jobs: Record<string, { if?: string; steps: { run?: string; with?: object }[] }>;
    };
    const git = (...args: string[]): void =>
      void execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd });
    git('add', '.');
    git('commit', '-qm', 'first');
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    const { lint, check } = jobs;
    expect(check?.if).toBe("github.event_name == 'pull_request'");
    expect(check?.steps[0]?.with).toMatchObject({ 'fetch-depth': 0 });
    const runs = [...(lint?.steps ?? []), ...(check?.steps ?? [])].flatMap(({ run }) => run ?? []);
    expect(runs.map((run) => run.replace(/^npx -y playbook-mcp@\S+ (\w+) .*$/, '$1'))).toEqual([
      'lint',
      'eval',
      'check',
    ]);
    for (const run of runs) {
      const args = run.replace(/^npx -y playbook-mcp@\S+ /, '').replace(/"origin\/\$GITHUB_BASE_REF"/, 'origin/main');
      expect(runCli(args.split(' '), { cwd })).toMatchObject({ code: 0 });
    }
  });

  it('changes nothing the second time, and nothing that is there', () => {
    const cwd = repository();
    runCli(['init'], { cwd });
    writeFileSync(join(cwd, EXAMPLE), 'mine');
    const { code, stdout, stderr } = runCli(['init'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^is there /);
    expect(stdout).not.toContain('wrote');
    expect(stderr).toContain('nothing was changed');
    expect(readFileSync(join(cwd, EXAMPLE), 'utf8')).toBe('mine');
  });

  it('writes nothing in a dry run, no workflow where none is wanted, and no example into a folder that has playbooks', () => {
    const cwd = repository();
    expect(runCli(['init', '--dry-run'], { cwd }).stdout).toContain(`would write ${WORKFLOW}`);
    expect(readdirSync(cwd)).toEqual(['.git']);
    expect(runCli(['init', '--no-ci'], { cwd }).stdout).not.toContain(WORKFLOW);
    const other = seedFolder({ '.playbooks/own.md': '---\ndescription: x\n---\n' });
    expect(JSON.parse(runCli(['init', '--json', other]).stdout)).toMatchObject({
      created: ['.playbooks/playbook.schema.json'],
      git: false,
    });
  });

  it('works outside git, and says what that means', () => {
    const cwd = seedFolder({});
    expect(runCli(['init'], { cwd })).toMatchObject({ code: 0, stderr: expect.stringContaining('no git repository') });
    expect(existsSync(join(cwd, EXAMPLE))).toBe(true);
    expect(existsSync(join(cwd, '.github'))).toBe(false);
  });

  it('exits 2 for a directory that is not there', () => {
    expect(runCli(['init', 'nowhere'])).toMatchObject({ code: 2, stderr: expect.stringContaining('no directory') });
  });
});
