import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixFile } from '../../../src/catalog/lint/fix.ts';
import type { SourceFile } from '../../../src/model.ts';
import { parsePlaybook } from '../../../src/playbooks/parse.ts';
import { source } from '../../seed.ts';

const RULES = ['unquoted-colon', 'unquoted-hint', 'final-newline'];

function file(text: string): SourceFile {
  const bytes = new TextEncoder().encode(text);
  return {
    source: source('central'),
    path: '/central/x.md',
    realPath: '/central/x.md',
    id: 'x',
    shape: 'file',
    bytes,
    supportingFiles: [],
  };
}

function fixed(text: string, rules: readonly string[] = RULES): string | undefined {
  const fix = fixFile(file(text), rules);
  return fix === undefined ? undefined : new TextDecoder('utf-8', { ignoreBOM: true }).decode(fix.bytes);
}

describe('fixFile', () => {
  it.each([
    {
      name: 'quotes a colon',
      text: "---\ndescription: Use when: it's raining\n---\nBody.\n",
      expected: "---\ndescription: 'Use when: it''s raining'\n---\nBody.\n",
    },
    {
      name: 'keeps Windows line ends, the byte order mark and a comment',
      text: '\uFEFF---\r\n# kept\r\ndescription: Use when: it rains\r\ntags:  [a,b]\r\n---\r\nBody.',
      expected: "\uFEFF---\r\n# kept\r\ndescription: 'Use when: it rains'\r\ntags:  [a,b]\r\n---\r\nBody.\r\n",
    },
    {
      name: 'quotes a hint',
      text: '---\ndescription: Fixes it.\nargument-hint: [issue] [level]\n---\nBody.\n',
      expected: "---\ndescription: Fixes it.\nargument-hint: '[issue] [level]'\n---\nBody.\n",
    },
    {
      name: 'quotes a value of two lines',
      text: '---\ndescription: Use when: it rains\n  or snows\n---\nBody.\n',
      expected: "---\ndescription: 'Use when: it rains\n  or snows'\n---\nBody.\n",
    },
    {
      name: 'takes blank lines at the end away',
      text: '---\ndescription: Fixes it.\n---\nBody.  \n\n \n',
      expected: '---\ndescription: Fixes it.\n---\nBody.\n',
    },
    { name: 'leaves what is right', text: '---\ndescription: Fixes it.\n---\nBody.\n', expected: undefined },
    { name: 'leaves what is no playbook', text: '---\nname: x\nname: y', expected: undefined },
  ])('$name', ({ text, expected }) => {
    expect(fixed(text)).toBe(expected);
  });

  it('mends only what it is asked to', () => {
    expect(fixed('---\ndescription: Use when: it rains\n---\nBody.', ['final-newline'])).toBe(
      '---\ndescription: Use when: it rains\n---\nBody.\n',
    );
  });

  it('never changes what a playbook says, and has nothing left to mend', () => {
    const word = fc.stringMatching(/^[a-z':#\-{}[\]"* ]{0,12}$/);
    const text = fc
      .tuple(word, word, fc.constantFrom('\n', '\r\n'), fc.string(), fc.constantFrom('', '\n', '\n\n', ' \n'))
      .map(([first, second, end, body, tail]) =>
        ['---', `description: a ${first}: ${second}`, 'tags: [x]', '---', `${body}${tail}`].join(end),
      );
    fc.assert(
      fc.property(text, (given) => {
        const mended = fixed(given);
        if (mended === undefined) return;
        const [before, after] = [parsePlaybook(file(given)), parsePlaybook(file(mended))];
        if (before.kind !== 'playbook' || after.kind !== 'playbook') throw new Error('mended what is no playbook');
        expect(after.playbook.description).toBe(before.playbook.description);
        expect(after.playbook.body.trimEnd()).toBe(before.playbook.body.trimEnd());
        expect(fixed(mended)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });
});
