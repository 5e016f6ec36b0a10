import { greatestShare, leastShare } from '../bounds.ts';
import type { QueryTally } from '../fold/query-tally.ts';
import type { EntryTally } from '../fold/tally.ts';
import type { EntryUse } from '../join.ts';
import { type Choice, choiceRates, choicesOf, greatestRatioOf, ratioOf } from '../position-bias.ts';
import { type QueryGroup, reachOf } from '../query-groups.ts';
import { unansweredOf } from '../unanswered.ts';
import { coverageOf, headCoverageOf } from './coverage.ts';
import type { ReviewInput } from './proposal.ts';

/** A need is not of one bad day. */
const FEWEST_DAYS = 2;
/** A need may have an answer and a copy of it. */
const FEW_ANSWERS = 2;
/** Listed entries whose texts are looked at. */
const MOST_SHOWN = 8;
/** An entry that has so much of what a group asks for, by weight of its words, is about it. */
const LEAST_COVERAGE = 0.8;
const COVERAGE_OF_IGNORED = 0.72;
/** So much is enough of an entry that other wordings have named. */
const RELATED = 0.6;

/** What people ask for in vain. */
export interface UnservedNeed {
  readonly group: QueryGroup;
  readonly askedBy: number;
  readonly days: number;
  /** What was listed instead, the most often listed first. */
  readonly shown: readonly EntryTally[];
  /**
   * What is wrong: `missing`, the catalog has no answer; `ignored`, it has one that agents pass by wherever it is listed; `unclear`, it has one
   * that they do take otherwise.
   */
  readonly cause: 'missing' | 'ignored' | 'unclear';
  /** The answer that it has; undefined for `missing`. */
  readonly answer: EntryUse | undefined;
}

/** How often each entry was taken beside what its places promised. */
export type Choices = ReadonlyMap<EntryTally, Choice>;

/** Over all searches. */
export function allChoices({ folded }: ReviewInput): Choices {
  return choicesOf(folded.queries, choiceRates(folded.queries));
}

/** The same beyond doubt, by the upper bound of what was taken. */
export function isSurelyIgnored(use: EntryUse, choices: Choices, input: ReviewInput): boolean {
  const choice = use.tally === undefined ? undefined : choices.get(use.tally);
  return isIgnored(use, choices, input) && greatestRatioOf(choice) < input.thresholds.maxChoiceRatio;
}

/** Whether an entry is listed often and taken less than the allowed share of what its places promise. */
export function isIgnored({ tally }: EntryUse, choices: Choices, { thresholds }: ReviewInput): boolean {
  return (
    tally !== undefined && tally.shown >= thresholds.minShown && ratioOf(choices.get(tally)) < thresholds.maxChoiceRatio
  );
}

/**
 * Needs that searches do not serve, the most asked for first: groups of queries that several people asked in vain, on several days, and more
 * often than searches are given up anyway, while nothing is taken for them half as often as answers are (by the bounds of Wilson's interval).
 */
export function findUnserved(input: ReviewInput, choices: Choices): readonly UnservedNeed[] {
  const useOf = new Map(input.uses.flatMap((use) => (use.tally === undefined ? [] : [[use.tally, use] as const])));
  const needs = unservedGroups(input).map((need) => {
    const listed = need.shown.flatMap((tally) => useOf.get(tally) ?? []);
    const cause = causeOf(need.group, listed, (use) => coverageNeeded(use, choices, input));
    return { ...need, listed, ...(cause.cause === 'missing' ? unlistedCause(need.group, input) : cause) };
  });
  const ignored = new Set(needs.flatMap(({ cause, answer }) => (cause === 'ignored' ? [answer] : [])));
  return needs.map(({ listed, ...need }) => {
    // Odd wordings of a need are groups of their own; what is known to answer the others answers these.
    const answer = listed.find((use) => ignored.has(use) && coverageOf(need.group.terms, use.entry).all >= RELATED);
    return need.cause === 'missing' && answer !== undefined ? { ...need, cause: 'ignored', answer } : need;
  });
}

function unservedGroups({
  folded,
  thresholds,
}: ReviewInput): readonly Pick<UnservedNeed, 'group' | 'askedBy' | 'days' | 'shown'>[] {
  const usual = usualUnansweredRatio(folded.queries);
  return unansweredOf(folded).flatMap((group) => {
    const { askedBy, days } = reachOf(group);
    const isUnserved =
      askedBy >= thresholds.minAskedBy &&
      days >= FEWEST_DAYS &&
      leastShare(group.unanswered, group.unanswered + group.answered) > usual &&
      isWithoutAnswer(group, 1 - usual);
    return isUnserved ? [{ group, askedBy, days, shown: shownFor(group) }] : [];
  });
}

/**
 * Whether what is taken for a need most is surely taken less than half as often as answers are; or, of what few people ask, less than a quarter
 * as often, and surely less than two thirds.
 */
function isWithoutAnswer(group: QueryGroup, usualAnsweredRatio: number): boolean {
  const [answered, total] = [answeredByFew(group), group.unanswered + group.answered];
  const greatest = greatestShare(answered, total) / usualAnsweredRatio;
  return greatest < 1 / 2 || (greatest < 2 / 3 && answered / total < usualAnsweredRatio / 4);
}

/**
 * Searches for a need that led to one of the few entries that are taken for it most. Whoever knows no answer takes now this and now that;
 * what answers is taken again and again. @see Dou, Song & Wen 2007, A large-scale evaluation of personalized search (click entropy).
 */
function answeredByFew({ answeredQueries, answered }: QueryGroup): number {
  const times = new Map<EntryTally, number>();
  for (const { led, answered: searches } of answeredQueries) {
    for (const [entry, uses] of led ?? []) times.set(entry, (times.get(entry) ?? 0) + Math.min(uses, searches));
  }
  const most = [...times.values()].sort((a, b) => b - a).slice(0, FEW_ANSWERS);
  return Math.min(
    answered,
    most.reduce((sum, count) => sum + count, 0),
  );
}

/** How much of a need an entry must have to be its answer that agents pass by: less where they surely do; never where they do not. */
function coverageNeeded(use: EntryUse, choices: Choices, input: ReviewInput): number {
  if (!isIgnored(use, choices, input)) return Infinity;
  return isSurelyIgnored(use, choices, input) ? COVERAGE_OF_IGNORED : LEAST_COVERAGE;
}

/** A text that merely has the words, of an entry that is taken for other things, is no answer. */
function causeOf(
  group: QueryGroup,
  listed: readonly EntryUse[],
  neededOf: (use: EntryUse) => number,
): Pick<UnservedNeed, 'cause' | 'answer'> {
  const covering = listed.map((use) => ({ use, ...coverageOf(group.terms, use.entry) })).sort((a, b) => b.all - a.all);
  const ignored = covering.find(({ use, all }) => all >= neededOf(use));
  if (ignored !== undefined) return { cause: 'ignored', answer: ignored.use };
  const unclear = covering.find(({ head }) => head >= LEAST_COVERAGE);
  return unclear === undefined ? { cause: 'missing', answer: undefined } : { cause: 'unclear', answer: unclear.use };
}

/** What is about a need and was not listed for it, or no event tells that it was, is there all the same. */
function unlistedCause({ terms }: QueryGroup, { uses }: ReviewInput): Pick<UnservedNeed, 'cause' | 'answer'> {
  const answer = uses.find(({ entry }) => entry.status !== 'retired' && headCoverageOf(terms, entry) >= LEAST_COVERAGE);
  return answer === undefined ? { cause: 'missing', answer } : { cause: 'unclear', answer };
}

/** How many searches are given up or find nothing, over all. */
function usualUnansweredRatio(queries: readonly QueryTally[]): number {
  const unanswered = queries.reduce((sum, query) => sum + query.unanswered, 0);
  const answered = queries.reduce((sum, query) => sum + query.answered, 0);
  return unanswered + answered === 0 ? 0 : unanswered / (unanswered + answered);
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
