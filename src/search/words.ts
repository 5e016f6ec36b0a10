import { foldAccents } from './fold.ts';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** Scripts written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const HANGUL = /^\p{Script=Hangul}{3,}$/u;

/** `getUser` → get|User, `XMLParser` → XML|Parser, but `URLs` stays whole; digits belong to what they follow (`s3Bucket`). */
const CAMEL_BOUNDARY = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?!\p{Ll}))/u;

const NAMES_WITH_SIGNS = /\bc\+\+|\b[cf]#/giu;

/** Images and keys that people paste: no word in there was written by anybody. */
const ENCODED_DATA = /[A-Za-z0-9+/=_-]{100,}/gu;

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/**
 * The words of a text as written, in order, accents folded: whatever stands between spaces or punctuation, and for
 * scripts without spaces the words that a dictionary finds. A camel-case word is still one word.
 */
export function rawWords(text: string): readonly string[] {
  const folded = foldAccents(text)
    .replace(ENCODED_DATA, ' ')
    .replace(NAMES_WITH_SIGNS, (name) => (name.endsWith('#') ? `${name.slice(0, 1)}sharp` : 'cpp'));
  const words: string[] = folded.match(WORD) ?? [];
  if (!UNSPACED.test(folded)) return words;
  return words.flatMap((word) => (UNSPACED.test(word) ? segment(word) : [word]));
}

/**
 * The searchable forms of one raw word, lower case: itself, and before it the parts of a camel-case one, so that
 * `GitHub` answers to `github` and `createIssue` to `issue`. A Hangul word gives its pairs of syllables instead, because
 * its particles (`배포를`, `배포는`) are written without a space.
 */
export function formsOf(word: string): readonly string[] {
  if (HANGUL.test(word)) return syllablePairs(word);
  const whole = word.toLowerCase();
  if (whole === word) return [whole];
  const parts = word.split(CAMEL_BOUNDARY);
  if (parts.length === 1) return [whole];
  return [...parts.filter((part) => part.length > 1).map((part) => part.toLowerCase()), whole];
}

function segment(word: string): string[] {
  const found: string[] = [];
  for (const part of segmenter.segment(word)) {
    if (part.isWordLike === true) found.push(part.segment);
  }
  return found;
}

function syllablePairs(word: string): string[] {
  const syllables = Array.from(word);
  return syllables.slice(1).map((syllable, index) => `${syllables[index] ?? ''}${syllable}`);
}
