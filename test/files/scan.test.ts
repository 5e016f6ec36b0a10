import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scanSource, scanSources, type Scan } from '../../src/files/scan.ts';
import type { Source } from '../../src/model.ts';
import { plant, playbook, type Seed } from './seed.ts';

function sourceOf(root: string, folders: readonly string[] = [''], kind: Source['kind'] = 'central'): Source {
  return {
    name: 'platform',
    kind,
    label: 'platform',
    folders: folders.map((folder) => join(root, folder)),
    isTrusted: kind !== 'workspace',
  };
}

function idsOf(scan: Scan): readonly string[] {
  return scan.found.map(({ id }) => id);
}

function rulesOf(scan: Scan): readonly string[] {
  return scan.diagnostics.map(({ rule }) => rule);
}

const text = playbook('x');

describe('what may be a playbook', () => {
  const rows: readonly { name: string; seed: Seed; ids: readonly string[]; rules?: readonly string[] }[] = [
    { name: 'is a flat file, by its path without .md', seed: { 'deploy/rollback.md': text }, ids: ['deploy/rollback'] },
    {
      name: 'is a folder with SKILL.md, by the path of the folder',
      seed: { 'deploy/rollback/SKILL.md': text },
      ids: ['deploy/rollback'],
    },
    {
      name: 'takes the name of the source for a SKILL.md at the top',
      seed: { 'SKILL.md': text, 'other.md': text },
      ids: ['platform'],
    },
    {
      name: 'has its extension in any case',
      seed: { 'a.MD': text, 'b/skill.md': text, 'c/Skill.md': text },
      ids: ['a', 'b', 'c'],
    },
    {
      name: 'is not README.md in any case',
      seed: { 'README.md': text, 'a/readme.md': text, 'a/ReadMe.MD': text, 'b.md': text },
      ids: ['b'],
    },
    { name: 'is not a file of another kind', seed: { 'a.mdx': text, 'b.txt': text, md: text }, ids: [] },
    {
      name: 'is not a hidden file or in a hidden folder',
      seed: { '.a.md': text, '.md': text, '.git/b.md': text, '.venv/c/SKILL.md': text },
      ids: [],
    },
    { name: 'is not in node_modules', seed: { 'node_modules/a/SKILL.md': text, 'b/node_modules/c.md': text }, ids: [] },
    {
      name: 'is not a markdown file in a folder of a skill',
      seed: { 's/SKILL.md': text, 's/notes.md': text, 's/references/README.md': text },
      ids: ['s'],
    },
    {
      name: 'is a SKILL.md nested in a skill',
      seed: { 's/SKILL.md': text, 's/sub/deep/SKILL.md': text },
      ids: ['s', 's/sub/deep'],
    },
    {
      name: 'is x/SKILL.md before x.md, and the other is named',
      seed: { 'x.md': text, 'x/SKILL.md': text },
      ids: ['x'],
      rules: ['shadowed-by-folder'],
    },
    {
      name: 'keeps an id composed, however the file system writes it',
      seed: { 'cafe\u0301.md': text },
      ids: ['caf\u00e9'],
    },
    {
      name: 'keeps letters of every script',
      seed: { '名前.md': text, 'откат/SKILL.md': text },
      ids: ['откат', '名前'],
    },
    {
      name: 'is not a file whose name could forge a line',
      seed: { 'a\nb.md': text, 'c.md': text },
      ids: ['c'],
      rules: ['unprintable-name'],
    },
  ];
  it.each(rows)('$name', async ({ seed, ids, rules = [] }) => {
    const scan = await scanSource(sourceOf(plant(seed)));
    expect(idsOf(scan)).toEqual(ids);
    expect(rulesOf(scan)).toEqual(rules);
  });

  it('tells path, shape, size and time', async () => {
    const root = plant({ 'a.md': text, 'b/SKILL.md': text });
    const { found } = await scanSource(sourceOf(root));
    expect(found).toMatchObject([
      {
        path: join(root, 'a.md'),
        realPath: join(root, 'a.md'),
        shape: 'file',
        size: text.length,
        mtimeMs: expect.any(Number),
      },
      { path: join(root, 'b/SKILL.md'), shape: 'folder' },
    ]);
  });

  it('gives the same order whatever order the files were made in', async () => {
    const names = ['b/z', 'a', 'b', 'a/c', 'B', 'a-b'];
    const one = await scanSource(sourceOf(plant(Object.fromEntries(names.map((name) => [`${name}.md`, text])))));
    const other = await scanSource(
      sourceOf(plant(Object.fromEntries(names.toReversed().map((name) => [`${name}.md`, text])))),
    );
    expect(idsOf(one)).toEqual(names.toSorted());
    expect(idsOf(other)).toEqual(idsOf(one));
  });

  it('finds nothing in a folder that vanished', async () => {
    expect(await scanSource(sourceOf(plant({}), ['gone']))).toMatchObject({ found: [], diagnostics: [] });
  });
});

describe('supporting files', () => {
  it('are all files of a skill, sorted, but hidden ones and those of a nested skill', async () => {
    const root = plant({
      's/SKILL.md': text,
      's/scripts/run.sh': '#!/bin/sh',
      's/references/forms.md': 'forms',
      's/.eslintrc': '{}',
      's/.DS_Store': '',
      's/.git/config': 'secret',
      's/scripts/__pycache__/run.pyc': '',
      's/sub/SKILL.md': text,
      's/sub/own.md': 'own',
    });
    const { found } = await scanSource(sourceOf(root));
    expect(found.map(({ supportingFiles }) => supportingFiles)).toEqual([
      ['references/forms.md', 'scripts/run.sh'],
      ['own.md'],
    ]);
  });

  it('are none of a flat file', async () => {
    const { found } = await scanSource(sourceOf(plant({ 'a.md': text, 'a/forms.txt': '' })));
    expect(found).toMatchObject([{ id: 'a', supportingFiles: [] }]);
  });

  it('are listed for each of two skills that link to what they share', async () => {
    const root = plant({
      'shared/forms.txt': 'forms',
      'a/SKILL.md': text,
      'a/references': { link: '../shared' },
      'b/SKILL.md': text,
      'b/references': { link: '../shared' },
    });
    const { found } = await scanSource(sourceOf(root));
    expect(found.map(({ supportingFiles }) => supportingFiles)).toEqual([
      ['references/forms.txt'],
      ['references/forms.txt'],
    ]);
  });

  it('leave out, and name, a link that leads out of skill and source', async () => {
    const outside = plant({ 'secret.txt': 'secret' });
    const scan = await scanSource(
      sourceOf(plant({ 's/SKILL.md': text, 's/secret.txt': { link: join(outside, 'secret.txt') } })),
    );
    expect(scan.found).toMatchObject([{ id: 's', supportingFiles: [] }]);
    expect(rulesOf(scan)).toEqual(['link-outside-source']);
  });

  it('are found of a skill that is linked file by file', async () => {
    const store = plant({ 's/SKILL.md': text, 's/forms.txt': 'forms' });
    const root = plant({
      's/SKILL.md': { link: join(store, 's/SKILL.md') },
      's/forms.txt': { link: join(store, 's/forms.txt') },
    });
    expect(await scanSource(sourceOf(root))).toMatchObject({
      found: [{ id: 's', supportingFiles: ['forms.txt'] }],
      diagnostics: [],
    });
  });
});

describe('links', () => {
  it('are followed to folders and files outside of a source that is no workspace', async () => {
    const dotfiles = plant({ 'skills/deploy/SKILL.md': text, 'notes/rollback.md': text });
    const root = plant({
      deploy: { link: join(dotfiles, 'skills/deploy') },
      'back.md': { link: join(dotfiles, 'notes/rollback.md') },
    });
    const scan = await scanSource(sourceOf(root));
    expect(scan.found).toMatchObject([
      { id: 'back', path: join(root, 'back.md'), realPath: join(dotfiles, 'notes/rollback.md') },
      { id: 'deploy', path: join(root, 'deploy/SKILL.md') },
    ]);
    expect(scan.diagnostics).toEqual([]);
  });

  it('give what is also reached without them no second id, silently', async () => {
    const root = plant({
      'a-link': { link: 'z/real' },
      'a.md': { link: 'z/flat.md' },
      'z/real/SKILL.md': text,
      'z/flat.md': text,
    });
    const scan = await scanSource(sourceOf(root));
    expect(idsOf(scan)).toEqual(['z/flat', 'z/real']);
    expect(scan.diagnostics).toEqual([]);
  });

  it('that lead round in a circle end', async () => {
    const root = plant({
      'a/up': { link: '..' },
      'a/self': { link: '.' },
      'a/b/SKILL.md': text,
      'a/b/again': { link: '../../a' },
      loop: { link: 'loop' },
    });
    const scan = await scanSource(sourceOf(root));
    expect(idsOf(scan)).toEqual(['a/b']);
    expect(rulesOf(scan)).toEqual(['link-broken']);
  });

  it('that lead nowhere are named', async () => {
    const root = plant({ 'gone.md': { link: 'nowhere.md' }, 'b.md': text });
    const scan = await scanSource(sourceOf(root));
    expect(idsOf(scan)).toEqual(['b']);
    expect(scan.diagnostics).toMatchObject([{ rule: 'link-broken', severity: 'warning', path: join(root, 'gone.md') }]);
  });

  it('of a workspace may stay in its repository', async () => {
    const root = plant({
      '.git/HEAD': '',
      '.agents/skills/deploy/SKILL.md': text,
      '.claude/skills/deploy': { link: '../../.agents/skills/deploy' },
      'docs/runbook.md': text,
      '.claude/skills/runbook.md': { link: '../../docs/runbook.md' },
    });
    const scan = await scanSource(sourceOf(root, ['.agents/skills', '.claude/skills'], 'workspace'));
    expect(idsOf(scan)).toEqual(['deploy', 'runbook']);
    expect(scan.diagnostics).toEqual([]);
  });

  it.each([
    { name: 'with a git root', seed: { '.git/HEAD': '' } },
    { name: 'without one', seed: {} },
  ])('of a workspace $name must not leave it', async ({ seed }) => {
    const outside = plant({ 'skills/a/SKILL.md': text, 'b.md': text });
    const root = plant({
      ...seed,
      'playbooks/in.md': text,
      'playbooks/folder': { link: join(outside, 'skills') },
      'playbooks/b.md': { link: join(outside, 'b.md') },
      'playbooks/s/SKILL.md': text,
      'playbooks/s/passwd': { link: '/etc/passwd' },
    });
    const scan = await scanSource(sourceOf(root, ['playbooks'], 'workspace'));
    expect(idsOf(scan)).toEqual(['in', 's']);
    expect(scan.found[1]?.supportingFiles).toEqual([]);
    expect(rulesOf(scan)).toEqual(['link-outside-workspace', 'link-outside-workspace', 'link-outside-workspace']);
  });
});

describe('one id', () => {
  it('belongs to the folder that comes first, and the other file is named', async () => {
    const root = plant({ 'near/build.md': text, 'far/build/SKILL.md': text, 'far/test.md': text });
    const scan = await scanSource(sourceOf(root, ['near', 'far']));
    expect(scan.found.map(({ path }) => path)).toEqual([join(root, 'near/build.md'), join(root, 'far/test.md')]);
    expect(scan.diagnostics).toMatchObject([{ rule: 'shadowed-in-source', path: join(root, 'far/build/SKILL.md') }]);
    expect(scan.diagnostics[0]?.message).toContain(join(root, 'near/build.md'));
  });

  it('belongs to a file without links before a linked one', async () => {
    const elsewhere = plant({ 'one.md': text });
    const root = plant({ 'one.MD': { link: join(elsewhere, 'one.md') }, 'one.md': text });
    const scan = await scanSource(sourceOf(root));
    expect(scan.found.map(({ path }) => path)).toEqual([join(root, 'one.md')]);
    expect(scan.diagnostics).toMatchObject([{ rule: 'shadowed-in-source', path: join(root, 'one.MD') }]);
  });
});

describe('bounds', () => {
  it('leave out folders that are too deep, and name the first', async () => {
    const deep = 'a/b/c/d/e/f/g/h';
    const root = plant({ [`${deep}/in.md`]: text, [`${deep}/i/out.md`]: text, [`${deep}/j/out.md`]: text });
    const scan = await scanSource(sourceOf(root));
    expect(idsOf(scan)).toEqual([`${deep}/in`]);
    expect(scan.diagnostics).toMatchObject([{ rule: 'too-deep', path: root }]);
    expect(scan.diagnostics[0]?.message).toContain(`${join(root, deep, 'i')} and 1 more`);
  });

  it('stop at too many files, and name where', async () => {
    const root = plant({ 'a.md': text, 'b/1.md': text, 'b/2.md': text, 'c/1.md': text, 'c/d/1.md': text });
    const scan = await scanSource(sourceOf(root), { depth: 8, files: 3 });
    expect(idsOf(scan)).toEqual(['a', 'b/1', 'b/2']);
    expect(scan.diagnostics).toMatchObject([{ rule: 'too-many-files', path: root }]);
    expect(scan.diagnostics[0]?.message).toContain(join(root, 'c'));
  });

  it('count on over the folders of a source', async () => {
    const root = plant({ 'one/a.md': text, 'two/b.md': text });
    const scan = await scanSource(sourceOf(root, ['one', 'two']), { depth: 8, files: 1 });
    expect(idsOf(scan)).toEqual(['a']);
    expect(scan.diagnostics).toMatchObject([{ rule: 'too-many-files', path: join(root, 'two') }]);
  });

  it('leave out a file of more than 1 MiB, and keep one of exactly that', async () => {
    const root = plant({ 'big.md': 'x'.repeat(1024 * 1024 + 1), 'fits.md': 'x'.repeat(1024 * 1024) });
    const scan = await scanSource(sourceOf(root));
    expect(idsOf(scan)).toEqual(['fits']);
    expect(scan.diagnostics).toMatchObject([
      { rule: 'file-too-large', path: join(root, 'big.md'), line: 1, column: 1 },
    ]);
  });

  // Root reads everything.
  it.skipIf(process.getuid?.() === 0)('name a folder that cannot be read, and nothing else is affected', async () => {
    const root = plant({ 'locked/a.md': text, 'b.md': text });
    chmodSync(join(root, 'locked'), 0);
    const scan = await scanSource(sourceOf(root));
    chmodSync(join(root, 'locked'), 0o755);
    expect(idsOf(scan)).toEqual(['b']);
    expect(rulesOf(scan)).toEqual(['unreadable-folder']);
  });
});

describe('scanSources', () => {
  it('gives a file that two sources reach to the first', async () => {
    const root = plant({ 'all/deploy/a.md': text, 'all/b.md': text });
    const narrow: Source = { ...sourceOf(root, ['all/deploy']), name: 'narrow' };
    const wide: Source = { ...sourceOf(root, ['all']), name: 'wide' };
    const scan = await scanSources([narrow, wide]);
    expect(scan.found.map(({ source, id }) => `${source.name}:${id}`)).toEqual(['narrow:a', 'wide:b']);
  });

  it('gives it to a trusted source before an untrusted workspace', async () => {
    const root = plant({ 'playbooks/a.md': text });
    const workspace: Source = { ...sourceOf(root, ['playbooks'], 'workspace'), name: 'workspace' };
    const scan = await scanSources([workspace, sourceOf(root, ['playbooks'])]);
    expect(scan.found.map(({ source }) => source.name)).toEqual(['platform']);
  });
});
