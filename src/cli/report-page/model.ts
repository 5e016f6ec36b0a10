import type { ClientMeasure, EntryMeasure, ReportData } from '../../usage/report/data.ts';
import { type Cell, unpackCounts } from '../../usage/report/entry-counts.ts';
import { textToNumbers } from '../../usage/report/numbers-text.ts';

/** The data of the page, unpacked. */
export interface Model {
  readonly data: ReportData;
  readonly firstDay: number;
  readonly lastDay: number;
  readonly cells: Readonly<Record<EntryMeasure, readonly Cell[]>>;
  /** By client and day from the first. */
  readonly days: readonly Readonly<Record<ClientMeasure, readonly number[]>>[];
}

export function toModel(data: ReportData): Model {
  const { counts, clients, span } = data;
  return {
    data,
    firstDay: span?.first ?? 0,
    lastDay: span?.last ?? 0,
    cells: {
      uses: unpackCounts(counts.uses),
      failures: unpackCounts(counts.failures),
      shown: unpackCounts(counts.shown),
    },
    days: clients.map(({ days }) => ({
      searches: textToNumbers(days.searches),
      empty: textToNumbers(days.empty),
      sessions: textToNumbers(days.sessions),
      searched: textToNumbers(days.searched),
      readSchema: textToNumbers(days.readSchema),
      used: textToNumbers(days.used),
    })),
  };
}
