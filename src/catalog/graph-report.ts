import type { PlaybookEntry } from '../model.ts';
import type { Catalog } from './catalog.ts';
import { buildGraph, cyclePath, cyclesOf, type Graph, orphansOf, rootsOf } from './graph.ts';
import type { DanglingReference, GraphFile, GraphPlaybook, GraphReport, GraphTool } from './graph-shape.ts';
import { compareIds } from './order.ts';
import { resolveReferences } from './references.ts';
import { tokenCountOf } from './tokens.ts';

export interface ReportOptions {
  /** Only these playbooks are listed; what is said of each (parents, children, tokens) still holds for the whole catalog. */
  readonly isListed?: (entry: PlaybookEntry) => boolean;
  readonly withTools: boolean;
  readonly withFiles: boolean;
}

/** The graph of a catalog as data. Retired and draft playbooks are in it; a tool or file is in it where a listed playbook names it. */
export function toGraphReport(catalog: Catalog, options: ReportOptions): GraphReport {
  const graph = buildGraph(catalog);
  const isListed = options.isListed ?? ((): boolean => true);
  const listed = graph.nodes.filter(isListed);
  const playbooks = describePlaybooks(catalog, { graph, listed, options });
  const tools = toTools(catalog, playbooks);
  const files = toFiles(playbooks);
  const ids = (entries: readonly PlaybookEntry[]): readonly string[] => entries.filter(isListed).map(({ id }) => id);
  return {
    playbooks,
    tools,
    files,
    roots: ids(rootsOf(graph)),
    orphans: ids(orphansOf(graph)),
    cycles: cyclesOf(graph)
      .filter((cycle) => cycle.some(isListed))
      .map((cycle) => ({ members: cycle.map(({ id }) => id), path: cyclePath(graph, cycle).map(({ id }) => id) })),
    dangling: listed.flatMap((entry) => danglingOf(catalog, entry)),
    totals: totalsOf({ playbooks, tools: tools.length, files: files.length }),
  };
}

interface Listing {
  readonly graph: Graph;
  readonly listed: readonly PlaybookEntry[];
  readonly options: ReportOptions;
}

function describePlaybooks(catalog: Catalog, { graph, listed, options }: Listing): readonly GraphPlaybook[] {
  const measure = closureMeasure(graph);
  return listed.map((entry) => {
    const { id, kind, name, description, tags, source, status, playbook } = entry;
    const { files } = resolveReferences(catalog, playbook);
    return {
      id,
      kind,
      name,
      description,
      tags,
      source,
      status,
      path: playbook.path,
      children: (graph.children.get(entry) ?? []).map((child) => child.id),
      parents: (graph.parents.get(entry) ?? []).map((parent) => parent.id),
      tools: options.withTools ? [...new Set(playbook.tools.map((written) => toolId(catalog, written)))] : [],
      files: options.withFiles ? files.map((file) => `${id}/${file}`) : [],
      ...measure(entry),
    };
  });
}

/** A tool is named by its id; what no tool is called stays as it is written. */
function toolId(catalog: Catalog, written: string): string {
  return catalog.byId.get(written)?.id ?? written;
}

/** Counts each body's tokens once: a playbook may be in the closures of thousands. */
function closureMeasure({
  nodes,
  children,
}: Graph): (entry: PlaybookEntry) => { tokens: number; closureTokens: number } {
  const own = new Map(nodes.map((node) => [node, tokenCountOf(node.playbook.body)]));
  return (entry) => {
    const reached = new Set([entry]);
    let closureTokens = 0;
    for (const node of reached) {
      closureTokens += own.get(node) ?? 0;
      for (const child of children.get(node) ?? []) reached.add(child);
    }
    return { tokens: own.get(entry) ?? 0, closureTokens };
  };
}

function toTools(catalog: Catalog, playbooks: readonly GraphPlaybook[]): readonly GraphTool[] {
  return usersOf(playbooks, ({ tools }) => tools).map(([id, parents]) => {
    const entry = catalog.byId.get(id);
    if (entry?.kind !== 'tool') {
      return { id, kind: 'tool', name: id, description: '', tags: [], source: '', isKnown: false, parents };
    }
    const { name, description, tags, source } = entry;
    return { id, kind: 'tool', name, description, tags, source, isKnown: true, parents };
  });
}

function toFiles(playbooks: readonly GraphPlaybook[]): readonly GraphFile[] {
  const owners = new Map(playbooks.map((playbook) => [playbook.id, playbook]));
  return usersOf(playbooks, ({ files }) => files).map(([id, parents]) => {
    const owner = parents[0] ?? '';
    return { id, kind: 'file', name: id.slice(owner.length + 1), source: owners.get(owner)?.source ?? '', parents };
  });
}

/** Leaves with the playbooks that name them, by the leaf's id. */
function usersOf(
  playbooks: readonly GraphPlaybook[],
  leavesOf: (playbook: GraphPlaybook) => readonly string[],
): readonly (readonly [string, readonly string[]])[] {
  const users = new Map<string, string[]>();
  for (const playbook of playbooks) {
    for (const leaf of leavesOf(playbook)) users.set(leaf, [...(users.get(leaf) ?? []), playbook.id]);
  }
  return [...users].sort(([a], [b]) => compareIds(a, b));
}

function danglingOf(catalog: Catalog, { id, playbook }: PlaybookEntry): readonly DanglingReference[] {
  const { dangling } = resolveReferences(catalog, playbook);
  return dangling.map(({ written, line, column }) => ({ from: id, written, path: playbook.path, line, column }));
}

function totalsOf({
  playbooks,
  ...counts
}: {
  readonly playbooks: readonly GraphPlaybook[];
  readonly tools: number;
  readonly files: number;
}): GraphReport['totals'] {
  const sum = (of: (playbook: GraphPlaybook) => number): number =>
    playbooks.reduce((total, playbook) => total + of(playbook), 0);
  const tokens = sum((playbook) => playbook.tokens);
  const closureTokens = sum((playbook) => playbook.closureTokens);
  return {
    playbooks: playbooks.length,
    references: sum(({ children }) => children.length),
    ...counts,
    tokens,
    closureTokens,
    savedRatio: closureTokens === 0 ? 0 : Math.round((1 - tokens / closureTokens) * 10_000) / 10_000,
  };
}
