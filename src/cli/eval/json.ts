import type { Placing } from '../../server/evaluate.ts';
import { toReport } from '../report-entry.ts';
import { hitRemedy, missedRemedy } from './remedy.ts';
import { type Evaluation, isWithin } from './summary.ts';

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
      examples: examples.map((each) => ({
        query: each.query,
        heldOut: toPlace(each.heldOut),
        asServed: toPlace(each.asServed),
        remedy: isWithin(each.heldOut, k) ? null : missedRemedy(each),
      })),
      notExamples: notExamples.map((each) => ({
        query: each.query,
        asServed: toPlace(each.asServed),
        remedy: isWithin(each.asServed, k) ? hitRemedy(each) : null,
      })),
    })),
    withoutExamples: withoutExamples.map(({ entry }) => entry.id),
  };
}

function toPlace({ rank, first, scoreRatio }: Placing): object {
  return { rank: rank ?? null, first: first ?? null, scoreRatio };
}
