import type { GraphReport } from '../../catalog/graph-shape.ts';
import { edgesOf } from './edges.ts';

/** A Graphviz digraph. @see https://graphviz.org/doc/info/lang.html */
export function toDot(report: GraphReport): string {
  const inCycle = new Set(report.cycles.flatMap(({ members }) => members));
  const orphans = new Set(report.orphans);
  const playbooks = report.playbooks.map(({ id, tokens, closureTokens }) => {
    const colour = inCycle.has(id) ? ['color="#c2410c"'] : [];
    const style = orphans.has(id) ? ['style="rounded,dashed"'] : [];
    const tip = `tooltip=${quoted(`${tokens} tokens, ${closureTokens} with all that it leads to`)}`;
    return node(id, [...colour, ...style, tip]);
  });
  const edges = edgesOf(report).map(({ from, to, kind, isInCycle }) => {
    const attributes = [...(kind === 'reference' ? [] : ['style=dashed']), ...(isInCycle ? ['color="#c2410c"'] : [])];
    return `  ${quoted(from)} -> ${quoted(to)}${bracketed(attributes)};`;
  });
  return [
    'digraph playbooks {',
    '  rankdir=LR;',
    '  node [shape=box, style=rounded, fontname="sans-serif"];',
    ...playbooks,
    ...report.tools.map(({ id }) => node(id, ['shape=oval', 'style=solid'])),
    ...report.files.map(({ id }) => node(id, ['shape=note', 'style=solid'])),
    ...edges,
    '}',
  ].join('\n');
}

function node(id: string, attributes: readonly string[]): string {
  // A label of its own, since the default one shows an id's backslashes twice.
  return `  ${quoted(id)}${bracketed([`label=${quoted(id)}`, ...attributes])};`;
}

function bracketed(attributes: readonly string[]): string {
  return attributes.length === 0 ? '' : ` [${attributes.join(', ')}]`;
}

/** Doubled backslashes, or one before a quote would end the text; a label reads two as one, and an id is never shown. */
function quoted(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ');
  return `"${line.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
