import { createWordNumbers } from './words.ts';

/**
 * The terms of a text in order, stop words left out: the search index's tokenizer, which lies to the right of here. A text's terms are
 * those of its words (see `createWordNumbers`), one after another.
 */
export type Tokenize = (text: string) => readonly string[];

/** Reads texts as numbers of terms. */
export interface TermReader {
  /** The numbers of a text's terms, in order. */
  readonly read: (text: string) => Uint32Array;
  /** The number of each term that was read. */
  readonly lexicon: ReadonlyMap<string, number>;
}

/** Numbers terms in order of appearance. A word is tokenized when it is first seen, however often texts have it. */
export function createTermReader(tokenize: Tokenize): TermReader {
  const lexicon = new Map<string, number>();
  const termsOf: (readonly number[])[] = [];
  const numberOf = numberIn(lexicon);
  const numberWords = createWordNumbers((word) => termsOf.push(tokenize(word).map(numberOf)));
  let terms = new Uint32Array(1 << 12);
  const read = (text: string): Uint32Array => {
    let count = 0;
    numberWords(text, (word) => {
      for (const term of termsOf[word] ?? []) {
        if (count === terms.length) {
          const longer = new Uint32Array(2 * count);
          longer.set(terms);
          terms = longer;
        }
        terms[count] = term;
        count += 1;
      }
    });
    return terms.slice(0, count);
  };
  return { read, lexicon };
}

/** Reads one more text: terms that the lexicon does not have get numbers behind its own, for this text only. */
export function readBeside(lexicon: ReadonlyMap<string, number>, terms: readonly string[]): Uint32Array {
  const numberOfOther = numberIn(new Map());
  return Uint32Array.from(terms, (term) => lexicon.get(term) ?? lexicon.size + numberOfOther(term));
}

/** Numbers terms in order of appearance, and remembers them. */
function numberIn(lexicon: Map<string, number>): (term: string) => number {
  return (term) => {
    const known = lexicon.get(term);
    if (known !== undefined) return known;
    const added = lexicon.size;
    lexicon.set(term, added);
    return added;
  };
}
