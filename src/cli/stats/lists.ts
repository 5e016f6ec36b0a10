import type { EntryRow, UsageSummary } from '../../usage/summary-rows.ts';

/** The lists by which a maintainer looks at a library, each the worst first. */
export interface EntryLists {
  /** Could be used for the whole time and never were. */
  readonly neverUsed: readonly EntryRow[];
  /** Listed often and taken less than half as often as their places promise. */
  readonly notChosen: readonly EntryRow[];
  readonly failing: readonly EntryRow[];
  readonly slow: readonly EntryRow[];
}

const OFTEN_SHOWN = 20;
const SELDOM = 0.5;
/** Fewer calls say nothing about how long the next one takes. */
const FEWEST_CALLS = 5;
const SLOW_MS = 1_000;

/** Sorts the entries into the lists; an entry may be in several. */
export function listEntries({ entries }: Pick<UsageSummary, 'entries'>): EntryLists {
  const live = entries.filter(({ status, isOurs }) => isOurs && (status === 'active' || status === 'deprecated'));
  return {
    neverUsed: live.filter(({ uses }) => uses === 0).sort((a, b) => b.shown - a.shown),
    notChosen: live
      .filter(({ shown, chosen, expected }) => shown >= OFTEN_SHOWN && chosen < SELDOM * expected)
      .sort((a, b) => b.expected - b.chosen - (a.expected - a.chosen)),
    failing: entries.filter(({ failures }) => failures > 0).sort((a, b) => b.failures / b.uses - a.failures / a.uses),
    slow: entries
      .filter(({ uses, p95Ms }) => uses >= FEWEST_CALLS && (p95Ms ?? 0) >= SLOW_MS)
      .sort((a, b) => (b.p95Ms ?? 0) - (a.p95Ms ?? 0)),
  };
}
