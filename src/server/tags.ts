import { closestIds } from '../catalog/closest.ts';
import { compareIds } from '../catalog/order.ts';
import type { Entry } from '../model.ts';

export interface TagCount {
  readonly tag: string;
  /** Entries that carry it, at least 1. */
  readonly count: number;
}

const MOST_NEAREST = 5;
/** Words that are compared with every tag; the first of a long task say what it is about. */
const MOST_ASKED = 12;

/** The tags of the entries, most used first. */
export function countTags(entries: readonly Pick<Entry, 'tags'>[]): readonly TagCount[] {
  const counts = new Map<string, number>();
  for (const { tags } of entries) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].map(([tag, count]) => ({ tag, count })).sort(byUse);
}

/** Most used first, equals by name. */
export function byUse(a: TagCount, b: TagCount): number {
  return b.count - a.count || compareIds(a.tag, b.tag);
}

/** Whether an entry carries every tag; a bare word also means `domain:word` and `action:word`. */
export function hasTags(entry: Entry, wanted: readonly string[]): boolean {
  return wanted.every((tag) => {
    const target = tag.trim().toLowerCase();
    return entry.tags.some((own) => {
      const folded = own.toLowerCase();
      return folded === target || (!target.includes(':') && folded.slice(folded.indexOf(':') + 1) === target);
    });
  });
}

/** The catalog's tags most like any of the words; [] when none is near. */
export function nearestTags(entries: readonly Entry[], words: readonly string[]): readonly TagCount[] {
  const all = new Map(countTags(entries).map((each) => [each.tag, each]));
  const asked = [...new Set(words)].filter((word) => word.length > 2).slice(0, MOST_ASKED);
  const near = new Set(asked.flatMap((word) => closestIds(all.keys(), word)));
  return [...near].flatMap((tag) => all.get(tag) ?? []).slice(0, MOST_NEAREST);
}
