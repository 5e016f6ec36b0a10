/** A passage that two texts have in common, blanks, case and punctuation aside. */
export interface SharedPassage {
  /** As the first text has it. */
  readonly text: string;
  readonly wordCount: number;
  /** 1-based lines on which it begins. */
  readonly lineInA: number;
  readonly lineInB: number;
}

const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
/** Fewer words in a row are chance. */
const FEWEST_WORDS = 5;
/** Beyond it a text is not searched: a text of one repeated word would cost the square of its length. */
const MOST_WORDS = 6_000;
/** The longest few are looked at; where all are boilerplate there is nothing to show. */
const MOST_PASSAGES = 20;

interface Word {
  readonly folded: string;
  readonly start: number;
  readonly end: number;
}

/** A common run of words: its last word in each text, and its length. */
interface Run {
  readonly lastInA: number;
  readonly lastInB: number;
  readonly length: number;
}

/**
 * The longest passage that two texts share; undefined where they share no five words in a row.
 * @param isOwn false for a text that says nothing about these two, such as a licence header
 */
export function longestPassage(a: string, b: string, isOwn: (text: string) => boolean): SharedPassage | undefined {
  const wordsOfA = wordsOf(a);
  const wordsOfB = wordsOf(b);
  for (const { lastInA, lastInB, length } of longestRuns(wordsOfA, wordsOfB)) {
    const start = wordsOfA[lastInA - length + 1]?.start ?? 0;
    const text = a.slice(start, wordsOfA[lastInA]?.end);
    if (!isOwn(text)) continue;
    const startInB = wordsOfB[lastInB - length + 1]?.start ?? 0;
    return { text, wordCount: length, lineInA: lineAt(a, start), lineInB: lineAt(b, startInB) };
  }
  return undefined;
}

function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(WORD)) {
    if (words.length === MOST_WORDS) break;
    words.push({ folded: match[0].toLowerCase(), start: match.index, end: match.index + match[0].length });
  }
  return words;
}

/**
 * The longest common runs that cannot go on, longest first. Only words that both have cost anything.
 * @see Hunt and Szymanski 1977, A fast algorithm for computing longest common subsequences: its lists of places.
 */
function longestRuns(wordsOfA: readonly Word[], wordsOfB: readonly Word[]): readonly Run[] {
  const placesInA = placesFromTheEnd(wordsOfA);
  const runs: Run[] = [];
  // The run that ends at each place of a, and the word of b at which it was last seen to end there.
  const lengths = new Uint32Array(wordsOfA.length);
  const seenAt = new Int32Array(wordsOfA.length).fill(-1);
  for (const [lastInB, { folded }] of wordsOfB.entries()) {
    const next = wordsOfB[lastInB + 1]?.folded;
    for (const lastInA of placesInA.get(folded) ?? []) {
      // From the end, so that the place before still holds what the word before found.
      const length = (lastInB > 0 && seenAt[lastInA - 1] === lastInB - 1 ? (lengths[lastInA - 1] ?? 0) : 0) + 1;
      lengths[lastInA] = length;
      seenAt[lastInA] = lastInB;
      const goesOn = next !== undefined && wordsOfA[lastInA + 1]?.folded === next;
      if (!goesOn && length >= FEWEST_WORDS) runs.push({ lastInA, lastInB, length });
    }
  }
  return runs.sort((x, y) => y.length - x.length || x.lastInA - y.lastInA).slice(0, MOST_PASSAGES);
}

function placesFromTheEnd(words: readonly Word[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (let place = words.length - 1; place >= 0; place -= 1) {
    const folded = words[place]?.folded ?? '';
    const known = places.get(folded);
    if (known === undefined) places.set(folded, [place]);
    else known.push(place);
  }
  return places;
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
