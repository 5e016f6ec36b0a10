import type { ClientMeasure, EntryMeasure, ReportEntry } from '../../usage/report/data.ts';
import type { Model } from './model.ts';

/** What the reader wants to see; '' stands for any. */
export interface Filter {
  /** Days up to the last one; Infinity for all. */
  readonly days: number;
  readonly source: string;
  readonly tag: string;
  readonly kind: string;
  /** Place of the client as text. */
  readonly client: string;
}

/** One bar of the picture over time. */
export interface Bucket {
  /** First and last day of it. */
  readonly first: number;
  readonly last: number;
  uses: number;
  failures: number;
  shown: number;
  searches: number;
  empty: number;
}

export interface EntryFigures {
  readonly entry: ReportEntry;
  uses: number;
  failures: number;
  shown: number;
  /** Uses by bucket, the oldest first. */
  readonly trend: number[];
}

export interface Selection {
  readonly filter: Filter;
  /** Days that are looked at. */
  readonly dayCount: number;
  readonly firstDay: number;
  readonly bucketDays: number;
  /** The oldest first. */
  readonly buckets: readonly Bucket[];
  readonly entries: readonly EntryFigures[];
  /** True where only some entries are wanted: what a session did is not told apart by entries. */
  readonly isOfSome: boolean;
  readonly funnel: Readonly<Record<Exclude<ClientMeasure, 'searches' | 'empty'>, number>>;
}

/** Bars of a day are told apart up to here; then weeks, then four of them. */
const MOST_DAYS = 92;
const MOST_WEEKS_IN_DAYS = 3 * 366;

export function isWanted(entry: ReportEntry, { source, tag, kind }: Filter): boolean {
  return (
    (source === '' || entry.source === source) &&
    (tag === '' || entry.tags.includes(tag)) &&
    (kind === '' || entry.kind === kind)
  );
}

/** Everything that the page shows of what passes a filter. */
export function select(model: Model, filter: Filter): Selection {
  const { data, lastDay } = model;
  const firstDay = Math.max(model.firstDay, lastDay - filter.days + 1);
  const dayCount = lastDay - firstDay + 1;
  const bucketDays = widthFor(model, dayCount);
  const buckets = emptyBuckets({ firstDay, lastDay, bucketDays });
  const entries = data.entries.map((entry): EntryFigures => ({
    entry,
    uses: 0,
    failures: 0,
    shown: 0,
    trend: buckets.map(() => 0),
  }));
  const selection = {
    filter,
    dayCount,
    firstDay,
    bucketDays,
    buckets,
    isOfSome: filter.source !== '' || filter.tag !== '' || filter.kind !== '',
    funnel: { sessions: 0, searched: 0, readSchema: 0, used: 0 },
  };
  const isWantedAt = data.entries.map((entry) => isWanted(entry, filter));
  for (const measure of ['uses', 'failures', 'shown'] as const)
    addCells(model, measure, { ...selection, entries, isWantedAt });
  addDays(model, selection);
  return { ...selection, entries: entries.filter((_, at) => isWantedAt[at] === true) };
}

function widthFor({ data }: Model, dayCount: number): number {
  const wanted = dayCount <= MOST_DAYS ? 1 : dayCount <= MOST_WEEKS_IN_DAYS ? 7 : 28;
  return Math.max(wanted, data.counts.uses.bucketDays, data.counts.failures.bucketDays);
}

interface Days {
  readonly firstDay: number;
  readonly lastDay: number;
  readonly bucketDays: number;
}

/** Buckets go back from the last day, so the first one may be cut off. */
function emptyBuckets({ firstDay, lastDay, bucketDays }: Days): readonly Bucket[] {
  const count = Math.ceil((lastDay - firstDay + 1) / bucketDays);
  return Array.from({ length: count }, (_, at) => {
    const last = lastDay - (count - 1 - at) * bucketDays;
    const first = Math.max(firstDay, last - bucketDays + 1);
    return { first, last, uses: 0, failures: 0, shown: 0, searches: 0, empty: 0 };
  });
}

type Filling = Pick<Selection, 'filter' | 'dayCount' | 'bucketDays' | 'buckets'>;

function addCells(
  { data, cells }: Model,
  measure: EntryMeasure,
  into: Filling & { readonly entries: readonly EntryFigures[]; readonly isWantedAt: readonly boolean[] },
): void {
  const { filter, dayCount, bucketDays, buckets, entries, isWantedAt } = into;
  const width = data.counts[measure].bucketDays;
  const client = filter.client === '' ? undefined : Number(filter.client);
  for (const cell of cells[measure]) {
    const back = cell.bucket * width;
    if (back >= dayCount || (client !== undefined && cell.client !== client)) continue;
    const figures = entries[cell.entry];
    if (figures === undefined || isWantedAt[cell.entry] !== true) continue;
    figures[measure] += cell.count;
    const at = buckets.length - 1 - Math.floor(back / bucketDays);
    const bucket = buckets[at];
    if (bucket === undefined) continue;
    bucket[measure] += cell.count;
    if (measure === 'uses') figures.trend[at] = (figures.trend[at] ?? 0) + cell.count;
  }
}

function addDays(
  { days, firstDay: start, lastDay }: Model,
  {
    filter,
    firstDay,
    bucketDays,
    buckets,
    funnel,
  }: Filling & { firstDay: number; funnel: Record<keyof Selection['funnel'], number> },
): void {
  for (const [client, counts] of days.entries()) {
    if (filter.client !== '' && client !== Number(filter.client)) continue;
    for (let day = firstDay; day <= lastDay; day += 1) {
      const bucket = buckets[buckets.length - 1 - Math.floor((lastDay - day) / bucketDays)];
      const at = day - start;
      if (bucket !== undefined) {
        bucket.searches += counts.searches[at] ?? 0;
        bucket.empty += counts.empty[at] ?? 0;
      }
      for (const measure of ['sessions', 'searched', 'readSchema', 'used'] as const)
        funnel[measure] += counts[measure][at] ?? 0;
    }
  }
}
