/** A passage that two texts have in common, blanks, case and punctuation aside. */
export interface SharedPassage {
  /** As the first text has it. */
  readonly text: string;
  readonly wordCount: number;
  /** 1-based lines on which it begins. */
  readonly lineInA: number;
  readonly lineInB: number;
}

/** Fewer words in a row are chance. */
const FEWEST_WORDS = 5;
/** Beyond it a text is not searched: a text of one repeated word would cost the square of its length. */
const MOST_WORDS = 6_000;
/** The longest few are looked at; where all are boilerplate there is nothing to show. */
const MOST_PASSAGES = 20;

/** The words of a text in order. */
interface Words {
  /** The same number for the same word in any case; `ABSENT` for one that the other text does not have. */
  readonly numbers: Int32Array;
  /** Offsets of the text. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

const ABSENT = -1;

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
  const whole = a === b ? wholePassage(a) : undefined;
  if (whole !== undefined && isOwn(whole.text)) return whole;
  const numbers = new Map<string, number>();
  const wordsOfA = wordsOf(a, (word) => {
    const number = numbers.get(word) ?? numbers.size;
    numbers.set(word, number);
    return number;
  });
  const wordsOfB = wordsOf(b, (word) => numbers.get(word) ?? ABSENT);
  for (const { lastInA, lastInB, length } of longestRuns(wordsOfA.numbers, wordsOfB.numbers)) {
    const start = wordsOfA.starts[lastInA - length + 1] ?? 0;
    const text = a.slice(start, wordsOfA.ends[lastInA]);
    if (!isOwn(text)) continue;
    const startInB = wordsOfB.starts[lastInB - length + 1] ?? 0;
    return { text, wordCount: length, lineInA: lineAt(a, start), lineInB: lineAt(b, startInB) };
  }
  return undefined;
}

/** All of a text, which is the longest passage that it shares with itself: a fifth of the pairs are of one text. */
function wholePassage(text: string): SharedPassage | undefined {
  const { numbers, starts, ends } = wordsOf(text, () => ABSENT);
  const wordCount = numbers.length;
  if (wordCount < FEWEST_WORDS) return undefined;
  const start = starts[0] ?? 0;
  const line = lineAt(text, start);
  return { text: text.slice(start, ends[wordCount - 1]), wordCount, lineInA: line, lineInB: line };
}

function wordsOf(text: string, numberOf: (word: string) => number): Words {
  // A word and what stands before the next one have two characters at least.
  const most = Math.min(MOST_WORDS, (text.length + 1) >> 1);
  const numbers = new Int32Array(most);
  const starts = new Uint32Array(most);
  const ends = new Uint32Array(most);
  let count = 0;
  for (let at = 0; at < text.length && count < most;) {
    const start = at;
    for (let width = widthInWord(text, at); width > 0; width = widthInWord(text, at)) at += width;
    if (at === start) {
      at += 1;
      continue;
    }
    numbers[count] = numberOf(text.slice(start, at).toLowerCase());
    starts[count] = start;
    ends[count] = at;
    count += 1;
  }
  return { numbers: numbers.subarray(0, count), starts, ends };
}

const ASCII_IN_WORD = Uint8Array.from({ length: 128 }, (_, code) => Number(/\w/.test(String.fromCharCode(code))));
const IN_WORD = /[\p{L}\p{M}\p{N}]/u;

/** How many code units the character at a place has that belongs to a word; 0 where none does, or the text ends. */
function widthInWord(text: string, at: number): number {
  const code = text.codePointAt(at) ?? 0;
  if (code < 128) return ASCII_IN_WORD[code] ?? 0;
  if (!IN_WORD.test(String.fromCodePoint(code))) return 0;
  return code > 0xffff ? 2 : 1;
}

/**
 * The longest common runs that cannot go on, longest first. Only words that both have cost anything.
 * @see Hunt and Szymanski 1977, A fast algorithm for computing longest common subsequences: its lists of places.
 */
function longestRuns(wordsOfA: Int32Array, wordsOfB: Int32Array): readonly Run[] {
  const { last, before } = placesOf(wordsOfA);
  const runs: Run[] = [];
  // The run that ends at each place of a, and the word of b at which it was last seen to end there.
  const lengths = new Uint32Array(wordsOfA.length);
  const seenAt = new Int32Array(wordsOfA.length).fill(-1);
  for (let lastInB = 0; lastInB < wordsOfB.length; lastInB += 1) {
    const word = wordsOfB[lastInB] ?? ABSENT;
    const next = wordsOfB[lastInB + 1] ?? ABSENT;
    if (word === ABSENT) continue;
    for (let lastInA = last[word] ?? -1; lastInA >= 0; lastInA = before[lastInA] ?? -1) {
      // From the end, so that the place before still holds what the word before found.
      const length = (lastInB > 0 && seenAt[lastInA - 1] === lastInB - 1 ? (lengths[lastInA - 1] ?? 0) : 0) + 1;
      lengths[lastInA] = length;
      seenAt[lastInA] = lastInB;
      const goesOn = next !== ABSENT && wordsOfA[lastInA + 1] === next;
      if (!goesOn && length >= FEWEST_WORDS) runs.push({ lastInA, lastInB, length });
    }
  }
  return runs.sort((x, y) => y.length - x.length || x.lastInA - y.lastInA).slice(0, MOST_PASSAGES);
}

/** The last place of each word, and for each place the one before it that has the same word; -1 where there is none. */
function placesOf(words: Int32Array): { readonly last: Int32Array; readonly before: Int32Array } {
  const last = new Int32Array(words.length).fill(-1);
  const before = new Int32Array(words.length);
  for (let place = 0; place < words.length; place += 1) {
    const word = words[place] ?? 0;
    before[place] = last[word] ?? -1;
    last[word] = place;
  }
  return { last, before };
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
