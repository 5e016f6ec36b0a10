import { foldAccents, isAscii, toLower } from './fold.ts';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const ASCII_WORD = /[A-Za-z0-9]+/g;

/** Scripts written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const HANGUL = /\p{Script=Hangul}/u;
const LONG_HANGUL = /^\p{Script=Hangul}{3,}$/u;

/** Korean glues its particles to foreign words too: `API를`. */
const HANGUL_OR_NOT = /\p{Script=Hangul}+|\P{Script=Hangul}+/gu;

/** `getUser` → get|User, `XMLParser` → XML|Parser; digits belong to what they follow (`s3Bucket`). */
const CAMEL_BOUNDARY = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** `PRs`, of which a stemmer cannot know that it is a plural. */
const PLURAL_ACRONYM = /^\p{Lu}{2,}s$/u;

const NAME_WITH_SIGN = /\b(?:[Cc]\+\+|[CcFf]#)/g;

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/**
 * The words of a text as written, in order, accents folded: whatever stands between spaces or punctuation, and for
 * scripts without spaces the words that a dictionary finds. A camel-case word is still one word.
 */
export function rawWords(text: string): readonly string[] {
  const spelled = text.includes('#') || text.includes('++') ? text.replace(NAME_WITH_SIGN, spellSign) : text;
  if (isAscii(spelled)) return spelled.match(ASCII_WORD) ?? [];
  return (foldAccents(spelled).match(WORD) ?? []).flatMap(splitByScript);
}

/**
 * The searchable forms of one raw word, lower case: itself, and before it the parts of a camel-case one, so that
 * `GitHub` answers to `github` and `createIssue` to `issue`. A Hangul word gives its pairs of syllables instead, because
 * its particles (`배포를`, `배포는`) are written without a space.
 */
export function formsOf(word: string): readonly string[] {
  if (LONG_HANGUL.test(word)) return syllablePairs(word);
  if (PLURAL_ACRONYM.test(word)) return [toLower(word.slice(0, -1))];
  const whole = toLower(word);
  if (whole === word) return [whole];
  const parts = word.split(CAMEL_BOUNDARY);
  if (parts.length === 1) return [whole];
  return [...parts.filter((part) => part.length > 1).map((part) => toLower(part)), whole];
}

function spellSign(name: string): string {
  return name.endsWith('#') ? `${name.slice(0, 1)}sharp` : 'cpp';
}

function splitByScript(word: string): readonly string[] {
  // The dictionary is some fifty times slower than an expression, so only the words that need it go there.
  if (UNSPACED.test(word)) return segment(word);
  return HANGUL.test(word) ? (word.match(HANGUL_OR_NOT) ?? []) : [word];
}

function segment(word: string): readonly string[] {
  const found: string[] = [];
  for (const part of segmenter.segment(word)) {
    if (part.isWordLike === true) found.push(part.segment);
  }
  return found;
}

function syllablePairs(word: string): readonly string[] {
  const syllables = Array.from(word);
  return syllables.slice(1).map((syllable, index) => `${syllables[index] ?? ''}${syllable}`);
}
