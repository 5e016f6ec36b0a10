import type { GraphPlaybook, GraphReport } from '../../catalog/graph-shape.ts';

/** A reference, or the use of a tool or supporting file; both ends are in the report. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: 'reference' | 'tool' | 'file';
  /** Whether both ends are of one cycle. */
  readonly isInCycle: boolean;
}

/** The edges between what a report lists, in the order of the playbooks that they start from. */
export function edgesOf(
  report: Pick<GraphReport, 'cycles'> & { readonly playbooks: readonly EdgeSource[] },
): readonly GraphEdge[] {
  const listed = new Set(report.playbooks.map(({ id }) => id));
  const cycleOf = new Map(report.cycles.flatMap((cycle, at) => cycle.members.map((member) => [member, at] as const)));
  return report.playbooks.flatMap(({ id, children, tools, files }) => [
    ...children
      .filter((child) => listed.has(child))
      .map((to): GraphEdge => {
        const cycle = cycleOf.get(id);
        return { from: id, to, kind: 'reference', isInCycle: cycle !== undefined && cycle === cycleOf.get(to) };
      }),
    ...tools.map((to): GraphEdge => ({ from: id, to, kind: 'tool', isInCycle: false })),
    ...files.map((to): GraphEdge => ({ from: id, to, kind: 'file', isInCycle: false })),
  ]);
}

type EdgeSource = Pick<GraphPlaybook, 'id' | 'children' | 'tools' | 'files'>;
