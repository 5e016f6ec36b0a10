import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMap } from 'yaml';
import { readPlainYaml } from '../../src/playbooks/plain-yaml.ts';
import { parseYaml } from '../../src/playbooks/yaml.ts';
import { offsetOf, readTree } from '../../src/playbooks/yaml-tree.ts';

const KEYS = ['name', 'description', 'when-to-use', 'a_b', 'null', 'True', 'x1', '1x', 'Ключ', '"q"', '-', '__proto__'];
const PIECES = [
  ...'a Use null true FALSE yes NaN 1.0.0 2 .inf é 漢字 🚀 { } [ ] : # , - " \' \\ \\n | > &a *a !t % @ ` ? ... --- << ~ ='.split(
    ' ',
  ),
  ' ',
  '  ',
  ': ',
  ' #',
  '- ',
  '\t',
  '\u0085',
  '\u2028',
  '\u00a0',
  '\ufeff',
  '\0',
  '\u007f',
  '\ud83d',
  '\n  ',
];
const value = fc
  .tuple(
    fc.constantFrom('', '"', "'"),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => pieces.join('')),
    fc.constantFrom('', ' ', '  # c', ':'),
  )
  .map(([quote, text, end]) => `${quote}${text}${quote}${end}`);
const oddLine = fc
  .tuple(fc.constantFrom(...KEYS), fc.constantFrom(': ', ':  ', ':', ' : ', ':\t'), value)
  .map((parts) => parts.join(''));
/** Mostly plain: every field has a key of its own, and the text is short. */
const plainText = fc
  .tuple(
    fc.constantFrom('', '"', "'"),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 3 }).map((pieces) => pieces.join('')),
  )
  .map(([quote, text]) => (quote === '' ? `a${text}` : `${quote}${text}${quote}`));
const lines = fc
  .array(fc.oneof({ weight: 9, arbitrary: plainText }, oddLine), { minLength: 1, maxLength: 3 })
  .map((list) => list.map((text, index) => (text.includes(':') && /^\w+ ?:/.test(text) ? text : `k${index}: ${text}`)));
const frontMatters = fc.tuple(lines, fc.constantFrom('', '\n', '\n\n')).map(([list, end]) => list.join('\n') + end);

describe('readPlainYaml', () => {
  it('reads what the parser of YAML reads, at the same places, or leaves it to it', () => {
    fc.assert(
      fc.property(frontMatters, (frontMatter) => {
        const plain = readPlainYaml(frontMatter);
        if (plain === undefined) return;
        const parsed = parseYaml(frontMatter);
        const root = parsed?.document.contents;
        if (parsed === undefined || !isMap(root)) throw new Error(`no map: ${JSON.stringify(frontMatter)}`);
        expect(parsed.document.errors).toEqual([]);
        expect(parsed.document.warnings).toEqual([]);
        expect(plain.data).toEqual(readTree(root, 'text').data);
        expect(plain.data).toEqual(readTree(root, 'values').data);
        for (const path of [
          [],
          ['name'],
          ['description', 0],
          ['absent'],
          ...Object.keys(plain.data).map((key) => [key]),
        ])
          expect((plain.offsetOf(path) ?? -1) + 1).toBe(offsetOf(root, path));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    {
      name: 'plain texts',
      yaml: 'name: deploy\ndescription: Use when it fails, e.g. at 10:30 (C# too).\n',
      isPlain: true,
    },
    { name: 'quoted texts', yaml: `name: "a: b"\ndescription: 'say "no" # here'`, isPlain: true },
    { name: 'an escape', yaml: 'name: "a\\nb"', isPlain: false },
    { name: 'a doubled quote', yaml: "name: 'it''s'", isPlain: false },
    { name: 'a list', yaml: 'name: a\ntags:\n  - b', isPlain: false },
    { name: 'a number', yaml: 'name: a\nversion: 1.0', isPlain: false },
    { name: 'a second field of one name', yaml: 'name: a\nname: b', isPlain: false },
    { name: 'a comment behind a value', yaml: 'name: a # b', isPlain: false },
    { name: 'a colon that needs quotes', yaml: 'description: Use when: it fails', isPlain: false },
    { name: 'nothing', yaml: '', isPlain: false },
  ])('reads $name: $isPlain', ({ yaml, isPlain }) => {
    expect(readPlainYaml(yaml) !== undefined).toBe(isPlain);
  });
});
