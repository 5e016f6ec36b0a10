import { isMaintained } from '../../catalog/maintained.ts';
import type { Entry } from '../../model.ts';
import { foldAccents, toLower } from '../../search/fold.ts';
import { leastShare } from '../bounds.ts';
import type { QueryTally } from '../fold/query-tally.ts';
import type { EntryTally } from '../fold/tally.ts';
import { groupUnanswered, type QueryGroup } from '../query-groups.ts';
import { choiceRates, choicesOf, ratioOf } from '../position-bias.ts';
import { coverageOf } from './coverage.ts';
import { counted, quoted, type ReviewInput, toDate, type WriteProposal } from './proposal.ts';

/** A need is not of one bad day. */
const FEWEST_DAYS = 2;
const MOST_QUERIES = 20;
const MOST_EXAMPLES = 3;
/** Listed entries whose texts are looked at. */
const MOST_SHOWN = 5;
/** An entry that has so much of what a group asks for, by weight of its words, answers it; then it is its description that fails. */
const LEAST_COVERAGE = 0.75;

/** A need that the catalog does not answer. */
export interface MissingNeed {
  readonly group: QueryGroup;
  /** What was listed instead, the most often listed first. */
  readonly shown: readonly EntryTally[];
}

/**
 * Groups of queries that the catalog has no answer to: asked in vain by several people, on several days, far more often than searches are
 * given up anyway (the lower Wilson bound), and of which no listed entry has the words.
 */
export function findMissing(input: ReviewInput): readonly MissingNeed[] {
  const { folded, thresholds, uses } = input;
  const choices = choicesOf(folded.queries, choiceRates(folded.queries));
  const usual = usualUnansweredRatio(folded.queries);
  const entryOf = new Map(uses.flatMap(({ tally, entry }) => (tally === undefined ? [] : [[tally, entry] as const])));
  return groupUnanswered(folded.queries)
    .filter(
      (group) =>
        askedBy(group) >= thresholds.minAskedBy &&
        daysOf(group).size >= FEWEST_DAYS &&
        leastShare(group.unanswered, group.unanswered + group.answered) > (1 + usual) / 2,
    )
    .map((group) => ({ group, shown: shownFor(group) }))
    .filter(
      ({ group, shown }) =>
        !shown.some((tally) => {
          const entry = entryOf.get(tally);
          const ratio = ratioOf(choices.get(tally));
          return entry !== undefined && isAnswer(entry, group, ratio < thresholds.maxChoiceRatio);
        }),
    );
}

/** How many searches are given up or find nothing, over all. */
function usualUnansweredRatio(queries: readonly QueryTally[]): number {
  const unanswered = queries.reduce((sum, query) => sum + query.unanswered, 0);
  const answered = queries.reduce((sum, query) => sum + query.answered, 0);
  return unanswered + answered === 0 ? 0 : unanswered / (unanswered + answered);
}

function askedBy({ queries }: QueryGroup): number {
  return new Set(queries.flatMap(({ unansweredBy }) => [...unansweredBy])).size;
}

function daysOf({ queries }: QueryGroup): ReadonlySet<number> {
  return new Set(queries.flatMap(({ unansweredDays }) => [...unansweredDays]));
}

function shownFor({ queries }: QueryGroup): readonly EntryTally[] {
  const times = new Map<EntryTally, number>();
  for (const { listings } of queries) {
    for (const { shown, unchosen } of listings.values()) {
      for (const tally of shown) times.set(tally, (times.get(tally) ?? 0) + unchosen);
    }
  }
  return [...times]
    .sort((a, b) => b[1] - a[1] || (a[0].key < b[0].key ? -1 : 1))
    .slice(0, MOST_SHOWN)
    .map(([tally]) => tally);
}

/**
 * Whether the catalog has what the group asks for after all: an entry says so itself; or its text is about it, and it is one that agents pass
 * by wherever it is listed. A text that merely has the words, of an entry that is taken for other things, is no answer.
 */
function isAnswer(entry: Entry, { terms }: QueryGroup, isIgnored: boolean): boolean {
  const { head, all } = coverageOf(
    terms.map((term, at) => [term, 1 / (at + 1)] as const),
    entry,
  );
  return head >= LEAST_COVERAGE || (isIgnored && all >= LEAST_COVERAGE);
}

/** The playbooks to write, the most asked for first. */
export function toWriteProposals(missing: readonly MissingNeed[], input: ReviewInput): readonly WriteProposal[] {
  const ids = new Map(input.uses.map(({ tally, id }) => [tally, id]));
  const taken = new Set(input.catalog.entries.filter(isMaintained).map(({ id }) => id));
  return missing.map(({ group, shown }) => {
    const { queries, unanswered, answered } = group;
    const texts = queries.flatMap(({ text }) => text ?? []);
    const query = texts[0] ?? '';
    const people = askedBy(group);
    const days = daysOf(group).size;
    return {
      kind: 'write',
      query,
      reason: `Asked in vain in ${counted(unanswered, 'search', 'searches')} by ${counted(people, 'caller')} on ${counted(days, 'day')}.`,
      command: newCommand(query, texts, taken),
      evidence: {
        queries: texts.slice(0, MOST_QUERIES),
        unanswered,
        answered,
        empty: queries.reduce((sum, { empty }) => sum + empty, 0),
        askedBy: people,
        days,
        first: toDate(Math.min(...queries.map(({ firstAt }) => firstAt))),
        last: toDate(Math.max(...queries.map(({ lastAt }) => lastAt))),
        shown: shown.flatMap((tally) => ids.get(tally) ?? []),
      },
    };
  });
}

function newCommand(query: string, texts: readonly string[], taken: ReadonlySet<string>): string {
  const words = toLower(foldAccents(query)).match(/[a-z0-9]+/g) ?? ['new', 'playbook'];
  const name = words.slice(0, 6).join('-');
  const id = taken.has(name) ? `${name}-2` : name;
  const examples = texts.slice(0, MOST_EXAMPLES).map((text) => `--example ${quoted(text)}`);
  return ['playbook-mcp new', id, ...examples].join(' ');
}
