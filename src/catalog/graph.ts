import type { PlaybookEntry } from '../model.ts';
import type { Catalog } from './catalog.ts';
import { resolveReferences } from './references.ts';
import { tokenCountOf } from './tokens.ts';

/** The playbooks of a catalog and what they refer to. Built when it is asked for: serving needs single steps of it only. */
export interface Graph {
  /** In the catalog's order. */
  readonly nodes: readonly PlaybookEntry[];
  /** Playbooks that each one refers to, in order of appearance. */
  readonly children: ReadonlyMap<PlaybookEntry, readonly PlaybookEntry[]>;
  /** Playbooks that refer to each one, in the catalog's order. */
  readonly parents: ReadonlyMap<PlaybookEntry, readonly PlaybookEntry[]>;
}

/** Links every playbook of the catalog to those that it refers to. */
export function buildGraph(catalog: Catalog): Graph {
  const nodes = catalog.entries.filter((entry) => entry.kind === 'playbook');
  const children = new Map(nodes.map((node) => [node, resolveReferences(catalog, node.playbook).playbooks]));
  const parents = new Map(nodes.map((node): [PlaybookEntry, PlaybookEntry[]] => [node, []]));
  for (const [node, referenced] of children) for (const child of referenced) parents.get(child)?.push(node);
  return { nodes, children, parents };
}

/** Playbooks that refer to others and to which none refers: where a reader begins. */
export function rootsOf({ nodes, children, parents }: Graph): readonly PlaybookEntry[] {
  return nodes.filter((node) => parents.get(node)?.length === 0 && children.get(node)?.length !== 0);
}

/** Playbooks without any reference, in or out. */
export function orphansOf({ nodes, children, parents }: Graph): readonly PlaybookEntry[] {
  return nodes.filter((node) => parents.get(node)?.length === 0 && children.get(node)?.length === 0);
}

/**
 * Groups of playbooks that lead back to themselves, each as its strongly connected component in the catalog's order.
 * Cycles are legal: two playbooks may well point at each other.
 *
 * @see Tarjan 1972, Depth-first search and linear graph algorithms; iterative, since a chain may be thousands long.
 */
export function cyclesOf({ nodes, children }: Graph): readonly (readonly PlaybookEntry[])[] {
  const order = new Map<PlaybookEntry, number>();
  const low = new Map<PlaybookEntry, number>();
  const open: PlaybookEntry[] = [];
  const isOpen = new Set<PlaybookEntry>();
  const cycles: PlaybookEntry[][] = [];
  const lower = (node: PlaybookEntry, to: number | undefined): void => {
    low.set(node, Math.min(low.get(node) ?? Infinity, to ?? Infinity));
  };
  const enter = (node: PlaybookEntry): { node: PlaybookEntry; rest: Iterator<PlaybookEntry> } => {
    order.set(node, order.size);
    lower(node, order.get(node));
    open.push(node);
    isOpen.add(node);
    return { node, rest: (children.get(node) ?? []).values() };
  };
  const close = (node: PlaybookEntry): void => {
    if (low.get(node) !== order.get(node)) return;
    const component = open.splice(open.indexOf(node));
    for (const member of component) isOpen.delete(member);
    if (component.length > 1 || children.get(node)?.includes(node) === true) cycles.push(component);
  };
  for (const start of nodes) {
    const path = order.has(start) ? [] : [enter(start)];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.rest.next();
      if (next.done === true) {
        path.pop();
        close(top.node);
        const parent = path.at(-1);
        if (parent !== undefined) lower(parent.node, low.get(top.node));
      } else if (!order.has(next.value)) path.push(enter(next.value));
      else if (isOpen.has(next.value)) lower(top.node, order.get(next.value));
    }
  }
  const places = new Map(nodes.map((node, place) => [node, place]));
  return cycles.map((cycle) => cycle.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0)));
}

/** The shortest way from the first member of a cycle back to it, that member at both ends. */
export function cyclePath({ children }: Graph, cycle: readonly PlaybookEntry[]): readonly PlaybookEntry[] {
  const [start] = cycle;
  if (start === undefined) return [];
  const members = new Set(cycle);
  const cameFrom = new Map<PlaybookEntry, PlaybookEntry>();
  const reached = new Set([start]);
  for (const node of reached) {
    for (const child of children.get(node) ?? []) {
      if (child === start) return [...wayTo(node, cameFrom), start];
      if (!members.has(child) || reached.has(child)) continue;
      cameFrom.set(child, node);
      reached.add(child);
    }
  }
  return [];
}

function wayTo(end: PlaybookEntry, cameFrom: ReadonlyMap<PlaybookEntry, PlaybookEntry>): readonly PlaybookEntry[] {
  const way = [end];
  for (let node = cameFrom.get(end); node !== undefined; node = cameFrom.get(node)) way.push(node);
  return way.toReversed();
}

/** A playbook and everything that leads to it, itself first, each once. */
export function ancestorsOf({ parents }: Graph, entry: PlaybookEntry): readonly PlaybookEntry[] {
  const reached = new Set([entry]);
  for (const node of reached) for (const parent of parents.get(node) ?? []) reached.add(parent);
  return [...reached];
}

/** A playbook and everything that it leads to, itself first, each once. */
export function closureOf(catalog: Catalog, entry: PlaybookEntry): readonly PlaybookEntry[] {
  const reached = new Set([entry]);
  // A set's iteration sees what is added during it.
  for (const node of reached) {
    for (const child of resolveReferences(catalog, node.playbook).playbooks) reached.add(child);
  }
  return [...reached];
}

/** Estimated tokens of a playbook with all that it leads to: what it would cost without progressive disclosure. */
export function closureTokens(catalog: Catalog, entry: PlaybookEntry): number {
  return closureOf(catalog, entry).reduce((sum, { playbook }) => sum + tokenCountOf(playbook.body), 0);
}
