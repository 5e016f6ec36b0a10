import type { Item, Kind, Mark, Model } from './model.ts';

/** What the graph is about: everything that passes the filters, a group of it, or the surroundings of one item. */
export type Focus =
  | { readonly kind: 'all' }
  | { readonly kind: 'group'; readonly path: readonly string[] }
  | { readonly kind: 'around'; readonly id: string };

/** One box. */
export interface ViewNode {
  /** The item's id, or for a group its path. */
  readonly key: string;
  readonly label: string;
  readonly kind: Kind | 'group';
  readonly marks: readonly Mark[];
  /** Present for a group. */
  readonly path?: readonly string[];
}

export interface ViewEdge {
  readonly from: string;
  readonly to: string;
  /** References that it stands for: more than 1 between groups. */
  readonly count: number;
  readonly isInCycle: boolean;
}

export interface View {
  readonly nodes: readonly ViewNode[];
  readonly edges: readonly ViewEdge[];
  /** Items that pass but are in no box. */
  readonly leftOut: number;
}

/** More boxes than this are no picture any more, but a ball of wool. */
const MOST_BOXES = 250;

/** With fewer, the largest group is opened at once. */
const FEWEST_BOXES = 12;

/** Chooses what to draw: the items themselves where there are few, else their folders as groups, never more than `MOST_BOXES`. */
export function chooseView(model: Model, matches: readonly Item[], focus: Focus): View {
  if (focus.kind === 'around') return viewOf(model, toBoxes(model, surroundings(model, focus.id)), 0);
  const path = focus.kind === 'group' ? focus.path : [];
  const inside = path.length === 0 ? matches : matches.filter((item) => isBelow(segmentsOf(item), path));
  if (inside.length <= MOST_BOXES) return viewOf(model, toBoxes(model, inside), 0);
  const groups = unfolded(
    inside.filter(({ kind }) => kind !== 'file'),
    path,
  );
  // Where folders tell nothing apart, the most connected items stand for the others.
  const byWeight =
    groups.length > 1 ? groups.toSorted((a, b) => b.items.length - a.items.length) : mostConnected(model, inside);
  const shown = byWeight.slice(0, MOST_BOXES);
  const count = shown.reduce((sum, { items }) => sum + items.length, 0);
  return viewOf(
    model,
    shown.map((group) => toBox(model, group)),
    inside.filter(({ kind }) => kind !== 'file').length - count,
  );
}

/** Groups, the largest opened until there is something to see. */
function unfolded(items: readonly Item[], path: readonly string[]): readonly Group[] {
  let groups = groupsOf(items, path);
  for (;;) {
    const largest = groups.toSorted((a, b) => b.items.length - a.items.length)[0];
    if (largest === undefined || largest.items.length === 1 || groups.length >= FEWEST_BOXES) return groups;
    const opened = groupsOf(largest.items, largest.path);
    if (opened.length + groups.length > MOST_BOXES) return groups;
    groups = [...opened, ...groups.filter((group) => group !== largest)];
  }
}

interface Group {
  readonly path: readonly string[];
  readonly items: readonly Item[];
}

interface Box extends Group {
  readonly node: ViewNode;
}

function toBox(model: Model, { path, items }: Group): Box {
  const [only] = items;
  const node: ViewNode =
    only !== undefined && items.length === 1
      ? { key: only.id, label: only.id, kind: only.kind, marks: model.marks.get(only.id) ?? [] }
      : { key: `group:${path.join('/')}`, label: `${path.at(-1)}/ (${items.length})`, kind: 'group', marks: [], path };
  return { path, items, node };
}

function toBoxes(model: Model, items: readonly Item[]): readonly Box[] {
  return items.map((item) => toBox(model, { path: [], items: [item] }));
}

function viewOf(model: Model, boxes: readonly Box[], leftOut: number): View {
  const groups = new Set(boxes.filter(({ node }) => node.kind === 'group').map(({ node }) => node.key));
  const boxOf = new Map(boxes.flatMap(({ items, node }) => items.map((item) => [item.id, node.key] as const)));
  const edges = new Map<string, { from: string; to: string; count: number; isInCycle: boolean }>();
  for (const [id, from] of boxOf) {
    for (const end of model.below.get(id) ?? []) {
      const to = boxOf.get(end);
      if (to === undefined || to === from) continue;
      const key = `${from}\n${to}`;
      const cycle = model.cycleOf.get(id);
      // Folders are not in a cycle because two of their playbooks are.
      const isGrouped = groups.has(from) || groups.has(to);
      const isInCycle = !isGrouped && cycle !== undefined && cycle === model.cycleOf.get(end);
      const known = edges.get(key) ?? { from, to, count: 0, isInCycle: false };
      edges.set(key, { ...known, count: known.count + 1, isInCycle: known.isInCycle || isInCycle });
    }
  }
  return { nodes: boxes.map(({ node }) => node), edges: [...edges.values()], leftOut };
}

/** An item with what leads to it and what it leads to, the nearest first. */
function surroundings(model: Model, id: string): readonly Item[] {
  const reached = new Set([id]);
  for (const links of [model.below, model.above]) {
    const seen = new Set([id]);
    for (const each of seen) {
      if (reached.size >= MOST_BOXES) break;
      reached.add(each);
      for (const next of links.get(each) ?? []) seen.add(next);
    }
  }
  return [...reached].flatMap((each) => model.byId.get(each) ?? []);
}

function mostConnected(model: Model, items: readonly Item[]): readonly Group[] {
  const degree = ({ id }: Item): number => (model.below.get(id)?.length ?? 0) + (model.above.get(id)?.length ?? 0);
  return items.toSorted((a, b) => degree(b) - degree(a)).map((item) => ({ path: [], items: [item] }));
}

/** Items by the next folder below a path; a folder that is alone is entered. Items without a further folder stand alone. */
function groupsOf(items: readonly Item[], path: readonly string[]): readonly Group[] {
  const groups = new Map<string, Item[]>();
  const alone: Group[] = [];
  for (const item of items) {
    const next = segmentsOf(item)[path.length];
    if (next === undefined) alone.push({ path: [], items: [item] });
    else if (groups.get(next)?.push(item) === undefined) groups.set(next, [item]);
  }
  const [only] = groups.keys();
  if (groups.size === 1 && alone.length === 0 && only !== undefined) return groupsOf(items, [...path, only]);
  return [...[...groups].map(([name, members]) => ({ path: [...path, name], items: members })), ...alone];
}

/** Source, then folders: what a playbook is grouped by; a tool by its server. */
function segmentsOf(item: Item): readonly string[] {
  if (item.kind === 'tool') return ['tools', item.source === '' ? 'unknown' : item.source];
  const id = item.id.startsWith(`${item.source}:`) ? item.id.slice(item.source.length + 1) : item.id;
  return [item.source, ...id.split('/').slice(0, -1)];
}

function isBelow(segments: readonly string[], path: readonly string[]): boolean {
  return path.every((segment, at) => segments[at] === segment);
}
