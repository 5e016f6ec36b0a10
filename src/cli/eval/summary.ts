import type { EvaluatedPlaybook, Placing } from '../../server/evaluate.ts';

export interface EvalLimits {
  /** How many of the first hits count as found. */
  readonly k: number;
  /** The least share of examples that find their playbook there without being indexed themselves. */
  readonly minRecall: number;
  /** Whether every playbook must have examples. */
  readonly isStrict: boolean;
}

/** How many examples of some playbooks are found where, without being indexed themselves. */
export interface Totals {
  readonly examples: number;
  readonly first: number;
  /** In the first k, the first one included. */
  readonly found: number;
  /** In the first ten, those above included. */
  readonly tenth: number;
  /** In the first k, with themselves in the index: as an agent is served that asks in their very words. */
  readonly foundAsServed: number;
  readonly notExamples: number;
  /** Not-examples that find the playbook in the first k. */
  readonly hitNotExamples: number;
}

export interface Evaluation extends EvalLimits {
  readonly playbooks: readonly EvaluatedPlaybook[];
  readonly totals: Totals;
  /** Playbooks that have none. */
  readonly withoutExamples: readonly EvaluatedPlaybook[];
  readonly isPassed: boolean;
}

/** Counts what was found, and judges it. */
export function summarize(playbooks: readonly EvaluatedPlaybook[], limits: EvalLimits): Evaluation {
  const totals = totalsOf(playbooks, limits);
  const withoutExamples = playbooks.filter(({ examples }) => examples.length === 0);
  const isPassed =
    totals.found >= limits.minRecall * totals.examples &&
    totals.hitNotExamples === 0 &&
    !(limits.isStrict && withoutExamples.length > 0);
  return { ...limits, playbooks, totals, withoutExamples, isPassed };
}

export function totalsOf(playbooks: readonly EvaluatedPlaybook[], { k }: Pick<EvalLimits, 'k'>): Totals {
  const examples = playbooks.flatMap((playbook) => playbook.examples);
  const notExamples = playbooks.flatMap((playbook) => playbook.notExamples);
  const heldOut = (rank: number): number => examples.filter((example) => isWithin(example.heldOut, rank)).length;
  return {
    examples: examples.length,
    first: heldOut(1),
    found: heldOut(k),
    tenth: heldOut(Math.max(k, 10)),
    foundAsServed: examples.filter(({ asServed }) => isWithin(asServed, k)).length,
    notExamples: notExamples.length,
    hitNotExamples: notExamples.filter(({ asServed }) => isWithin(asServed, k)).length,
  };
}

/** Whether a playbook is among the first hits. */
export function isWithin({ rank }: Placing, k: number): boolean {
  return rank !== undefined && rank <= k;
}
