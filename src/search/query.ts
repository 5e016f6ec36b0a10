import { documentFrequency, inverseFrequency } from './corpus.ts';
import type { Corpus } from './corpus.ts';
import { correct } from './spelling.ts';
import { toSynonymGroups, verbSynonyms } from './synonyms.ts';
import type { SynonymGroup } from './synonyms.ts';
import { toTokens } from './tokenize.ts';
import { LIMITS, RANKING, SPELLING } from './weights.ts';

/** A term that counts as the query's own term, wholly or in part. */
export interface Variant {
  readonly term: string;
  /** 0..1 */
  readonly weight: number;
}

/** One distinct term of a query with everything that it may match. */
export interface QueryTerm {
  readonly term: string;
  /** What the index is asked for; empty where no entry has the term or anything near it. */
  readonly variants: readonly Variant[];
  /** Entries that have it: the largest over the variants, weighted. */
  readonly frequency: number;
  /** `inverseFrequency` of that. */
  readonly idf: number;
  /** Above 1 for a word that the query repeats. */
  readonly emphasis: number;
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

const SENTENCE_END = /[.!?;:]\s+|[。！？；]|\n+/u;

/** Reads a query against the corpus it is asked of. Only its first `LIMITS.query` code units count. */
export function parseQuery(
  query: string,
  corpus: Corpus,
  synonyms: Readonly<Record<string, readonly string[]>>,
): ParsedQuery {
  const { words, sequence, sentenceCount, stopWordCount } = readWords(query.slice(0, LIMITS.query));
  const asked = [...words.keys()];
  const phrases = phraseVariants(sequence.map((index) => asked[index] ?? ''), toSynonymGroups(synonyms));
  const corrected: CorrectedWord[] = [];
  const terms = [...words].map(([term, { word, count, sentences }]) => {
    const known = knownVariants(term, { corpus, asked: words, phrases: phrases.get(term) ?? [] });
    const corrections = known.length > 0 || words.size > SPELLING.maxQueryWords ? [] : correct(word, corpus);
    const [best] = corrections;
    if (best !== undefined) corrected.push({ word, searchedAs: best.word });
    return {
      term,
      ...weigh(corrections.length > 0 ? corrections : known, corpus),
      emphasis: count ** RANKING.repeatedWord,
      sentences: [...sentences],
      knownness: known.length > 0 ? 1 : (best?.weight ?? 0),
    };
  });
  return { terms, sequence, sentenceCount, stopWordCount, corrected };
}

interface AskedWord {
  readonly word: string;
  count: number;
  readonly sentences: Set<number>;
}

function readWords(query: string): Omit<ParsedQuery, 'terms' | 'corrected'> & { words: ReadonlyMap<string, AskedWord> } {
  const sentences = query
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
      const asked = words.get(term) ?? { word, count: 0, sentences: new Set() };
      asked.count += 1;
      asked.sentences.add(sentence);
      if (asked.count === 1) {
        indexOf.set(term, words.size);
        words.set(term, asked);
      }
      sequence.push(indexOf.get(term) ?? 0);
    }
  }
  return { words, sequence, sentenceCount: sentences.length, stopWordCount: stopWords.size };
}

interface VariantContext {
  readonly corpus: Corpus;
  readonly asked: ReadonlyMap<string, AskedWord>;
  readonly phrases: readonly Variant[];
}

/** The term, its configured synonyms and the verbs of its group, as far as some entry has them and the query does not. */
function knownVariants(term: string, { corpus, asked, phrases }: VariantContext): readonly Variant[] {
  const weights = new Map([[term, 1]]);
  const verbs = verbSynonyms(term).map((verb) => ({ term: verb, weight: RANKING.verbSynonym }));
  for (const variant of [...phrases, ...verbs]) {
    if (asked.has(variant.term)) continue;
    weights.set(variant.term, Math.max(weights.get(variant.term) ?? 0, variant.weight));
  }
  return [...weights]
    .map(([variant, weight]) => ({ term: variant, weight }))
    .filter((variant) => documentFrequency(corpus, variant.term) > 0);
}

/**
 * For each term that begins a phrase of a synonym group, the terms of the group's other phrases. The terms of a longer
 * phrase share its weight, so that `pr` is not outweighed by the two words of `pull request`.
 */
function phraseVariants(
  sequence: readonly string[],
  groups: readonly SynonymGroup[],
): ReadonlyMap<string, readonly Variant[]> {
  const found = new Map<string, Variant[]>();
  for (const group of groups) {
    for (const phrase of group.filter((terms) => includesPhrase(sequence, terms))) {
      const others = group.filter((terms) => terms !== phrase);
      const variants = others.flatMap((terms) => terms.map((term) => ({ term, weight: 1 / terms.length })));
      const [first = ''] = phrase;
      found.set(first, [...(found.get(first) ?? []), ...variants]);
    }
  }
  return found;
}

function includesPhrase(sequence: readonly string[], phrase: readonly string[]): boolean {
  return sequence.some((_, start) => phrase.every((term, offset) => sequence[start + offset] === term));
}

function weigh(
  variants: readonly Variant[],
  corpus: Corpus,
): Pick<QueryTerm, 'variants' | 'frequency' | 'idf'> {
  const frequency = Math.max(0, ...variants.map(({ term, weight }) => weight * documentFrequency(corpus, term)));
  return {
    variants: variants.map(({ term, weight }) => ({ term, weight })),
    frequency,
    idf: inverseFrequency(corpus.size, frequency),
  };
}
