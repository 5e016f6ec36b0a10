import type { EntryCounts } from './data.ts';
import { numbersToText, textToNumbers } from './numbers-text.ts';

/** Widths of a bucket to choose from. Four weeks at most, so that any span of whole weeks that matters is whole buckets. */
const BUCKET_DAYS = [1, 7, 28] as const;
/** Characters that one measure may take. */
const MOST_CHARACTERS = 600_000;

/** Counts of one entry: day and count in turn, days ascending. */
export type DayCounts = readonly number[];

/** One count of an entry in a bucket. */
export interface Cell {
  readonly entry: number;
  readonly client: number;
  readonly bucket: number;
  readonly count: number;
}

/**
 * Packs counts as finely as fits.
 * @param byClient for each client, what is counted of each entry, by the entry's place
 * @param lastDay with which bucket 0 ends
 */
export function packCounts(byClient: readonly ReadonlyMap<number, DayCounts>[], lastDay: number): EntryCounts {
  for (const bucketDays of BUCKET_DAYS) {
    const texts = byClient.map((counts) => numbersToText(stream(counts, { bucketDays, lastDay })));
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    if (length <= MOST_CHARACTERS || bucketDays === BUCKET_DAYS.at(-1)) return { bucketDays, texts };
  }
  throw new Error('There is no last width.');
}

function* stream(
  counts: ReadonlyMap<number, DayCounts>,
  { bucketDays, lastDay }: { readonly bucketDays: number; readonly lastDay: number },
): Generator<number> {
  let lastEntry = 0;
  for (const entry of [...counts.keys()].sort((a, b) => a - b)) {
    const buckets = new Map<number, number>();
    const days = counts.get(entry) ?? [];
    // From the last day back, so that buckets ascend.
    for (let at = days.length - 2; at >= 0; at -= 2) {
      const bucket = Math.floor((lastDay - (days[at] ?? 0)) / bucketDays);
      buckets.set(bucket, (buckets.get(bucket) ?? 0) + (days[at + 1] ?? 0));
    }
    if (buckets.size === 0) continue;
    yield entry - lastEntry;
    yield buckets.size;
    let lastBucket = 0;
    for (const [bucket, count] of buckets) {
      yield bucket - lastBucket;
      yield count;
      lastBucket = bucket;
    }
    lastEntry = entry;
  }
}

/** Every count that was packed, by client, entry and bucket in ascending order. */
export function unpackCounts({ texts }: EntryCounts): readonly Cell[] {
  return texts.flatMap((text, client) => {
    const numbers = textToNumbers(text);
    const cells: Cell[] = [];
    let entry = 0;
    for (let at = 0; at < numbers.length;) {
      entry += numbers[at] ?? 0;
      const size = numbers[at + 1] ?? 0;
      at += 2;
      let bucket = 0;
      for (const end = at + 2 * size; at < end; at += 2) {
        bucket += numbers[at] ?? 0;
        cells.push({ entry, client, bucket, count: numbers[at + 1] ?? 0 });
      }
    }
    return cells;
  });
}
