import { compareIds } from '../../catalog/order.ts';
import type { QueryTally } from '../fold/query-tally.ts';
import type { EntryTally } from '../fold/tally.ts';
import type { EntryUse } from '../join.ts';
import { type Choice, greatestRatioOf } from '../position-bias.ts';
import { vectorsOf } from '../query-vectors.ts';
import { coverageOf, LEAST_TOLD } from './coverage.ts';
import { counted, pathOf, idArgument, type ReviewInput, type RewriteProposal } from './proposal.ts';
import { type Choices, isIgnored, isSurelyIgnored, type UnservedNeed } from './unserved.ts';

const MOST_QUERIES = 10;

/** What else is known when descriptions are judged. */
export interface KnownBefore {
  readonly choices: Choices;
  readonly unserved: readonly UnservedNeed[];
  /** Ids of events. */
  readonly unused: ReadonlySet<string>;
  /** Ids of entries that another proposal explains: of two equals one is taken less, and so is what replaces a thing that people prefer. */
  readonly explained: ReadonlySet<string>;
}

/**
 * Entries that search lists often and agents seldom take, the worst first: what was taken is, beyond doubt, less than a share of what an entry
 * of the catalog gets that is looked at as often at the same ranks; and there is a need that it answers by its text and that goes
 * unserved. What is listed for a common word, while agents find what they want below it, is the search's fault.
 *
 * Where words do not tell what is asked for, those are named that are listed so often that they should be used as much as the middle one.
 */
export function findIgnored(input: ReviewInput, known: KnownBefore): readonly RewriteProposal[] {
  const { choices, unserved, unused, explained } = known;
  const ignored = input.uses.filter(
    (use) => use.entry.status === 'active' && !explained.has(use.id) && isIgnored(use, choices, input),
  );
  const wanted = new Set(unserved.flatMap(({ cause, answer }) => (cause === 'ignored' ? [answer] : [])));
  const often = usualUse(choices);
  const areTold = wanted.size > 0 || areWordsTold(input);
  const isOften = (use: EntryUse): boolean => choiceOf(use, choices).expected >= often;
  const told = ignored.filter((use) =>
    areTold ? wanted.has(use) : !unused.has(use.id) && isOften(use) && isSurelyIgnored(use, choices, input),
  );
  const inVain = queriesInVain(new Set(told.map(({ tally }) => tally)), input.folded.queries);
  return told
    .flatMap((use) => (use.tally === undefined ? [] : [toProposal(use, use.tally, { choices, inVain })]))
    .sort((a, b) => a.evidence.greatestRatio - b.evidence.greatestRatio || compareIds(a.entry, b.entry));
}

/** Whether what is taken usually has the words of what was asked for. */
function areWordsTold({ folded, uses }: ReviewInput): boolean {
  const vectorOf = vectorsOf(folded.queries);
  const entryOf = new Map(uses.map(({ tally, entry }) => [tally, entry]));
  const coverages = folded.queries.flatMap((query) =>
    [...(query.led?.keys() ?? [])].flatMap((tally) => {
      const entry = entryOf.get(tally);
      return entry === undefined || query.text === null ? [] : [coverageOf(vectorOf(query), entry).all];
    }),
  );
  return middleOf(coverages) >= LEAST_TOLD;
}

/** How often the middle one of the used entries is taken. */
function usualUse(choices: Choices): number {
  return middleOf([...choices.values()].flatMap(({ chosen }) => (chosen > 0 ? [chosen] : [])));
}

function middleOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

function choiceOf({ tally }: EntryUse, choices: Choices): Choice {
  return (tally === undefined ? undefined : choices.get(tally)) ?? { looks: 0, chosen: 0, expected: 0 };
}

function toProposal(
  use: EntryUse,
  tally: EntryTally,
  { choices, inVain }: { readonly choices: Choices; readonly inVain: QueriesInVain },
): RewriteProposal {
  const { looks, chosen, expected } = choiceOf(use, choices);
  return {
    kind: 'rewrite',
    entry: use.id,
    path: pathOf(use),
    reason: `Listed ${counted(tally.shown, 'time')} and taken ${counted(Math.round(chosen), 'time')}; ${Math.round(expected)} were to be expected of its ranks.`,
    command: `playbook-mcp show ${idArgument(use.entry)}`,
    evidence: {
      shown: tally.shown,
      looks: Math.round(looks),
      chosen: Math.round(chosen),
      expected: Number(expected.toFixed(1)),
      greatestRatio: Number(greatestRatioOf(choices.get(tally)).toFixed(3)),
      meanRank: Number((tally.rankSum / tally.shown).toFixed(1)),
      queries: mostOften(inVain.get(tally) ?? []),
    },
  };
}

/** Queries whose searches listed an entry and led to nothing, and how many these were. */
type QueriesInVain = ReadonlyMap<EntryTally, readonly (readonly [text: string, count: number])[]>;

/** Of all entries in one pass: there are a hundred thousand queries. */
function queriesInVain(of: ReadonlySet<EntryTally | undefined>, queries: readonly QueryTally[]): QueriesInVain {
  const inVain = new Map<EntryTally, [string, number][]>();
  // One list is that of many queries.
  const wantedIn = new Map<readonly EntryTally[], readonly EntryTally[]>();
  for (const { text, listings } of queries) {
    if (text === null) continue;
    for (const { shown, unchosen } of listings.values()) {
      if (unchosen === 0) continue;
      const wanted = wantedIn.get(shown) ?? [...new Set(shown)].filter((tally) => of.has(tally));
      wantedIn.set(shown, wanted);
      for (const tally of wanted) countInVain(inVain, tally, [text, unchosen]);
    }
  }
  return inVain;
}

function countInVain(
  inVain: Map<EntryTally, [string, number][]>,
  tally: EntryTally,
  [text, count]: [string, number],
): void {
  const known = inVain.get(tally) ?? [];
  inVain.set(tally, known);
  const latest = known.at(-1);
  if (latest?.[0] === text) latest[1] += count;
  else known.push([text, count]);
}

function mostOften(times: readonly (readonly [text: string, count: number])[]): readonly string[] {
  return [...times]
    .sort((a, b) => b[1] - a[1] || compareIds(a[0], b[0]))
    .slice(0, MOST_QUERIES)
    .map(([text]) => text);
}
