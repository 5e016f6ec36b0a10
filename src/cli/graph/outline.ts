import type { GraphPlaybook, GraphReport } from '../../catalog/graph-shape.ts';

/** One line of the tree, before it is drawn. */
export interface OutlineLine {
  /** For each level above, whether more follows there; its length is the depth. */
  readonly branches: readonly boolean[];
  readonly label: string;
  /** Present for playbooks. */
  readonly playbook?: GraphPlaybook;
  /** Why nothing is below it, or what it is, where it is no plain playbook. */
  readonly note?: 'above' | 'cycle' | 'deeper' | 'tool' | 'unknown tool' | 'file';
}

/** Deeper than a terminal is wide enough for; what is below becomes a tree of its own. */
const DEEPEST = 16;

/**
 * The tree of a report: every listed playbook that has a reference to or from another listed one, from those that none refers to
 * downwards. What stands above already is not repeated, and neither is what would lead round in a cycle.
 */
export function outlineOf(report: GraphReport): readonly OutlineLine[] {
  const walk = createWalk(report);
  const orphans = new Set(report.orphans);
  const connected = report.playbooks.filter(({ id }) => !orphans.has(id));
  const isStart = ({ parents }: GraphPlaybook): boolean => !parents.some((parent) => walk.isListed(parent));
  // Those of a cycle that nothing leads to have parents, and are reached from nowhere: the second pass takes the first of them.
  return [...connected.filter(isStart), ...connected].flatMap((start) =>
    walk.isDone(start.id) ? [] : walk.from(start),
  );
}

/** The orphans with their tools and files. */
export function outlineOfOrphans(report: GraphReport): readonly OutlineLine[] {
  const walk = createWalk(report);
  const orphans = new Set(report.orphans);
  return report.playbooks.filter(({ id }) => orphans.has(id)).flatMap((each) => walk.from(each));
}

interface Walk {
  readonly isListed: (id: string) => boolean;
  readonly isDone: (id: string) => boolean;
  readonly from: (start: GraphPlaybook) => readonly OutlineLine[];
}

function createWalk(report: GraphReport): Walk {
  const listed = new Map(report.playbooks.map((playbook) => [playbook.id, playbook]));
  const unknownTools = new Set(report.tools.filter(({ isKnown }) => !isKnown).map(({ id }) => id));
  const done = new Set<string>();
  const open = new Set<string>();

  function* lines(playbook: GraphPlaybook, branches: readonly boolean[]): Generator<OutlineLine> {
    const { id } = playbook;
    const below = childrenOf(playbook);
    const note = noteOf(id, branches.length, below.length > 0);
    yield { branches, label: id, playbook, ...(note === undefined ? {} : { note }) };
    if (note !== undefined) return;
    done.add(id);
    open.add(id);
    for (const [index, child] of below.entries()) {
      const deeper = [...branches, index < below.length - 1];
      if (typeof child === 'object') yield* lines(child, deeper);
      else yield leafLine(playbook, child, deeper);
    }
    open.delete(id);
  }

  function noteOf(id: string, depth: number, hasMore: boolean): OutlineLine['note'] {
    if (open.has(id)) return 'cycle';
    if (done.has(id) && hasMore) return 'above';
    return hasMore && depth >= DEEPEST ? 'deeper' : undefined;
  }

  function childrenOf({ children, tools, files }: GraphPlaybook): readonly (GraphPlaybook | string)[] {
    return [...children.flatMap((child) => listed.get(child) ?? []), ...tools, ...files];
  }

  function leafLine({ id, tools }: GraphPlaybook, leaf: string, branches: readonly boolean[]): OutlineLine {
    if (!tools.includes(leaf)) return { branches, label: leaf.slice(id.length + 1), note: 'file' };
    return { branches, label: leaf, note: unknownTools.has(leaf) ? 'unknown tool' : 'tool' };
  }

  return {
    isListed: (id) => listed.has(id),
    isDone: (id) => done.has(id),
    from: (start) => [...lines(start, [])],
  };
}
