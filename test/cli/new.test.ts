import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seedFolder } from '../server/product.ts';
import { type CliRun, runCli } from './run-cli.ts';

const newIn = (cwd: string, ...args: readonly string[]): CliRun => runCli(['--no-starter', 'new', ...args], { cwd });
const read = (cwd: string, path: string): string => readFileSync(join(cwd, path), 'utf8');

describe('new', () => {
  it('writes a playbook that is served as it was described, and prints its path', () => {
    const cwd = seedFolder({});
    const description = '@x: undo a release # at once';
    const flags = ['--tag', 'a: b', '--parameter', 'env:string:required:where: here', '--example', 'undo: it'];
    const { code, stdout, stderr } = newIn(cwd, 'deploy/roll-back', '--description', description, ...flags);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '.playbooks/deploy/roll-back.md\n' });
    expect(stderr).toContain('playbook-mcp eval deploy/roll-back');
    const shown = runCli(['--no-starter', 'show', '--json', 'deploy/roll-back'], { cwd });
    expect(JSON.parse(shown.stdout)).toMatchObject({
      name: 'roll-back',
      description,
      tags: ['a: b'],
      inputSchema: { properties: { env: { type: 'string', description: 'where: here' } }, required: ['env'] },
      text: expect.stringMatching(/\{\{env\}\}[\s\S]*## Done when/),
    });
  });

  it('uses the folder that the workspace has, or the one that is named, and makes folders for skills', () => {
    const cwd = seedFolder({ 'playbooks/x.md': '---\ndescription: x\n---\n' });
    expect(newIn(cwd, 'a', '--description', 'A.', '--shape', 'folder').stdout).toBe('playbooks/a/SKILL.md\n');
    expect(newIn(cwd, 'b', '--description', 'B.', '--dir', 'docs', '--json').stdout).toContain('docs/b.md');
  });

  it('never overwrites, in no spelling and no shape', () => {
    const cwd = seedFolder({ '.playbooks/Deploy/x.md': 'no playbook', '.playbooks/pdf/SKILL.md': 'none either' });
    for (const id of ['Deploy/x', 'Deploy/X', 'deploy/y', 'pdf']) {
      const { code, stderr } = newIn(cwd, id, '--description', 'x');
      expect({ id, code, says: /exists already|has this id already/.test(stderr) }).toEqual({
        id,
        code: 2,
        says: true,
      });
    }
    expect(read(cwd, '.playbooks/Deploy/x.md')).toBe('no playbook');
  });

  it('refuses an id of another entry, unless both are wanted, and names what is near', () => {
    const central = seedFolder({ 'deploy.md': '---\ndescription: Deploy the service.\n---\nx\n' });
    const cwd = seedFolder({});
    const args = ['deploy', '--description', 'Deploy the service now.', '--playbooks', central];
    expect(newIn(cwd, ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining('is taken by deploy') });
    const { code, stderr } = newIn(cwd, ...args, '--force-shadow');
    expect(code).toBe(0);
    expect(stderr).toMatch(/does one of them do already\?\n {2}deploy: Deploy the service\./);
  });

  it.each([
    ...['CON', 'a/nul.x', '../x', 'a//b', 'a\\b', '.hidden', 'a/README', 'x.', 'a__b', 'node_modules/x'].map((id) => ({
      name: `the id ${id}`,
      args: [id, '--description', 'x'],
      says: 'cannot be the id',
    })),
    { name: 'no description where nobody can be asked', args: ['x'], says: 'needs a description' },
    { name: 'a parameter of no type', args: ['x', '--description', 'x', '--parameter', 'a:txt'], says: 'no parameter' },
  ])('exits 2 for $name and writes nothing', ({ args, says }) => {
    const cwd = seedFolder({});
    expect(newIn(cwd, ...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(says) });
    expect(existsSync(join(cwd, '.playbooks'))).toBe(false);
  });
});

describe('new --from', () => {
  it.each([
    {
      name: 'the name of a skill',
      from: 'foreign',
      files: { 'foreign/SKILL.md': 'name: Fill PDF forms\n' },
      id: 'fill-pdf-forms',
    },
    {
      name: 'the folder of a skill without one',
      from: 'foreign/SKILL.md',
      files: { 'foreign/SKILL.md': '' },
      id: 'foreign',
    },
    { name: 'the name of a file', from: 'Fix Bug.md', files: { 'Fix Bug.md': '' }, id: 'fix-bug' },
  ])('takes the id from $name where none is given', ({ from, files, id }) => {
    const texts = Object.entries(files).map(([path, name]) => [
      path,
      `---\n${name}description: Does it.\n---\nBody.\n`,
    ]);
    const cwd = seedFolder(Object.fromEntries(texts));
    const { code, stdout } = newIn(cwd, '--from', from, '--json');
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, id });
    expect(newIn(cwd, '--from', from)).toMatchObject({ code: 2, stderr: expect.stringContaining(`"${id}" is taken`) });
  });

  it('needs an id where nothing is converted', () => {
    expect(newIn(seedFolder({}), '--description', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('needs an id'),
    });
  });

  it('copies a skill with its files, to the byte', () => {
    const skill = '---\r\nname: pdf\r\ndescription: Fill forms.\r\nlicense: MIT\r\n---\r\nBody  \r\n';
    const cwd = seedFolder({ 'foreign/SKILL.md': skill, 'foreign/scripts/fill.py': 'print()\n' });
    const { stdout, stderr } = newIn(cwd, 'pdf', '--from', 'foreign');
    expect(stdout).toBe('.playbooks/pdf/SKILL.md\n');
    expect(stderr).toMatch(/with 1 supporting files[\s\S]*without a meaning here: license/);
    expect(read(cwd, '.playbooks/pdf/SKILL.md')).toBe(skill);
    expect(read(cwd, '.playbooks/pdf/scripts/fill.py')).toBe('print()\n');
    expect(statSync(join(cwd, '.playbooks/pdf/scripts/fill.py')).mode & 0o100).toBe(0);
  });

  it.each([
    {
      name: 'a Cursor rule',
      file: 'r.mdc',
      text: '---\ndescription: \nglobs: *.ts,*.tsx\nalwaysApply: false\n---\n\n# Use named exports\nAlways.\n',
      written:
        "---\ndescription: Use named exports\nglobs: '*.ts,*.tsx'\nalwaysApply: false\n---\n\n# Use named exports\nAlways.\n",
    },
    {
      name: 'a Claude Code command without front matter',
      file: 'c.md',
      text: 'Fix issue $ARGUMENTS.\n',
      written: '---\ndescription: Fix issue $ARGUMENTS.\nargument-hint: what it is about\n---\nFix issue $ARGUMENTS.\n',
    },
    {
      name: 'an OpenHands microagent',
      file: 'm.md',
      text: '---\nname: docker\ntriggers:\n- docker\n---\nUse it so.\n',
      written: '---\ndescription: Use it so.\nname: docker\ntriggers:\n- docker\n---\nUse it so.\n',
    },
    {
      name: 'a goose recipe',
      file: 'g.yaml',
      text: 'version: 1.0.0\ndescription: Release\ninstructions: |\n  Do {{ver}}\nparameters:\n  - key: ver\n    requirement: required\n',
      written:
        '---\nversion: 1.0.0\ndescription: Release\nparameters:\n  - key: ver\n    requirement: required\n---\nDo {{ver}}\n',
    },
  ])('converts $name, its body as it is', ({ file, text, written }) => {
    const cwd = seedFolder({ [file]: text });
    expect(newIn(cwd, 'x', '--from', file)).toMatchObject({ code: 0, stdout: '.playbooks/x.md\n' });
    expect(read(cwd, '.playbooks/x.md')).toBe(written);
  });

  it('adds the fields of flags, and says what is no playbook', () => {
    const cwd = seedFolder({ 'c.md': '---\ndescription: Do.\n---\nx\n', 'e/x.txt': '' });
    newIn(cwd, 'x', '--from', 'c.md', '--tag', 'domain:x', '--status', 'draft');
    expect(read(cwd, '.playbooks/x.md')).toBe('---\ntags: [domain:x]\nstatus: draft\ndescription: Do.\n---\nx\n');
    expect(newIn(cwd, 'y', '--from', 'e')).toMatchObject({ code: 2, stderr: expect.stringContaining('no SKILL.md') });
  });
});
