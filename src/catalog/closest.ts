import { editDistance } from '../config/nearest.ts';
import { compareIds } from './order.ts';

const MOST_SUGGESTIONS = 5;
/** Beyond this a guess is noise: nobody types half of the letters wrong. */
const LARGEST_DISTANCE_RATIO = 0.45;

/** The ids most like the one that was asked for, closest first; [] when none is near. */
export function closestIds(ids: Iterable<string>, wanted: string): readonly string[] {
  const target = fold(wanted);
  const near: { id: string; ratio: number }[] = [];
  for (const id of ids) {
    const ratio = distanceRatio(fold(id), target);
    if (ratio <= LARGEST_DISTANCE_RATIO) near.push({ id, ratio });
  }
  near.sort((a, b) => a.ratio - b.ratio || compareIds(a.id, b.id));
  return near.slice(0, MOST_SUGGESTIONS).map(({ id }) => id);
}

/** 0 for the same text, towards 1 for texts that share nothing; a shared last segment or a contained text is near. */
function distanceRatio(id: string, wanted: string): number {
  if (id === wanted) return 0;
  const last = id.slice(id.lastIndexOf('/') + 1);
  if (last === wanted.slice(wanted.lastIndexOf('/') + 1)) return 0.05;
  const longest = Math.max(last.length, wanted.length);
  if (wanted.length >= 3 && id.includes(wanted)) return 0.1 + 0.3 * (1 - wanted.length / id.length);
  if (Math.abs(last.length - wanted.length) / longest > LARGEST_DISTANCE_RATIO && id.length > 2 * wanted.length)
    return 1;
  return Math.min(editDistance(last, wanted) / longest, editDistance(id, wanted) / Math.max(id.length, wanted.length));
}

function fold(id: string): string {
  return id.toLowerCase().replace(/[_\s:.]+/g, '-');
}
