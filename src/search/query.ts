import type { Corpus } from './corpus.ts';
import { correct } from './spelling.ts';
import { toSynonymGroups } from './synonyms.ts';
import { toTokens } from './tokenize.ts';
import { knownVariants, phraseVariants, weigh } from './variants.ts';
import type { WeighedVariants } from './variants.ts';
import { LIMITS, SPELLING } from './weights.ts';

/** One distinct term of a query with everything that it may match. */
export interface QueryTerm extends WeighedVariants {
  readonly term: string;
  /** The numbers of the sentences it is in. */
  readonly sentences: readonly number[];
  /** 1 where the catalog knows the word or a synonym of it, less for a corrected one, 0 for an unknown one. */
  readonly knownness: number;
}

/** A word of the query that no entry has, and what was searched for in its place. */
export interface CorrectedWord {
  readonly word: string;
  readonly searchedAs: string;
}

export interface ParsedQuery {
  readonly terms: readonly QueryTerm[];
  /** The query's words in order, stop words left out, as indexes into `terms`. */
  readonly sequence: readonly number[];
  readonly sentenceCount: number;
  /** Distinct stop words. */
  readonly stopWordCount: number;
  readonly corrected: readonly CorrectedWord[];
}

/** Images and keys that people paste: no word in there was written by anybody. */
const ENCODED_DATA = /[A-Za-z0-9+/=_-]{100,}/g;

const SENTENCE_END = /[.!?;:]\s+|[。！？；]|\n+/u;

/** Reads a query against the corpus it is asked of. Only its first `LIMITS.query` code units count. */
export function parseQuery(
  query: string,
  corpus: Corpus,
  synonyms: Readonly<Record<string, readonly string[]>>,
): ParsedQuery {
  const { words, sequence, sentenceCount, stopWordCount } = readWords(query.slice(0, LIMITS.query));
  const inOrder = [...words.keys()];
  const asked = new Set(inOrder);
  const phrases = phraseVariants(
    sequence.map((index) => inOrder[index] ?? ''),
    toSynonymGroups(synonyms),
  );
  const corrected: CorrectedWord[] = [];
  const terms = [...words].map(([term, { word, sentences }]) => {
    const known = knownVariants(term, { corpus, asked, phrases: phrases.get(term) ?? [] });
    const corrections = known.length > 0 || words.size > SPELLING.maxQueryWords ? [] : correct(word, corpus);
    const [best] = corrections;
    if (best !== undefined) corrected.push({ word, searchedAs: best.word });
    return {
      term,
      ...weigh(corrections.length > 0 ? corrections : known, corpus),
      sentences: [...sentences],
      knownness: known.length > 0 ? 1 : (best?.weight ?? 0),
    };
  });
  return { terms, sequence, sentenceCount, stopWordCount, corrected };
}

interface AskedWord {
  readonly word: string;
  readonly sentences: Set<number>;
}

function readWords(
  query: string,
): Omit<ParsedQuery, 'terms' | 'corrected'> & { words: ReadonlyMap<string, AskedWord> } {
  const sentences = query
    .replace(ENCODED_DATA, ' ')
    .split(SENTENCE_END)
    .map(toTokens)
    .filter((tokens) => tokens.length > 0);
  const words = new Map<string, AskedWord>();
  const indexOf = new Map<string, number>();
  const stopWords = new Set<string>();
  const sequence: number[] = [];
  for (const [sentence, tokens] of sentences.entries()) {
    for (const { word, term } of tokens) {
      if (term === '') {
        stopWords.add(word);
        continue;
      }
      const index = indexOf.get(term) ?? words.size;
      const asked = words.get(term) ?? { word, sentences: new Set() };
      asked.sentences.add(sentence);
      indexOf.set(term, index);
      words.set(term, asked);
      sequence.push(index);
    }
  }
  return { words, sequence, sentenceCount: sentences.length, stopWordCount: stopWords.size };
}
