import { basename, extname } from 'node:path';
import { ancestorsOf, buildGraph, closureOf } from '../catalog/graph.ts';
import { toGraphReport } from '../catalog/graph-report.ts';
import type { GraphReport } from '../catalog/graph-shape.ts';
import { findEntry } from '../catalog/lookup.ts';
import { isMaintained } from '../catalog/maintained.ts';
import { PlaybookError } from '../errors.ts';
import type { Entry, PlaybookEntry } from '../model.ts';
import type { Snapshot } from '../server/snapshot.ts';
import { hasTags } from '../server/tags.ts';
import { edgesOf } from './graph/edges.ts';
import { FORMAT_OF_EXTENSION, GRAPH_FORMATS, type GraphFormat } from './graph/formats.ts';
import { type CommonOptions, withRuntime } from './options.ts';
import { writeOutput } from './output.ts';
import { bold, dim, remark, yellow } from './print.ts';

export interface GraphOptions {
  /** As written; checked by the command line. */
  readonly format?: string;
  readonly json?: boolean;
  readonly of?: string;
  readonly tag: readonly string[];
  readonly tools: boolean;
  readonly files: boolean;
  readonly out?: string;
  readonly open?: boolean;
  readonly all?: boolean;
}

/** Where a page goes that nobody gave a name and that would fill a terminal. */
const DEFAULT_PAGE = 'playbook-graph.html';

/**
 * Prints what refers to what, or writes it to a file.
 *
 * @throws PlaybookError `catalog/unknown-id` with the closest ids, `catalog/ambiguous-id`, `files/unwritable`, `cli/usage`.
 */
export async function graphCommand(common: CommonOptions, options: GraphOptions): Promise<void> {
  const format = formatOf(options);
  await withRuntime({ ...common, listsUpstreams: options.tools, isSearched: false }, async (runtime) => {
    const snapshot = await runtime.snapshot();
    const of = options.of === undefined ? undefined : findEntry(snapshot.catalog, options.of);
    const isListed = selection(snapshot, of, options);
    const report = toGraphReport(snapshot.catalog, { isListed, withTools: options.tools, withFiles: options.files });
    if (report.playbooks.length === 0) remark(emptyRemark(snapshot, of, options));
    const { out, open } = options;
    const pageName = format === 'html' ? DEFAULT_PAGE : undefined;
    await writeOutput(await render(report, { format, snapshot, of, options }), { out, open, pageName });
  });
}

function formatOf({ format, json, out, open }: GraphOptions): GraphFormat {
  const byName = out === undefined ? undefined : FORMAT_OF_EXTENSION.get(extname(out).toLowerCase());
  const chosen = GRAPH_FORMATS.find((each) => each === format) ?? (json === true ? 'json' : undefined);
  const wanted = chosen ?? (open === true ? 'html' : (byName ?? 'text'));
  if (open === true && wanted !== 'html') {
    throw new PlaybookError('cli/usage', `--open shows a page, not ${wanted}.`, { hint: 'Use --format html.' });
  }
  return wanted;
}

/**
 * Playbooks that carry every tag and, where one entry is asked for, lead to it or are reached from it; else those that the people of
 * this catalog answer for, and what they lead to, unless all are wanted.
 */
function selection(
  { catalog }: Snapshot,
  of: Entry | undefined,
  { tag: tags, all }: GraphOptions,
): (entry: PlaybookEntry) => boolean {
  if (of === undefined && all === true) return (entry) => hasTags(entry, tags);
  const graph = buildGraph(catalog);
  if (of === undefined) {
    const reached = new Set(graph.nodes.filter(isMaintained));
    // A set's iteration sees what is added during it.
    for (const entry of reached) for (const child of graph.children.get(entry) ?? []) reached.add(child);
    return (entry) => reached.has(entry) && hasTags(entry, tags);
  }
  const near = new Set(
    of.kind === 'playbook'
      ? [...ancestorsOf(graph, of), ...closureOf(catalog, of)]
      : graph.nodes
          .filter(({ playbook }) => playbook.tools.some((written) => catalog.byId.get(written) === of))
          .flatMap((user) => ancestorsOf(graph, user)),
  );
  return (entry) => near.has(entry) && hasTags(entry, tags);
}

function emptyRemark({ catalog }: Snapshot, of: Entry | undefined, { tag, all }: GraphOptions): string {
  if (of?.kind === 'tool') return `No playbook uses ${of.id}.`;
  const { length } = catalog.entries.filter(({ kind }) => kind === 'playbook');
  if (of === undefined && all !== true && tag.length === 0 && length > 0)
    return `Neither the workspace nor a configured source has playbooks; --all shows those of every source (${length}).`;
  return `No such playbooks (${length === 0 ? '`playbook-mcp doctor` tells where they are looked for' : `${length} in all`}).`;
}

interface Rendering {
  readonly format: GraphFormat;
  readonly snapshot: Snapshot;
  readonly of: Entry | undefined;
  readonly options: GraphOptions;
}

async function render(report: GraphReport, { format, snapshot, of, options }: Rendering): Promise<string> {
  switch (format) {
    case 'text': {
      const isForTerminal = options.out === undefined && process.stdout.isTTY;
      const plain = (text: string): string => text;
      const style = options.out === undefined ? { bold, dim, warn: yellow } : { bold: plain, dim: plain, warn: plain };
      const { toText } = await import('./graph/text.ts');
      return toText(report, { width: isForTerminal ? process.stdout.columns : Infinity, style, of: of?.id });
    }
    case 'mermaid': {
      const { MERMAID_MOST_EDGES, toMermaid } = await import('./graph/mermaid.ts');
      const { length } = edgesOf(report);
      if (length > MERMAID_MOST_EDGES) {
        remark(
          `Mermaid draws ${MERMAID_MOST_EDGES} edges unless its maxEdges says otherwise, and this graph has ${length}: use --of or --tag, or --format html.`,
        );
      }
      return toMermaid(report);
    }
    case 'dot':
      return (await import('./graph/dot.ts')).toDot(report);
    case 'json':
      return JSON.stringify(report, undefined, 2);
    case 'html': {
      const { toPage } = await import('./graph/page-file.ts');
      const directory = snapshot.workspace?.directory;
      const title = directory === undefined ? 'Playbooks' : `Playbooks of ${basename(directory)}`;
      return toPage(report, { title, bodyOf: (id) => bodyOf(snapshot, id), of: of?.id });
    }
  }
}

function bodyOf({ catalog }: Snapshot, id: string): string {
  const entry = catalog.byId.get(id);
  return entry?.kind === 'playbook' ? entry.playbook.body : '';
}
