import type { GraphReport } from '../../catalog/graph-shape.ts';
import { edgesOf } from './edges.ts';

/** What mermaid draws unless its configuration allows more. @see https://mermaid.js.org/config/schema-docs/config.html (maxEdges) */
export const MERMAID_MOST_EDGES = 500;

/** A mermaid flowchart. Nodes are numbered, since mermaid's own ids can hold neither `/` nor words such as `end`. */
export function toMermaid(report: GraphReport): string {
  const numbers = new Map<string, string>();
  const idOf = (id: string): string => numbers.get(id) ?? '';
  const nodes = [...report.playbooks, ...report.tools, ...report.files].map(({ id, kind }, index) => {
    // A tool may have the id of a playbook only where it is not known; the first keeps it.
    if (!numbers.has(id)) numbers.set(id, `n${index}`);
    const label = `"${escapeLabel(id)}"`;
    return `  n${index}${kind === 'playbook' ? `[${label}]` : kind === 'tool' ? `([${label}])` : `[/${label}/]`}`;
  });
  const edges = edgesOf(report);
  const inCycle = report.cycles.flatMap(({ members }) => members.filter((id) => numbers.has(id)).map(idOf));
  const classes = [
    ...classLines('cycle', inCycle, 'stroke:#c2410c,stroke-width:2px'),
    ...classLines('orphan', report.orphans.map(idOf), 'stroke-dasharray:4 3'),
  ];
  return [
    'flowchart LR',
    ...nodes,
    ...edges.map(({ from, to, kind }) => `  ${idOf(from)} ${kind === 'reference' ? '-->' : '-.->'} ${idOf(to)}`),
    ...classes,
  ].join('\n');
}

function classLines(name: string, ids: readonly string[], style: string): readonly string[] {
  return ids.length === 0 ? [] : [`  classDef ${name} ${style}`, `  class ${ids.join(',')} ${name}`];
}

/** Whatever could end the label, begin markdown or become HTML, as mermaid's own entity codes. */
function escapeLabel(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').replace(/["#&<>`\\;]/g, (character) => `#${character.charCodeAt(0)};`);
}
