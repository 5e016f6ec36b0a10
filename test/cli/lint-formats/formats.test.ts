import { describe, expect, it } from 'vitest';
import { githubLines } from '../../../src/cli/lint-formats/github.ts';
import { toJsonReport } from '../../../src/cli/lint-formats/json.ts';
import { toSarif } from '../../../src/cli/lint-formats/sarif.ts';
import { textLines } from '../../../src/cli/lint-formats/text.ts';
import type { Diagnostic } from '../../../src/model.ts';

const finding = (overrides: Partial<Diagnostic> = {}): Diagnostic => ({
  rule: 'broken-reference',
  severity: 'error',
  path: '/repo/a.md',
  line: 4,
  column: 2,
  message: '"x" leads to no playbook.',
  hint: 'Did you mean y?',
  ...overrides,
});

describe('text', () => {
  it('groups by file, with a line for each finding and its hint', () => {
    const lines = textLines(
      [finding(), finding({ line: 9, severity: 'info' }), finding({ path: '/other/b.md' })],
      '/repo',
    );
    expect(lines.map((line) => line.replace(/\u001B\[\d+m/g, '').trim())).toEqual([
      'a.md',
      '4:2     error   broken-reference  "x" leads to no playbook.',
      'Did you mean y?',
      '9:2     info    broken-reference  "x" leads to no playbook.',
      'Did you mean y?',
      '',
      '/other/b.md',
      '4:2     error   broken-reference  "x" leads to no playbook.',
      'Did you mean y?',
    ]);
  });

  it('keeps a message on its line, whatever an author wrote', () => {
    expect(textLines([finding({ message: 'a\n  1:1 error b' })], '/repo')[1]).not.toContain('\n');
  });
});

describe('github', () => {
  it('is a workflow command, escaped so that no text of an author becomes another one', () => {
    const odd = finding({ path: '/repo/a,b:c%.md', severity: 'info', message: '100 %\n::error::x' });
    expect(githubLines([odd], '/repo')).toEqual([
      '::notice file=a%2Cb%3Ac%25.md,line=4,col=2,title=broken-reference::100 %25%0A::error::x Did you mean y?',
    ]);
  });
});

describe('json', () => {
  it('counts, and gives paths relative to the working directory', () => {
    const report = toJsonReport({ diagnostics: [finding()], notes: ['n'], fileCount: 3 }, '/repo');
    expect(report).toEqual({
      playbooks: 3,
      errors: 1,
      warnings: 0,
      infos: 0,
      findings: [finding({ path: 'a.md' })],
      notes: ['n'],
    });
  });
});

describe('sarif', () => {
  it('has one run, with the rules that its results name and a region for each', () => {
    const log = toSarif([finding(), finding({ path: '/other/b c.md', rule: 'secret', severity: 'info' })], '/repo');
    expect(log).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'playbook-mcp', rules: [{ id: 'broken-reference' }, { id: 'secret' }] } },
          originalUriBaseIds: { CWD: { uri: 'file:///repo/' } },
          results: [
            {
              ruleId: 'broken-reference',
              ruleIndex: 0,
              level: 'error',
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: 'a.md', uriBaseId: 'CWD' },
                    region: { startLine: 4, startColumn: 2 },
                  },
                },
              ],
            },
            {
              ruleId: 'secret',
              ruleIndex: 1,
              level: 'note',
              locations: [{ physicalLocation: { artifactLocation: { uri: 'file:///other/b%20c.md' } } }],
            },
          ],
        },
      ],
    });
  });
});
