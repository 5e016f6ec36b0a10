import type { EntryTally } from '../fold/tally.ts';
import type { ClientMeasure, EntryMeasure, ReportClient } from './data.ts';
import type { DayCounts } from './entry-counts.ts';
import { numbersToText } from './numbers-text.ts';
import { type ClientCounts, newClientCounts, OTHER_CLIENTS } from './usage-counter.ts';

/** More lines of a filter than this nobody reads. */
const MOST_CLIENTS = 12;

/** The clients that the page tells apart, the busiest first; all others as one at the end. */
export function mainClients(all: Iterable<ClientCounts>): readonly ClientCounts[] {
  const sorted = [...all].sort((a, b) => b.events - a.events || (a.name < b.name ? -1 : 1));
  if (sorted.length <= MOST_CLIENTS) return sorted;
  const main = sorted.filter(({ name }) => name !== OTHER_CLIENTS).slice(0, MOST_CLIENTS - 1);
  return [...main, merged(sorted.filter((client) => !main.includes(client)))];
}

function merged(clients: readonly ClientCounts[]): ClientCounts {
  const whole = newClientCounts(OTHER_CLIENTS);
  for (const { events, days, entries } of clients) {
    whole.events += events;
    for (const measure of CLIENT_MEASURES) {
      const into = whole.days[measure];
      for (const [day, count] of days[measure]) into.set(day, (into.get(day) ?? 0) + count);
    }
    for (const measure of ENTRY_MEASURES) {
      const into = whole.entries[measure];
      for (const [entry, counts] of entries[measure]) into.set(entry, sumOf(into.get(entry) ?? [], counts));
    }
  }
  return whole;
}

function sumOf(a: DayCounts, b: DayCounts): number[] {
  const days = new Map<number, number>();
  for (const counts of [a, b]) {
    for (let at = 0; at < counts.length; at += 2) {
      const day = counts[at] ?? 0;
      days.set(day, (days.get(day) ?? 0) + (counts[at + 1] ?? 0));
    }
  }
  return [...days].sort(([left], [right]) => left - right).flat();
}

const ENTRY_MEASURES = ['uses', 'failures', 'shown'] as const satisfies readonly EntryMeasure[];
const CLIENT_MEASURES = [
  'searches',
  'empty',
  'sessions',
  'searched',
  'readSchema',
  'used',
] as const satisfies readonly ClientMeasure[];

export function toReportClient({ name, days }: ClientCounts, span: { first: number; last: number }): ReportClient {
  const text = (measure: ClientMeasure): string =>
    numbersToText(
      Array.from({ length: span.last - span.first + 1 }, (_, at) => days[measure].get(span.first + at) ?? 0),
    );
  return {
    name,
    days: {
      searches: text('searches'),
      empty: text('empty'),
      sessions: text('sessions'),
      searched: text('searched'),
      readSchema: text('readSchema'),
      used: text('used'),
    },
  };
}

/** What one measure counts, by the places of entries. */
export function byPlace(
  counts: ReadonlyMap<EntryTally, DayCounts>,
  placeOf: ReadonlyMap<EntryTally, number>,
): ReadonlyMap<number, DayCounts> {
  return new Map(
    [...counts].flatMap(([entry, days]) => {
      const place = placeOf.get(entry);
      return place === undefined ? [] : [[place, days] as const];
    }),
  );
}
