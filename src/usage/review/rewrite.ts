import { compareIds } from '../../catalog/order.ts';
import { greatestMean } from '../bounds.ts';
import type { QueryTally } from '../fold/query-tally.ts';
import type { EntryTally } from '../fold/tally.ts';
import { type Choice, choiceRates, choicesOf } from '../position-bias.ts';
import type { EntryUse } from '../join.ts';
import type { MissingNeed } from './missing.ts';
import { counted, pathOf, quoted, type ReviewInput, type RewriteProposal } from './proposal.ts';

const MOST_QUERIES = 10;

/**
 * Entries that search lists often and agents seldom take, the worst first: what was taken is, beyond doubt (the upper bound of the count),
 * less than a share of what an entry of the catalog gets that is looked at as often at the same ranks. Searches for what the catalog does not
 * have say nothing against what they list.
 */
export function findIgnored(input: ReviewInput, missing: readonly MissingNeed[]): readonly RewriteProposal[] {
  const { folded, thresholds, uses } = input;
  const unanswerable = new Set(missing.flatMap(({ group }) => group.queries));
  const queries = folded.queries.filter((query) => !unanswerable.has(query));
  const choices = choicesOf(queries, choiceRates(queries));
  return uses
    .flatMap((use) => {
      const { tally, entry } = use;
      const choice = tally === undefined ? undefined : choices.get(tally);
      if (tally === undefined || choice === undefined || entry.status !== 'active') return [];
      const isIgnored =
        tally.shown >= thresholds.minShown && greatestMean(choice.chosen) / choice.expected < thresholds.maxChoiceRatio;
      return isIgnored ? [toProposal(use, tally, { choice, queries })] : [];
    })
    .sort((a, b) => a.evidence.greatestRatio - b.evidence.greatestRatio || compareIds(a.entry, b.entry));
}

function toProposal(
  use: EntryUse,
  tally: EntryTally,
  { choice, queries }: { choice: Choice; queries: readonly QueryTally[] },
): RewriteProposal {
  const { looks, chosen, expected } = choice;
  const ratio = greatestMean(chosen) / expected;
  return {
    kind: 'rewrite',
    entry: use.id,
    path: pathOf(use),
    reason: `Listed ${counted(tally.shown, 'time')} and taken ${counted(Math.round(chosen), 'time')}; ${Math.round(expected)} were to be expected of its ranks.`,
    command: `playbook-mcp show ${quoted(use.entry.id)}`,
    evidence: {
      shown: tally.shown,
      looks: Math.round(looks),
      chosen: Math.round(chosen),
      expected: Number(expected.toFixed(1)),
      greatestRatio: Number(ratio.toFixed(3)),
      meanRank: Number((tally.rankSum / tally.shown).toFixed(1)),
      queries: queriesInVain(tally, queries),
    },
  };
}

function queriesInVain(tally: EntryTally, queries: readonly QueryTally[]): readonly string[] {
  const times = queries.flatMap(({ text, listings }): [string, number][] => {
    if (text === null) return [];
    let count = 0;
    for (const { shown, unchosen } of listings.values()) if (shown.includes(tally)) count += unchosen;
    return count === 0 ? [] : [[text, count]];
  });
  return times
    .sort((a, b) => b[1] - a[1] || compareIds(a[0], b[0]))
    .slice(0, MOST_QUERIES)
    .map(([text]) => text);
}
