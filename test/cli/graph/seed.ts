import { buildCatalog } from '../../../src/catalog/catalog.ts';
import { toGraphReport } from '../../../src/catalog/graph-report.ts';
import type { GraphReport } from '../../../src/catalog/graph-shape.ts';
import { seed, source, text, tool } from '../../seed.ts';

/** A report of seeds: path below the source's root → text. */
export function reportOf(files: Readonly<Record<string, string>>): GraphReport {
  const playbooks = seed(files, source('central'));
  const catalog = buildCatalog({ playbooks, tools: [tool('github__create_issue', { tags: ['domain:code'] })] });
  return toGraphReport(catalog, { withTools: true, withFiles: true });
}

/** Two roots that share a subtree, a cycle, an orphan, a dangling link, tools and a supporting file. */
export const SMALL = {
  'release.md': text('Release.', '[[tests]] [[notes]] [[gone]]'),
  'fix.md': text('Fix.', '[[tests]]', 'tools: [github__create_issue, no__such_tool]'),
  'tests.md': text('Tests.', '[[commands]]'),
  'commands.md': text('Commands.', 'word '.repeat(200)),
  'notes/SKILL.md': text('Notes.', '[t](template.txt)'),
  'notes/template.txt': 'T',
  'a.md': text('A.', '[[b]]'),
  'b.md': text('B.', '[[c]]'),
  'c.md': text('C.', '[[a]]'),
  'lone.md': text('Lone.'),
} as const satisfies Record<string, string>;

/** The bodies of the same seeds, by id. */
export function bodiesOf(files: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(seed(files, source('central')).map(({ id, body }) => [id, body]));
}
