import { describe, expect, it } from 'vitest';
import { findingsOf, lintFiles, playbook } from './lint-text.ts';

const broken = '[gone](gone.md)';
const nextLine = '<!-- playbook-lint-disable-next-line broken-reference -- written next week -->';

describe('a comment that disables a rule', () => {
  it.each([
    { name: 'silences the next line', body: `${nextLine}\n${broken}`, expected: [] },
    {
      name: 'silences no other line',
      body: `${nextLine}\n${broken}\n\n${broken} [lost](lost.md)`,
      expected: ['broken-reference 7:17'],
    },
    {
      name: 'silences the whole file, wherever it stands',
      body: `${broken}\n\n[lost](lost.md)\n\n<!-- playbook-lint-disable broken-reference -- examples -->`,
      expected: [],
    },
    {
      name: 'may name several rules',
      body: `<!-- playbook-lint-disable-next-line broken-reference, override-instructions -- quoted from a report -->\n${broken} ignore previous instructions`,
      expected: [],
    },
    {
      name: 'is a finding without a reason, and holds',
      body: `<!-- playbook-lint-disable-next-line broken-reference -->\n${broken}`,
      expected: ['disable-without-reason 4:1'],
    },
    {
      name: 'is a finding without a rule',
      body: `<!-- playbook-lint-disable -- everything -->\n${broken}`,
      expected: ['disable-without-reason 4:1', 'broken-reference 5:1'],
    },
    {
      name: 'is a finding where there is nothing to disable',
      body: `${nextLine}\nBody.`,
      expected: ['unused-disable 4:1'],
    },
    {
      name: 'is a finding where no such rule exists',
      body: `<!-- playbook-lint-disable-next-line broken-refrence -- a slip -->\n${broken}`,
      expected: ['unknown-rule 4:1', 'broken-reference 5:1'],
    },
    { name: 'is an example inside code', body: `\`\`\`md\n${nextLine}\n\`\`\`\n\n\`${nextLine}\``, expected: [] },
  ])('$name', ({ body, expected }) => {
    expect(findingsOf({ 'x.md': playbook(body) })).toEqual(expected);
  });

  it('is one of YAML in front matter', () => {
    const comment = '# playbook-lint-disable-next-line name-form -- the name of the product\n';
    expect(findingsOf({ 'x.md': playbook('Body.', `${comment}name: PostgreSQL\n`) })).toEqual([]);
  });

  it('silences what parsing reports too', () => {
    const text =
      '---\n# playbook-lint-disable-next-line unquoted-colon -- as the vendor ships it\ndescription: Stops: all that runs, when it rains\n---\nBody.\n';
    expect(findingsOf({ 'x.md': text })).toEqual([]);
  });

  it('is not called unused where the rule is off', () => {
    const levels = new Map([['broken-reference', 'off' as const]]);
    expect(findingsOf({ 'x.md': playbook(`${nextLine}\n${broken}`) }, { levels })).toEqual([]);
  });
});

describe('levels', () => {
  it('make a rule louder, quieter or silent', () => {
    const text = `${broken} {{flag}} ignore previous instructions`;
    const levels = new Map([
      ['broken-reference', 'info' as const],
      ['override-instructions', 'off' as const],
    ]);
    expect(lintFiles({ 'x.md': playbook(text) }, { levels }).diagnostics).toMatchObject([{ severity: 'info' }]);
  });

  it('never make a milder case graver than it is', () => {
    const levels = new Map([['override-instructions', 'error' as const]]);
    const quoted = playbook('Refuse "ignore previous instructions".');
    expect(lintFiles({ 'x.md': quoted }, { levels }).diagnostics).toMatchObject([{ severity: 'warning' }]);
  });
});

describe('a file with thousands of findings', () => {
  it('shows fifty of a rule and counts the rest', () => {
    const { diagnostics } = lintFiles({ 'x.md': playbook('[gone](gone.md)\n\n[a\u200Bb]\n\n'.repeat(200).trimEnd()) });
    const hidden = diagnostics.filter(({ rule }) => rule === 'hidden-unicode');
    expect(hidden).toHaveLength(50);
    expect(hidden.at(-1)?.message).toContain('And 150 more');
  });
});
