import { compareIds } from '../../catalog/order.ts';
import type { QueryTally } from '../fold/query-tally.ts';
import type { EntryTally } from '../fold/tally.ts';
import { type Choice, choiceRates, choicesOf, greatestRatioOf } from '../position-bias.ts';
import type { EntryUse } from '../join.ts';
import { vectorsOf } from '../query-groups.ts';
import { coverageOf } from './coverage.ts';
import type { MissingNeed } from './missing.ts';
import { counted, pathOf, quoted, type ReviewInput, type RewriteProposal } from './proposal.ts';

const MOST_QUERIES = 10;
/** A query asks for an entry that has so much of it, by weight of its words. */
const OWN_WORDS = 0.8;

/** What else is known when descriptions are judged. Entries by the id of events. */
export interface KnownBefore {
  readonly missing: readonly MissingNeed[];
  readonly unused: ReadonlySet<string>;
  /** Entries that another proposal explains: of two equals one is taken less, and so is what replaces a thing that people prefer. */
  readonly explained: ReadonlySet<string>;
}

/**
 * Entries that search lists often and agents seldom take, the worst first: what was taken is, beyond doubt (the upper bound of the count),
 * less than a share of what an entry of the catalog gets that is looked at as often at the same ranks. A search has one culprit: one for what
 * the catalog does not have says nothing against what it lists, nor does one for what a badly described entry does against the others.
 */
export function findIgnored(input: ReviewInput, known: KnownBefore): readonly RewriteProposal[] {
  const unanswerable = new Set(known.missing.flatMap(({ group }) => group.queries));
  const queries = input.folded.queries.filter((query) => !unanswerable.has(query));
  const rates = choiceRates(queries);
  const vectorOf = vectorsOf(queries);
  const asksFor = (query: QueryTally, { tally, entry }: EntryUse): boolean =>
    isListed(query, tally) && coverageOf(vectorOf(query), entry).all >= OWN_WORDS;
  const maxRatio = input.thresholds.maxChoiceRatio;
  const suspects = input.uses.filter(
    ({ id, entry, tally }) =>
      tally !== undefined &&
      tally.shown >= input.thresholds.minShown &&
      entry.status === 'active' &&
      !known.explained.has(id),
  );
  const all = choicesOf(queries, rates);
  const ignored = suspects.filter((use) => isIgnored(use, all, maxRatio));
  const askedFor = new Map(ignored.map((use) => [use, queries.filter((query) => asksFor(query, use))]));
  const culprits = ignored.filter((use) => isIgnored(use, choicesOf(askedFor.get(use) ?? [], rates), maxRatio));
  const settled = new Set(culprits.flatMap((use) => askedFor.get(use) ?? []));
  const rest = choicesOf(
    queries.filter((query) => !settled.has(query)),
    rates,
  );
  // Where nobody asks for an unused entry in its own words, nobody needs it any more; that it is listed beside what is taken is chance.
  const others = ignored.filter((use) => !culprits.includes(use) && !known.unused.has(use.id) && isIgnored(use, rest, maxRatio));
  return [...culprits, ...others]
    .flatMap((use) => {
      const choice = use.tally === undefined ? undefined : all.get(use.tally);
      return use.tally === undefined || choice === undefined ? [] : [toProposal(use, use.tally, { choice, queries })];
    })
    .sort((a, b) => a.evidence.greatestRatio - b.evidence.greatestRatio || compareIds(a.entry, b.entry));
}

function isIgnored({ tally }: EntryUse, choices: ReadonlyMap<EntryTally, Choice>, maxRatio: number): boolean {
  return tally !== undefined && greatestRatioOf(choices.get(tally)) < maxRatio;
}

function isListed({ listings }: QueryTally, tally: EntryTally | undefined): boolean {
  return tally !== undefined && [...listings.values()].some(({ shown }) => shown.includes(tally));
}

function toProposal(
  use: EntryUse,
  tally: EntryTally,
  { choice, queries }: { choice: Choice; queries: readonly QueryTally[] },
): RewriteProposal {
  const { looks, chosen, expected } = choice;
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
      greatestRatio: Number(greatestRatioOf(choice).toFixed(3)),
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
