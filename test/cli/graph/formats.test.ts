import fc from 'fast-check';
import parseDot from 'dotparser';
import { describe, expect, it } from 'vitest';
import { toDot } from '../../../src/cli/graph/dot.ts';
import { edgesOf } from '../../../src/cli/graph/edges.ts';
import { toMermaid } from '../../../src/cli/graph/mermaid.ts';
import { toText } from '../../../src/cli/graph/text.ts';
import type { GraphReport } from '../../../src/catalog/graph-shape.ts';
import { text } from '../../seed.ts';
import { reportOf, SMALL } from './seed.ts';

const plain = (each: string): string => each;
const style = { bold: plain, dim: plain, warn: plain };
const report = reportOf(SMALL);

/** A report whose ids are whatever text an upstream or a file system may bring. */
function reportWithIds(ids: readonly string[]): GraphReport {
  const [first] = report.playbooks;
  if (first === undefined) throw new Error('The seed has playbooks.');
  const playbooks = ids.map((id, at) => ({
    ...first,
    id,
    children: ids.slice(at + 1, at + 2),
    tools: [],
    files: [],
    parents: [],
  }));
  return { ...report, playbooks, tools: [], files: [], cycles: [], orphans: [], dangling: [] };
}

describe('the report', () => {
  it('names parents, children, roots, orphans, cycles with their path, dangling references and leaves', () => {
    expect(report).toMatchObject({
      roots: ['fix', 'release'],
      orphans: ['lone'],
      cycles: [{ members: ['a', 'b', 'c'], path: ['a', 'b', 'c', 'a'] }],
      dangling: [{ from: 'release', written: 'gone', line: 4 }],
      tools: [
        { id: 'github__create_issue', isKnown: true, parents: ['fix'] },
        { id: 'no__such_tool', isKnown: false, parents: ['fix'] },
      ],
      files: [{ id: 'notes/template.txt', name: 'template.txt', parents: ['notes'] }],
      totals: { playbooks: 9, references: 7, tools: 2, files: 1 },
    });
    expect(report.playbooks.find(({ id }) => id === 'tests')).toMatchObject({
      parents: ['fix', 'release'],
      children: ['commands'],
    });
  });

  it('counts the tokens of a closure once for each playbook', () => {
    const tokens = (id: string): number => report.playbooks.find((each) => each.id === id)?.tokens ?? NaN;
    const closure = (id: string): number => report.playbooks.find((each) => each.id === id)?.closureTokens ?? NaN;
    expect(closure('fix')).toBe(tokens('fix') + tokens('tests') + tokens('commands'));
    expect(closure('a')).toBe(tokens('a') + tokens('b') + tokens('c'));
    expect(report.totals.tokens).toBe(report.playbooks.reduce((sum, each) => sum + each.tokens, 0));
  });
});

describe('text', () => {
  const lines = toText(report, { width: Infinity, style }).split('\n');

  it('draws trees with what each costs, marks what stands above and what leads round', () => {
    const shown = lines.map((line) => line.replace(/[\d,]+ tokens(, [\d,]+ with all below)?/, 'T').trimEnd());
    expect(shown.slice(0, shown.indexOf(''))).toEqual([
      'fix  T',
      '├── tests  T',
      '│   └── commands  T',
      '├── github__create_issue  tool',
      '└── no__such_tool  tool, unknown',
      'release  T',
      '├── tests  (shown above)',
      '└── notes  T',
      '    └── template.txt  file',
      'a ↺  T',
      '└── b ↺  T',
      '    └── c ↺  T',
      '        └── a  ↺ cycle',
    ]);
    expect(lines).toContain('↺ a → b → c → a');
    expect(lines.join('\n')).toMatch(/Orphans \(1\).*\nlone {2}\d+ tokens/);
    expect(lines.join('\n')).toMatch(/✗ release → gone \/central\/release\.md:4:\d+/);
    expect(lines.at(-3)).toBe(
      '9 playbooks, 7 references · 2 tools · 1 supporting file · 2 roots · 1 orphan · 1 cycle · 1 dangling',
    );
  });

  it('fits a narrow terminal, and keeps the ends of ids', () => {
    const long = `${'folder/'.repeat(20)}end`;
    const deep = reportOf({ 'top.md': text('Top.', `[[${long}]]`), [`${long}.md`]: text('Long.') });
    const narrow = toText(deep, { width: 60, style }).split('\n');
    for (const line of narrow.slice(0, 2)) expect(line.length).toBeLessThanOrEqual(60);
    expect(narrow[1]).toMatch(/^└── ….*\/end {2}\d+ tokens$/);
  });

  it('shows every playbook of a long chain, in trees of bounded depth', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`p${i}.md`, text(`P${i}.`, i < 59 ? `[[p${i + 1}]]` : 'End.')]),
    );
    const drawn = toText(reportOf(chain), { width: 100, style });
    for (let i = 0; i < 60; i += 1) expect(drawn).toMatch(new RegExp(`p${i}  .*tokens`));
    expect(Math.max(...drawn.split('\n').map((line) => line.indexOf('└')))).toBeLessThan(16 * 4);
  });
});

const idText = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 });
const hostile = fc.uniqueArray(
  fc.oneof(
    idText,
    fc.constantFrom('end', 'a"b', 'x\\', 'y\\"', '`z`', '"]; evil', '<script>', '#quot;', '-->|x|', '\n'),
  ),
  { minLength: 1, maxLength: 8, selector: (id) => id.replace(/[\s\p{Cc}]+/gu, ' ') },
);

describe('mermaid', () => {
  const NODE = /^ {2}n\d+(?:\["[^"`<>\\]*"\]|\(\["[^"`<>\\]*"\]\)|\[\/"[^"`<>\\]*"\/\])$/;
  const EDGE = /^ {2}n\d+ (?:-->|-\.->) n\d+$/;
  const CLASS = /^ {2}(?:classDef \w+ [\w#:,. -]+|class n\d+(?:,n\d+)* \w+)$/;

  it('writes nothing but nodes, edges and classes, whatever the ids', () => {
    fc.assert(
      fc.property(hostile, (ids) => {
        const [head, ...rest] = toMermaid(reportWithIds(ids)).split('\n');
        expect(head).toBe('flowchart LR');
        for (const line of rest) expect([NODE, EDGE, CLASS].some((form) => form.test(line))).toBe(true);
        expect(rest.filter((line) => NODE.test(line))).toHaveLength(ids.length);
        expect(rest.filter((line) => EDGE.test(line))).toHaveLength(ids.length - 1);
      }),
      { numRuns: 200 },
    );
  });

  it('tells tools, files, cycles and orphans apart', () => {
    const drawn = toMermaid(report);
    expect(drawn).toContain('(["github__create_issue"])');
    expect(drawn).toContain('[/"notes/template.txt"/]');
    expect(drawn).toMatch(/class n0,n1,n2 cycle/);
    for (const line of drawn.split('\n').slice(1))
      expect([NODE, EDGE, CLASS].some((form) => form.test(line))).toBe(true);
  });
});

describe('dot', () => {
  it('is read back by a parser with every node and edge, whatever the ids', () => {
    fc.assert(
      fc.property(hostile, (ids) => {
        const [graph] = parseDot(toDot(reportWithIds(ids)));
        const kinds = (graph?.children ?? []).map(({ type }) => type);
        expect(kinds.filter((kind) => kind === 'node_stmt')).toHaveLength(ids.length);
        expect(kinds.filter((kind) => kind === 'edge_stmt')).toHaveLength(ids.length - 1);
      }),
      { numRuns: 200 },
    );
  });

  it('has an edge for each reference and use', () => {
    const [graph] = parseDot(toDot(report));
    const edges = (graph?.children ?? []).flatMap((child) =>
      child.type === 'edge_stmt' ? [child.edge_list.map((end) => ('id' in end ? end.id : '')).join(' → ')] : [],
    );
    expect(edges).toEqual(edgesOf(report).map(({ from, to }) => `${from} → ${to}`));
  });
});
