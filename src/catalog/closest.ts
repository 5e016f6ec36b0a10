import { editDistance } from '../config/nearest.ts';
import { compareIds } from './order.ts';
import { nameFromId } from '../playbooks/name-from-id.ts';

const MOST_SUGGESTIONS = 5;
/** Beyond this a guess is noise: nobody types half of the letters wrong. */
const LARGEST_DISTANCE_RATIO = 0.45;
/** Only the ids that share most letter pairs are measured letter by letter: edit distances of thousands take a second. */
const MOST_MEASURED = 32;
/** Longer texts are no id that anybody mistyped. */
const LONGEST_WANTED = 128;

/** The ids most like the one that was asked for, closest first; [] when none is near. */
export function closestIds(ids: Iterable<string>, wanted: string): readonly string[] {
  return closestAmong(ids)(wanted);
}

/** The same for whoever asks for several. */
export function closestAmong(ids: Iterable<string>): (wanted: string) => readonly string[] {
  const known = Array.from(ids, (id) => toKnown(id));
  return (wanted) => (wanted.length > LONGEST_WANTED ? [] : closest(known, fold(wanted)));
}

interface KnownId {
  readonly id: string;
  readonly folded: string;
  /** Of the whole id, and of its last segment. */
  readonly pairs: readonly [ReadonlySet<number>, ReadonlySet<number>];
}

function toKnown(id: string): KnownId {
  const folded = fold(id);
  const pairs = pairsOf(folded);
  const last = nameFromId(folded);
  return { id, folded, pairs: [pairs, last === folded ? pairs : pairsOf(last)] };
}

function closest(known: readonly KnownId[], target: string): readonly string[] {
  const wanted = pairsOf(target);
  const near = known
    .map(({ id, folded, pairs: [whole, last] }) => ({
      id,
      folded,
      likeness: Math.max(dice(whole, wanted), whole === last ? 0 : dice(last, wanted)),
    }))
    .filter(({ likeness }) => likeness > 0)
    .sort((a, b) => b.likeness - a.likeness || compareIds(a.id, b.id))
    .slice(0, MOST_MEASURED)
    .map(({ id, folded }) => ({ id, ratio: distanceRatio(folded, target) }))
    .filter(({ ratio }) => ratio <= LARGEST_DISTANCE_RATIO)
    .sort((a, b) => a.ratio - b.ratio || compareIds(a.id, b.id));
  return near.slice(0, MOST_SUGGESTIONS).map(({ id }) => id);
}

/** The share of letter pairs that two texts have in common: 0..1. @see Dice 1945, Measures of the amount of ecologic association between species. */
function dice(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let common = 0;
  for (const pair of a) if (b.has(pair)) common += 1;
  return (2 * common) / (a.size + b.size || 1);
}

/** Neighbouring letters, the beginning of the text counting as one. */
function pairsOf(text: string): ReadonlySet<number> {
  const pairs = new Set<number>();
  let before = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    pairs.add(before * 0x10000 + code);
    before = code;
  }
  return pairs;
}

/** 0 for the same text, towards 1 for texts that share nothing; a shared last segment or a contained text is near. */
function distanceRatio(id: string, wanted: string): number {
  if (id === wanted) return 0;
  const last = nameFromId(id);
  if (last === nameFromId(wanted)) return 0.05;
  if (wanted.length >= 3 && id.includes(wanted)) return 0.1 + 0.3 * (1 - wanted.length / id.length);
  return Math.min(
    editDistance(last, wanted) / Math.max(last.length, wanted.length),
    editDistance(id, wanted) / Math.max(id.length, wanted.length),
  );
}

/** Compared without case and whatever separates words; ids longer than anybody types are compared by their beginning. */
function fold(id: string): string {
  return id
    .slice(0, 2 * LONGEST_WANTED)
    .toLowerCase()
    .replace(/[_\s:.]+/g, '-');
}
