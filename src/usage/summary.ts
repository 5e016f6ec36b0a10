import { compareIds } from '../catalog/order.ts';
import type { Totals } from './fold/call-totals.ts';
import type { Folded } from './fold/fold.ts';
import { People } from './fold/people.ts';
import type { QueryTally } from './fold/query-tally.ts';
import type { EntryTally } from './fold/tally.ts';
import { type EntryUse, isOurs } from './join.ts';
import { type Choice, choiceRates, choicesOf } from './position-bias.ts';
import { type QueryGroup, reachOf } from './query-groups.ts';
import { unansweredOf } from './unanswered.ts';
import { callGroups, entryGroups } from './summary-groups.ts';
import type { EntryRow, TotalsRow, UnansweredRow, UsageSummary } from './summary-rows.ts';
import { toTotalsRow, usesOf } from './totals.ts';
import { DAY_MS, dayOf } from './day.ts';

const MOST_QUERIES = 5;
const DAYS_OF_WEEK = 7;
/** Tells what was counted, joined with the catalog. */
export function summarizeUsage(folded: Folded, uses: readonly EntryUse[]): UsageSummary {
  const { span, totals, funnel, queries } = folded;
  const entries = entryRows(folded, uses);
  const unanswered = queries.reduce((sum, query) => sum + query.unanswered, 0);
  return {
    span: span === undefined ? null : { first: toDate(span.first), last: toDate(span.last) },
    totals: { ...toTotalsRow(totals), sessions: funnel.sessions, unanswered },
    funnel,
    weeks: weekRows(folded),
    entries,
    clients: callGroups(folded.clients),
    repos: callGroups(folded.repos),
    tags: entryGroups(uses, ({ tags }) => tags),
    sources: entryGroups(uses, ({ source }) => [source]),
    owners: entryGroups(uses, (entry) => (entry.kind === 'playbook' && entry.playbook.owner) || []),
    unanswered: unansweredOf(folded).map(toUnansweredRow),
  };
}

function toDate(time: number): string {
  return new Date(time).toISOString();
}

function weekOf(day: number, { span }: Folded): number {
  return Math.floor((day - dayOf(span?.first ?? 0)) / DAYS_OF_WEEK);
}

function weekRows(folded: Folded): UsageSummary['weeks'] {
  const { span, days } = folded;
  if (span === undefined) return [];
  const count = weekOf(dayOf(span.last), folded) + 1;
  const weeks = Array.from({ length: count }, (): Totals[] => []);
  for (const [day, totals] of days) weeks[weekOf(day, folded)]?.push(totals);
  return weeks.map((ofWeek, at) => ({
    from: toDate((dayOf(span.first) + at * DAYS_OF_WEEK) * DAY_MS),
    ...sumOf(ofWeek),
  }));
}

function sumOf(all: readonly Totals[]): TotalsRow {
  const sum = (of: (totals: Totals) => number): number => all.reduce((total, each) => total + of(each), 0);
  return {
    events: sum(({ events }) => events),
    searches: sum(({ searches }) => searches),
    empty: sum(({ empty }) => empty),
    schemaReads: sum(({ schemaReads }) => schemaReads),
    uses: sum(({ uses }) => uses),
    failures: sum(({ failures }) => failures),
    tokens: sum(({ tokens }) => tokens),
    users: everybodyIn(all).size,
  };
}

function everybodyIn(all: readonly Totals[]): People {
  const everybody = new People();
  for (const { users } of all) everybody.addAll(users);
  return everybody;
}

function entryRows(folded: Folded, uses: readonly EntryUse[]): readonly EntryRow[] {
  const choices = choicesOf(folded.queries, choiceRates(folded.queries));
  const led = queriesLedBy(folded.queries);
  const known = new Set(uses.map(({ tally }) => tally));
  const strangers = [...folded.entries.values()].filter((tally) => !known.has(tally));
  const row = (tally: EntryTally | undefined, use: EntryUse | undefined): EntryRow => ({
    ...describe(tally, use),
    ...countsOf(tally, tally === undefined ? undefined : choices.get(tally)),
    availableSince: use?.availableSince === undefined ? null : toDate(use.availableSince),
    weeks: usesByWeek(tally, folded),
    queries: tally === undefined ? [] : (led.get(tally) ?? []).slice(0, MOST_QUERIES),
  });
  return [...uses.map((use) => row(use.tally, use)), ...strangers.map((tally) => row(tally, undefined))].sort(
    (a, b) =>
      b.uses - a.uses || b.shown - a.shown || compareIds(a.entry, b.entry) || compareIds(a.repo ?? '', b.repo ?? ''),
  );
}

function describe(
  tally: EntryTally | undefined,
  use: EntryUse | undefined,
): Pick<EntryRow, 'entry' | 'id' | 'repo' | 'kind' | 'name' | 'source' | 'owner' | 'tags' | 'status' | 'isOurs'> {
  const entry = use?.entry;
  const id = use?.id ?? tally?.entry ?? '';
  return {
    entry: id,
    id: entry?.id ?? id,
    repo: tally?.repo ?? null,
    kind: entry?.kind ?? tally?.kind ?? null,
    name: entry?.name ?? id,
    source: entry?.source ?? tally?.source ?? null,
    owner: entry?.kind === 'playbook' ? (entry.playbook.owner ?? null) : null,
    tags: entry?.tags ?? [],
    status: entry?.status ?? null,
    isOurs: entry !== undefined && isOurs(entry),
  };
}

function countsOf(
  tally: EntryTally | undefined,
  choice: Choice | undefined,
): Omit<EntryRow, keyof ReturnType<typeof describe> | 'availableSince' | 'weeks' | 'queries'> {
  const time = (moment: number | undefined): string | null => (moment === undefined ? null : toDate(moment));
  const errors = [...(tally?.errors ?? [])].sort((a, b) => b[1] - a[1] || compareIds(a[0], b[0]));
  return {
    shown: tally?.shown ?? 0,
    meanRank: tally === undefined || tally.shown === 0 ? null : round(tally.rankSum / tally.shown),
    chosen: round(choice?.chosen ?? 0),
    expected: round(choice?.expected ?? 0),
    schemaReads: tally?.schemaReads ?? 0,
    uses: usesOf(tally),
    users: tally?.users.size ?? 0,
    sessions: tally?.sessions ?? 0,
    failures: tally?.failures ?? 0,
    errors: Object.fromEntries(errors),
    p50Ms: roundOrNull(tally?.latencies.quantile(0.5)),
    p95Ms: roundOrNull(tally?.latencies.quantile(0.95)),
    tokens: tally?.tokens ?? 0,
    firstUse: time(tally?.firstUse),
    lastUse: time(tally?.lastUse),
  };
}

function round(value: number): number {
  return Number(value.toFixed(1));
}

function roundOrNull(value: number | undefined): number | null {
  return value === undefined ? null : round(value);
}

function usesByWeek(tally: EntryTally | undefined, folded: Folded): readonly number[] {
  if (folded.span === undefined) return [];
  const weeks = Array.from({ length: weekOf(dayOf(folded.span.last), folded) + 1 }, () => 0);
  for (const [day, { uses }] of tally?.days ?? []) {
    const week = weekOf(day, folded);
    weeks[week] = (weeks[week] ?? 0) + uses;
  }
  return weeks;
}

function queriesLedBy(queries: readonly QueryTally[]): ReadonlyMap<EntryTally, EntryRow['queries']> {
  const led = new Map<EntryTally, { query: string; uses: number }[]>();
  for (const { text, led: ofQuery } of queries) {
    if (text === null) continue;
    ofQuery?.forEach((uses, tally) => {
      const ofEntry = led.get(tally);
      if (ofEntry === undefined) led.set(tally, [{ query: text, uses }]);
      else ofEntry.push({ query: text, uses });
    });
  }
  for (const ofEntry of led.values()) ofEntry.sort((a, b) => b.uses - a.uses || compareIds(a.query, b.query));
  return led;
}

function toUnansweredRow(group: QueryGroup): UnansweredRow {
  const { queries: wordings, unanswered, answered } = group;
  const [first, ...rest] = wordings.flatMap(({ text }) => text ?? []);
  return {
    query: first ?? '',
    alike: rest.slice(0, MOST_QUERIES),
    searches: unanswered,
    answered,
    empty: wordings.reduce((sum, { empty }) => sum + empty, 0),
    ...reachOf(group),
    last: toDate(Math.max(...wordings.map(({ lastAt }) => lastAt))),
  };
}
