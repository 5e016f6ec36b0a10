import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seedFolder } from '../server/product.ts';
import { type CliRun, runCli } from './run-cli.ts';

const PLAYBOOKS = {
  'books/deploy/roll-back.md': `---
name: roll-back
description: Roll a service back. Use when a deploy has broken it.
tags: [domain:deploy]
license: MIT
metadata: { team: web, level: 3 }
parameters:
  - { name: service, type: string, description: its name, required: true }
  - { name: to, type: string, enum: [last, first], default: last }
references: [tell]
tools: [github__create_issue]
---
1. Roll \`{{service}}\` back, as in [the notes](notes.txt).
2. Then [[Tests/Run All#quick|run the tests]], see playbook://tell and [it](playbook://draft).
`,
  'books/deploy/notes.txt': 'notes\n',
  'books/Tests/Run All.md':
    '---\ndescription: Runs every test. Use before a merge.\ntags: [domain:test]\n---\n## quick\nGo.\n',
  'books/tell/SKILL.md':
    '---\nname: tell\ndescription: Tells people. Use after an incident.\n---\nRun [it](scripts/say.sh).\n',
  'books/tell/scripts/say.sh': '#!/bin/sh\necho hi\n',
  'books/tell/picture.bin': 'a\u0000b',
  'books/draft.md': '---\ndescription: Not ready yet. Use never.\nstatus: draft\n---\nx\n',
};

interface Setup {
  readonly cwd: string;
  readonly run: (...args: string[]) => CliRun;
  readonly text: (path: string) => string;
}

function setup(): Setup {
  const cwd = seedFolder(PLAYBOOKS);
  execFileSync('chmod', ['+x', join(cwd, 'books/tell/scripts/say.sh')]);
  const env = { HOME: cwd, PLAYBOOK_MCP_HOME: join(cwd, 'state') };
  const run = (...args: string[]): CliRun =>
    runCli(['--no-starter', '--playbooks', 'books', 'export', 'skills', 'out', ...args], { cwd, env });
  return { cwd, run, text: (path) => readFileSync(join(cwd, 'out', path), 'utf8') };
}

describe('export skills', () => {
  it('writes active playbooks as skills with their files, and links that lead to each other', () => {
    const { cwd, run, text } = setup();
    expect(run().code).toBe(0);
    expect(readdirSync(join(cwd, 'out')).toSorted()).toEqual([
      '.playbook-mcp-export.json',
      'deploy-roll-back',
      'tell',
      'tests-run-all',
    ]);
    expect(text('deploy-roll-back/SKILL.md')).toBe(`---
name: deploy-roll-back
description: Roll a service back. Use when a deploy has broken it.
license: MIT
metadata:
  team: web
  level: "3"
  playbook: books:deploy/roll-back
  tags: domain:deploy
---

Put these in below, and ask for what the task does not tell:

- \`{{service}}\`: its name
- \`{{to}}\` (one of last, first; last by default): a value of the task

1. Roll \`{{service}}\` back, as in [the notes](notes.txt).
2. Then [run the tests](../tests-run-all/SKILL.md#quick), see [tell](../tell/SKILL.md) and [it](playbook://draft).

## Tools

This needs: \`github__create_issue\`.

\`playbook://\` names a playbook that is not among these skills: with a playbook-mcp server, \`execute\` it by the id behind it.
`);
    expect(text('deploy-roll-back/notes.txt')).toBe('notes\n');
    expect(text('tell/picture.bin')).toBe('a\u0000b');
    expect(statSync(join(cwd, 'out/tell/scripts/say.sh')).mode & 0o100).toBe(0o100);
  });

  it('writes skills that the format allows, as the rules see it', () => {
    const { cwd, run } = setup();
    run();
    const { stdout } = runCli(['lint', 'out', '--json', '--rule', 'name-form=error'], { cwd });
    const { findings } = JSON.parse(stdout) as { findings: { rule: string; severity: string }[] };
    expect(findings.filter(({ severity, rule }) => severity === 'error' && rule !== 'broken-reference')).toEqual([]);
  });

  it('gives each playbook a folder of its own whatever its id and text, and the same when the text changes', () => {
    const { cwd, run } = setup();
    const write = (name: string, body: string): void =>
      writeFileSync(join(cwd, 'books', name), `---\ndescription: Same. Use it.\n---\n${body}\n`);
    const ids = ['日本', '中国', 'put_it', 'put-it', 'put it', 'con'];
    for (const id of ids) write(`${id}.md`, 'x');
    const skillsOf = (): { name: string; playbook: string }[] => JSON.parse(run('--json').stdout).skills;
    const first = skillsOf();
    expect(new Set(first.map(({ name }) => name)).size).toBe(first.length);
    expect(first.map(({ name }) => name)).not.toContain('con');
    for (const id of ids) write(`${id}.md`, 'y');
    expect(skillsOf()).toEqual(first);
  });

  it('writes nothing the second time, what has changed the third, and takes away what is no longer part of it', () => {
    const { cwd, run, text } = setup();
    run();
    expect(run()).toMatchObject({ code: 0, stdout: '' });
    writeFileSync(join(cwd, 'books/deploy/notes.txt'), 'new\n');
    expect(run().stdout).toBe('wrote deploy-roll-back/notes.txt\n');
    expect(text('deploy-roll-back/notes.txt')).toBe('new\n');
    expect(run('--tag', 'test').stdout.trim().split('\n').toSorted()).toEqual([
      'removed deploy-roll-back/SKILL.md',
      'removed deploy-roll-back/notes.txt',
      'removed tell/SKILL.md',
      'removed tell/picture.bin',
      'removed tell/scripts/say.sh',
    ]);
    expect(readdirSync(join(cwd, 'out')).toSorted()).toEqual(['.playbook-mcp-export.json', 'tests-run-all']);
  });

  it('leaves what others wrote or changed, says so, and exits 1', () => {
    const { cwd, run, text } = setup();
    mkdirSync(join(cwd, 'out/tell'), { recursive: true });
    writeFileSync(join(cwd, 'out/tell/SKILL.md'), 'mine');
    writeFileSync(join(cwd, 'out/tell/own.txt'), 'mine');
    const { code, stderr } = run();
    expect(code).toBe(1);
    expect(stderr).toContain('left tell/SKILL.md');
    expect(text('tell/SKILL.md')).toBe('mine');
    writeFileSync(join(cwd, 'out/tests-run-all/SKILL.md'), 'edited');
    expect(run('--tag', 'deploy').code).toBe(1);
    expect(text('tests-run-all/SKILL.md')).toBe('edited');
    expect(text('tell/own.txt')).toBe('mine');
  });

  it('writes through no link that leads out of the directory', () => {
    const { cwd, run } = setup();
    mkdirSync(join(cwd, 'out'));
    mkdirSync(join(cwd, 'elsewhere'));
    symlinkSync(join(cwd, 'elsewhere'), join(cwd, 'out/tell'));
    expect(run().code).toBe(2);
    expect(readdirSync(join(cwd, 'elsewhere'))).toEqual([]);
  });

  it('refuses what is no directory', () => {
    const { cwd, run } = setup();
    writeFileSync(join(cwd, 'out'), 'mine');
    const { code, stderr } = run('--dry-run');
    expect([code, stderr]).toEqual([2, expect.stringContaining('out cannot be written: it is no directory')]);
  });

  it('tells what it would write, as JSON too, without writing', () => {
    const { cwd, run } = setup();
    const { skills, written } = JSON.parse(run('--dry-run', '--json').stdout) as Record<string, unknown[]>;
    expect(skills).toContainEqual({ name: 'tests-run-all', playbook: 'books:Tests/Run All' });
    expect(written).toContain('tell/scripts/say.sh');
    expect(existsSync(join(cwd, 'out'))).toBe(false);
  });
});
