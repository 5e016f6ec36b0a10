import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { findLinks } from '../../src/playbooks/links.ts';

const links = (body: string, bodyLine = 1): readonly string[] =>
  findLinks({ body, bodyLine }).map(
    ({ form, target, text, line, column }) => `${form} ${target} "${text}" ${line}:${column}`,
  );

describe('links', () => {
  it.each([
    { name: 'relative', body: '[a **b** `c`](./x.md)', expected: ['markdown ./x.md "a b c" 1:1'] },
    { name: 'with a title and an anchor', body: '[a](x.md#h "title")', expected: ['markdown x.md "a" 1:1'] },
    {
      name: 'encoded',
      body: '[a](my%20file.md) [b](<my file.md>)',
      expected: ['markdown my file.md "a" 1:1', 'markdown my file.md "b" 1:19'],
    },
    { name: 'with a lone percent sign', body: '[a](100%.md)', expected: ['markdown 100%.md "a" 1:1'] },
    {
      name: 'by reference',
      body: 'see [a][r] and [r]\n\n[r]: x.md',
      expected: ['markdown x.md "a" 1:5', 'markdown x.md "r" 1:16'],
    },
    { name: 'around an image', body: '[![alt](p.png)](x.md)', expected: ['markdown x.md "" 1:1'] },
    {
      name: 'wiki',
      body: '[[a/b]] [[c|shown]] [[d#h]] [[e#h|f]]',
      expected: ['wiki a/b "a/b" 1:1', 'wiki c "shown" 1:9', 'wiki d "d" 1:21', 'wiki e "f" 1:29'],
    },
    {
      name: 'wiki of another source',
      body: '[[platform:deploy/rollback]]',
      expected: ['wiki platform:deploy/rollback "platform:deploy/rollback" 1:1'],
    },
    {
      name: 'bare URIs',
      body: 'See playbook://a/b, (playbook://c_d). "playbook://e#h"',
      expected: ['uri a/b "playbook://a/b" 1:5', 'uri c_d "playbook://c_d" 1:22', 'uri e "playbook://e#h" 1:40'],
    },
    {
      name: 'URIs in links',
      body: '[t](playbook://a) <playbook://b> [playbook://c](playbook://c)',
      expected: ['uri a "t" 1:1', 'uri b "playbook://b" 1:19', 'uri c "playbook://c" 1:34'],
    },
    {
      name: 'in lists and quotes, on their own lines',
      body: '- a\n  - [x](x.md)\n    and [y](y.md)\n\n> q [z](z.md)',
      expected: ['markdown x.md "x" 2:5', 'markdown y.md "y" 3:9', 'markdown z.md "z" 5:5'],
    },
    {
      name: 'in headings and emphasis',
      body: '## The [a](a.md)\n\n**[b](b.md)**',
      expected: ['markdown a.md "a" 1:8', 'markdown b.md "b" 3:3'],
    },
    {
      name: 'in tables',
      body: '|h|i|\n|-|-|\n|[a](a.md)|[[b]]|',
      expected: ['markdown a.md "a" 3:2', 'wiki b "b" 3:12'],
    },
    { name: 'wiki with a bar in tables', body: '|h|\n|-|\n|[[b\\|c]]|', expected: ['wiki b "c" 3:1'] },
    { name: 'with double brackets as text', body: '[[a]](a.md)', expected: ['markdown a.md "[a]" 1:1'] },
  ])('are found $name', ({ body, expected }) => {
    expect(links(body)).toEqual(expected);
  });

  it.each([
    { name: 'code', body: '`[a](a.md)` `[[b]]`\n\n```\n[c](c.md) playbook://d\n```\n\n    [e](e.md)' },
    { name: 'images', body: '![a](a.png) ![b][r] ![[c]]\n\n[r]: r.png' },
    { name: 'the web', body: '[a](https://x.org/a.md) <https://x.org> [b](//x.org/b) [c](mailto:d@x.org) <d@x.org>' },
    { name: 'absolute paths', body: '[a](/etc/passwd) [b](C:\\x.md) [c](file:///x) [d](~/.ssh/config)' },
    { name: 'the page itself', body: '[a](#top) [b]() [c](?x=1)' },
    { name: 'templates', body: '[a]({{path}}) [b](<{x}.md>)' },
    { name: 'scripts', body: '[a](javascript:alert(1)) [b](data:text/html,x)' },
    { name: 'escapes and comments', body: '\\[a](a.md) \\[\\[b]] <!-- [c](c.md) [[d]] -->' },
    { name: 'brackets that are none', body: '[[]] [[a\nb]] [[a[b]]] x[1](' },
    { name: 'words that only end like the scheme', body: 'myplaybook://a playbook:// playbook:x' },
  ])('are not found in $name', ({ body }) => {
    expect(links(body)).toEqual([]);
  });

  it('count lines from the beginning of the file', () => {
    expect(links('\n[a](a.md)', 10)).toEqual(['markdown a.md "a" 11:1']);
  });

  it('never throw, and stand where they say, in any body', () => {
    const unit = fc.constantFrom(
      ...'[]()|!`<>#*_-\\ \n:/&;ax'.split(''),
      '[[',
      ']](',
      'playbook://',
      '[a](b)',
      '| a |\n|-|\n',
      '    ',
      '> ',
      '- ',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (body) => {
        const lines = body.split('\n');
        for (const { line, column, target } of findLinks({ body, bodyLine: 1 })) {
          expect(target).not.toBe('');
          expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? -1) + 1);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('are found in a long line without costing its square', () => {
    expect(findLinks({ body: '[[a]] '.repeat(20_000), bodyLine: 1 })).toHaveLength(20_000);
    expect(findLinks({ body: '[['.repeat(50_000), bodyLine: 1 })).toEqual([]);
  });
});
