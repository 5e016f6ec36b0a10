import { describe, expect, it } from 'vitest';

import { referenceTargets } from '../../src/playbooks/references.ts';
import { seed, source, text } from '../seed.ts';

/** `ids | files` of everything that one file refers to. */
function targets(path: string, body: string, frontMatter = ''): readonly string[] {
  const [playbook] = seed({ [path]: text('x', body, frontMatter) }, source('central'));
  if (playbook === undefined) throw new Error('no playbook');
  return referenceTargets(playbook).map(({ ids, files }) => `${ids.join(' ')} | ${files.join(' ')}`);
}

describe('a relative link', () => {
  it.each([
    {
      name: 'from a flat file to its neighbour',
      path: 'deploy/rollback.md',
      link: 'verify.md',
      expected: 'deploy/verify verify | verify.md',
    },
    {
      name: 'without an ending',
      path: 'deploy/rollback.md',
      link: './verify',
      expected: 'deploy/verify verify | verify',
    },
    {
      name: 'from a flat file to a folder above',
      path: 'deploy/rollback.md',
      link: '../test/run.md',
      expected: 'test/run | ',
    },
    {
      name: 'from a skill to a file below it',
      path: 'pdf/SKILL.md',
      link: 'references/forms.md',
      expected: 'pdf/references/forms references/forms | references/forms.md',
    },
    {
      name: 'from a skill to a script',
      path: 'pdf/SKILL.md',
      link: './scripts/fill.py',
      expected: 'pdf/scripts/fill.py scripts/fill.py | scripts/fill.py',
    },
    { name: 'to the file of another skill', path: 'x/pdf/SKILL.md', link: '../docx/SKILL.md', expected: 'x/docx | ' },
    { name: 'to the folder of another skill', path: 'x/pdf/SKILL.md', link: '../docx/', expected: 'x/docx | ' },
    { name: 'to a skill of the root', path: 'pdf/SKILL.md', link: '../SKILL.md', expected: 'central | ' },
    { name: 'out of the source', path: 'pdf/SKILL.md', link: '../../secret.md', expected: ' | ' },
    { name: 'out of the source and back', path: 'a.md', link: '../central/b.md', expected: ' | ' },
    { name: 'that only looks like it leaves', path: 'a.md', link: '..b.md', expected: '..b | ..b.md' },
    {
      name: 'from the skill at the root',
      path: 'SKILL.md',
      link: 'deploy/rollback.md',
      expected: 'deploy/rollback | deploy/rollback.md',
    },
  ])('leads $name', ({ path, link, expected }) => {
    expect(targets(path, `[x](${link})`)).toEqual([expected]);
  });
});

describe('an id', () => {
  it('is tried as it is written, then as a neighbour', () => {
    expect(targets('deploy/rollback.md', '[[verify]] playbook://a/b.md', 'references: [run, platform:x]')).toEqual([
      'verify deploy/verify | ',
      'a/b deploy/a/b | ',
      'run deploy/run | ',
      'platform:x deploy/platform:x | ',
    ]);
  });
});

describe('references', () => {
  it('come in order of appearance, each once, and never to oneself', () => {
    const body = '[b](b.md) [a](a.md#x) [b again](./b.md#y) [self](me.md) [[c]] [top](#top)';
    expect(targets('me.md', body, 'references: [c, d]')).toEqual(['b | b.md', 'a | a.md', 'c | ', 'd | ']);
  });

  it('keep the place and the text of their first link', () => {
    const [playbook] = seed({ 'me.md': text('x', 'See\n[b](b.md#h)', 'references: [d]') });
    if (playbook === undefined) throw new Error('no playbook');
    expect(referenceTargets(playbook)).toMatchObject([
      { written: 'b.md', line: 6, column: 1 },
      { written: 'd', line: 1, column: 1 },
    ]);
  });
});
