import type { GraphFile, GraphTool } from '../../catalog/graph-shape.ts';
import type { PageData, PagePlaybook } from './data.ts';
import { decodeEscapes } from '../../playbooks/decode-escapes.ts';

export type Item = PagePlaybook | GraphTool | GraphFile;
export type Kind = Item['kind'];

/** What can be said of an item at a glance. */
export type Mark = 'root' | 'orphan' | 'cycle' | 'dangling' | 'draft' | 'deprecated' | 'retired' | 'unknown';

/** The page's data with what it looks up. Never changes. */
export interface Model {
  readonly data: PageData;
  /** Playbooks, tools, files: each in the report's order. */
  readonly items: readonly Item[];
  readonly byId: ReadonlyMap<string, Item>;
  /** Ids that each item leads to, and that lead to it; only those that are in the page. */
  readonly below: ReadonlyMap<string, readonly string[]>;
  readonly above: ReadonlyMap<string, readonly string[]>;
  readonly marks: ReadonlyMap<string, readonly Mark[]>;
  /** Number of the cycle that an id belongs to. */
  readonly cycleOf: ReadonlyMap<string, number>;
}

export function toModel(data: PageData): Model {
  const items: readonly Item[] = [...data.playbooks, ...data.tools, ...data.files];
  const byId = new Map<string, Item>(items.toReversed().map((item) => [item.id, item]));
  const below = new Map<string, string[]>();
  const above = new Map<string, string[]>(items.map(({ id }) => [id, []]));
  for (const { id, children, tools, files } of data.playbooks) {
    const ends = [...children, ...tools, ...files].filter((end) => byId.has(end));
    below.set(id, ends);
    for (const end of ends) above.get(end)?.push(id);
  }
  const cycleOf = new Map(data.cycles.flatMap(({ members }, at) => members.map((member) => [member, at] as const)));
  return { data, items, byId, below, above, marks: marksOf(items, data, cycleOf), cycleOf };
}

function marksOf(
  items: readonly Item[],
  data: PageData,
  cycleOf: ReadonlyMap<string, number>,
): ReadonlyMap<string, readonly Mark[]> {
  const sets: readonly (readonly [Mark, ReadonlySet<string>])[] = [
    ['root', new Set(data.roots)],
    ['orphan', new Set(data.orphans)],
    ['cycle', new Set(cycleOf.keys())],
    ['dangling', new Set(data.dangling.map(({ from }) => from))],
  ];
  return new Map(
    items.map((item) => {
      const marks: Mark[] = sets
        .filter(([, ids]) => item.kind === 'playbook' && ids.has(item.id))
        .map(([mark]) => mark);
      if (item.kind === 'playbook' && item.status !== 'active') marks.push(item.status);
      if (item.kind === 'tool' && !item.isKnown) marks.push('unknown');
      return [item.id, marks];
    }),
  );
}

/** The child of a playbook that a link in its text means; ids are resolved in the data, links are as they were written. */
export function linkedChild(model: Model, from: string, written: string): string | undefined {
  const target = decodeEscapes(written)
    .replace(/^(?:\.{0,2}\/)+/, '')
    .replace(/(?:\/SKILL)?\.md$/i, '')
    .replace(/\/$/, '');
  if (target === '') return undefined;
  const near = model.below.get(from) ?? [];
  return near.find((id) => id === target || id.endsWith(`/${target}`) || id.endsWith(`:${target}`));
}
