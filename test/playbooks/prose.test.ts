import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proseOf } from '../../src/playbooks/prose.ts';
import { fieldLocator } from '../../src/playbooks/locate.ts';
import { readYaml } from '../../src/playbooks/yaml.ts';

describe('proseOf', () => {
  it.each([
    { name: 'code spans', body: 'a `b` c ``d ` e`` f', expected: 'a     c           f' },
    {
      name: 'fenced code, in a list too',
      body: 'a\n\n- b\n  ```sh\n  c\n  ```\nd',
      expected: 'a\n\n- b\n       \n   \n     \nd',
    },
    { name: 'indented code', body: 'a\n\n    b\n\nc', expected: 'a\n\n     \n\nc' },
  ])('blanks $name', ({ body, expected }) => {
    expect(proseOf(body)).toBe(expected);
  });

  it.each([
    { name: 'a lone backtick', body: 'it`s a\n\nb`' },
    { name: 'an escaped backtick', body: String.raw`\`a\` b` },
    { name: 'comments and HTML', body: '<!-- a --><b>c</b>' },
  ])('keeps $name', ({ body }) => {
    expect(proseOf(body)).toBe(body);
  });

  it('keeps the length and every line end', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a`~\n >\-<!]{0,60}$/), (body) => {
        const prose = proseOf(body);
        expect(prose).toHaveLength(body.length);
        expect(prose.split('\n').map(({ length }) => length)).toEqual(body.split('\n').map(({ length }) => length));
      }),
    );
  });
});

describe('fieldLocator', () => {
  it('finds what YAML finds, the quick way too', () => {
    const frontMatter = 'name: x\ndescription:   "y"\ntags:\n  - a\nowner: &o z\nempty:\nlist: [a, b]\n';
    const yaml = readYaml(frontMatter);
    if (yaml.kind !== 'read') throw new Error('no YAML');
    const locate = fieldLocator(`---\n${frontMatter}---\nname: body\n`);
    for (const path of [
      ['name'],
      ['description'],
      ['tags'],
      ['tags', 0],
      ['owner'],
      ['empty'],
      ['list', 1],
      ['none'],
    ]) {
      expect({ path, place: locate(path) }).toEqual({ path, place: yaml.locate(path) });
    }
  });
});
