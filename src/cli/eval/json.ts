import type { Placing } from '../../server/evaluate.ts';
import { toReport } from '../report-entry.ts';
import type { Evaluation } from './summary.ts';

/** The evaluation for programs: stable keys; `rank` is null where a playbook is not listed at all. */
export function toEvalJson({ playbooks, totals, withoutExamples, ...limits }: Evaluation): object {
  const { k, minRecall, isStrict, isPassed } = limits;
  return {
    passed: isPassed,
    k,
    minRecall,
    strict: isStrict,
    totals,
    playbooks: playbooks.map(({ entry, examples, notExamples }) => ({
      id: entry.id,
      path: toReport(entry).path,
      examples: examples.map(({ query, heldOut, asServed }) => ({
        query,
        heldOut: toPlace(heldOut),
        asServed: toPlace(asServed),
      })),
      notExamples: notExamples.map(({ query, asServed }) => ({ query, asServed: toPlace(asServed) })),
    })),
    withoutExamples: withoutExamples.map(({ entry }) => entry.id),
  };
}

function toPlace({ rank, first, scoreRatio }: Placing): object {
  return { rank: rank ?? null, first: first ?? null, scoreRatio };
}
