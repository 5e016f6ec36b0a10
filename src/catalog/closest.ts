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
  if (Math.abs(last.length - wanted.length) / longest > LARGEST_DISTANCE_RATIO && id.length > 2 * wanted.length) return 1;
  return Math.min(editDistance(last, wanted) / longest, editDistance(id, wanted) / Math.max(id.length, wanted.length));
}

function fold(id: string): string {
  return id.toLowerCase().replace(/[_\s:.]+/g, '-');
}

/**
 * Number of single-character insertions, deletions, substitutions and swaps of neighbours between two texts.
 * @see Optimal string alignment; Damerau 1964, A technique for computer detection and correction of spelling errors.
 */
export function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (beforePrevious[j - 2] ?? 0) + 1);
      }
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
