import { type QueryGroup, reachOf } from '../query-groups.ts';
import { dayOf } from '../day.ts';
import type { Proposal } from '../review/proposal.ts';
import type { MissingQueries } from './data.ts';

const MOST_LISTED = 50;
const MOST_WORDINGS = 5;
/** What is answered more often than not is not missing. */
const LEAST_UNANSWERED_RATIO = 0.5;
/** Once is an anecdote. */
const FEWEST_UNANSWERED = 2;

export interface MissingList {
  readonly missing: readonly MissingQueries[];
  readonly missingCount: number;
}

/**
 * What was asked in vain: first what the review proposes to write, then the most frequent. More than it proposes, since a reader may
 * know better.
 */
export function listMissing(groups: readonly QueryGroup[], proposals: readonly Proposal[]): MissingList {
  const proposed = new Set(proposals.flatMap((each) => (each.kind === 'write' ? [each.query] : [])));
  const found = groups
    .filter(
      ({ unanswered, answered }) =>
        unanswered >= FEWEST_UNANSWERED && unanswered / (unanswered + answered) >= LEAST_UNANSWERED_RATIO,
    )
    .map((group) => toMissing(group, proposed))
    .sort((a, b) => Number(b.isProposed) - Number(a.isProposed));
  return { missing: found.slice(0, MOST_LISTED), missingCount: found.length };
}

function toMissing(group: QueryGroup, proposed: ReadonlySet<string>): MissingQueries {
  const { queries, unanswered, answered } = group;
  const texts = queries.flatMap(({ text }) => text ?? []);
  return {
    queries: texts.slice(0, MOST_WORDINGS),
    wordings: texts.length,
    unanswered,
    answered,
    askedBy: reachOf(group).askedBy,
    last: dayOf(Math.max(...queries.map(({ lastAt }) => lastAt))),
    isProposed: proposed.has(texts[0] ?? ''),
  };
}
