import { forgetStems, stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';
import { formsOf, rawWords } from './words.ts';

/** A word of a text and what the index knows it by. */
export interface Token {
  /** Lower case, accents folded, not stemmed. */
  readonly word: string;
  /** The stem; empty for a stop word. */
  readonly term: string;
}

/**
 * Tokens by raw word. The stemmer is the slow part of building an index, and words repeat: over 3,035 public playbooks
 * 95 of 100 look-ups end here. Emptied when full, so that hostile text cannot grow it.
 */
const cache = new Map<string, readonly Token[]>();
const MAX_CACHED_WORDS = 100_000;

/** Empties the memory of words that indexing a catalog has filled: queries are short, and it weighs ten megabytes. */
export function forgetWords(): void {
  cache.clear();
  forgetStems();
}

/** Longer "words" are encoded data; nobody searches for them, and edit distances on them are slow. */
const MAX_WORD_LENGTH = 64;

/**
 * The terms of a text in order, stop words left out; [] for a text without words. Tokenizing its own output changes
 * nothing, except that a dictionary may cut a word of a script without spaces otherwise when it stands alone.
 */
export function tokenize(text: string): readonly string[] {
  const terms: string[] = [];
  for (const raw of rawWords(text)) {
    for (const { term } of tokensOf(raw)) if (term !== '') terms.push(term);
  }
  return terms;
}

/** The tokens of a text in order, stop words included. */
export function toTokens(text: string): readonly Token[] {
  return rawWords(text).flatMap(tokensOf);
}

function tokensOf(raw: string): readonly Token[] {
  if (raw.length > MAX_WORD_LENGTH) return [];
  const known = cache.get(raw);
  if (known !== undefined) return known;
  const own = detach(raw);
  const tokens = formsOf(own).map((word) => ({ word, term: termOf(word) }));
  if (cache.size >= MAX_CACHED_WORDS) cache.clear();
  cache.set(own, tokens);
  return tokens;
}

/** The same word as a string of its own: V8 cuts words of 13 letters and more as views, each of which keeps its whole text alive. */
function detach(word: string): string {
  return ` ${word}`.slice(1);
}

/** The term of one folded, lower-case word; '' for a stop word. */
export function termOf(word: string): string {
  if (STOP_WORDS.has(word)) return '';
  const term = stem(word);
  return STOP_WORDS.has(term) ? '' : term;
}
