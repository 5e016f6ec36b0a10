import SearchableMap from 'minisearch/SearchableMap';

import type { SearchDocument } from './document.ts';
import { termOf } from './tokenize.ts';
import { FIELDS } from './weights.ts';

/**
 * Part of a corpus: its postings in typed arrays. Immutable, and searched beside other segments as if they were one.
 * Measured at 12,883 playbooks against MiniSearch's own scorer: built in a third of the time, searched in an eightieth.
 */
export interface SearchSegment {
  /** Key of each document. */
  readonly keys: readonly string[];
  /** Number of each term, and the term of each number. */
  readonly lexicon: ReadonlyMap<string, number>;
  readonly terms: readonly string[];
  /** The postings of term t are `postingStarts[t] .. postingStarts[t + 1]`. */
  readonly postingStarts: Uint32Array;
  /** Document of each posting, ascending within a term. */
  readonly postingDocuments: Uint32Array;
  /** Occurrences of each posting, a column per field of `FIELDS`. */
  readonly postingCounts: Uint8Array;
  /** Tokens, a row per document and a column per field. */
  readonly lengths: Uint32Array;
  /** Per field, the tokens of all documents and the number of documents that have any. */
  readonly fieldTotals: readonly FieldTotal[];
  /** The runs of document d (name, description, examples) are `runsOfDocument[d] .. runsOfDocument[d + 1]`. */
  readonly runsOfDocument: Uint32Array;
  /** The tokens of run r are `runStarts[r] .. runStarts[r + 1]`. */
  readonly runStarts: Uint32Array;
  /** Number of the term of each token of every run. */
  readonly runTerms: Uint32Array;
  /** Documents by folded name. */
  readonly names: ReadonlyMap<string, readonly NamedDocument[]>;
  /** Distinct unstemmed words of every field but the body; those of document d are `wordNumbers[wordStarts[d] .. wordStarts[d + 1]]`. */
  readonly words: readonly string[];
  readonly wordStarts: Uint32Array;
  readonly wordNumbers: Uint32Array;
  /** Words of the segment near `word`; see `findSpellings`. */
  readonly spellingsOf: (word: string, maxEdits: number) => readonly Spelling[];
}

interface FieldTotal {
  readonly tokens: number;
  readonly documents: number;
}

/** A document that a name finds exactly. */
export interface NamedDocument {
  readonly document: number;
  /** Position of the name in `SearchDocument.names`: 0 is the strongest. */
  readonly rank: number;
}

/** A word that some entry has, close to one that none has. */
export interface Spelling {
  readonly word: string;
  readonly term: string;
  /** Insertions, deletions, substitutions and swaps; 0 for a word that goes on where the asked one stops. */
  readonly edits: number;
}

/** Indexes documents; an empty list gives a segment that answers nothing. Keys must be distinct over all segments of a search. */
export function buildSegment(documents: readonly SearchDocument[]): SearchSegment {
  const lexicon = new Map<string, number>();
  for (const { terms } of documents) {
    for (const term of terms) if (!lexicon.has(term)) lexicon.set(term, lexicon.size);
  }
  const lengths = Uint32Array.from(documents.flatMap((document) => document.lengths));
  return {
    keys: documents.map(({ key }) => key),
    lexicon,
    terms: [...lexicon.keys()],
    ...buildPostings(documents, lexicon),
    lengths,
    fieldTotals: fieldTotalsOf(lengths),
    ...buildRuns(documents, lexicon),
    names: buildNames(documents),
    ...buildWords(documents),
  };
}

/** `SearchSegment.fieldTotals` of its `lengths`. */
export function fieldTotalsOf(lengths: Uint32Array): readonly FieldTotal[] {
  const tokens = new Float64Array(FIELDS.length);
  const documents = new Float64Array(FIELDS.length);
  for (const [cell, length] of lengths.entries()) {
    const field = cell % FIELDS.length;
    tokens[field] = (tokens[field] ?? 0) + length;
    if (length > 0) documents[field] = (documents[field] ?? 0) + 1;
  }
  return FIELDS.map((_, field) => ({ tokens: tokens[field] ?? 0, documents: documents[field] ?? 0 }));
}

type Lexicon = ReadonlyMap<string, number>;

function buildPostings(
  documents: readonly SearchDocument[],
  lexicon: Lexicon,
): Pick<SearchSegment, 'postingStarts' | 'postingDocuments' | 'postingCounts'> {
  const numbers = documents.map(({ terms }) => Uint32Array.from(terms, (term) => lexicon.get(term) ?? 0));
  const sizes = new Uint32Array(lexicon.size);
  for (const row of numbers) for (const term of row) sizes[term] = (sizes[term] ?? 0) + 1;
  const postingStarts = startsOf(sizes);
  const total = postingStarts.at(-1) ?? 0;
  const postingDocuments = new Uint32Array(total);
  const postingCounts = new Uint8Array(total * FIELDS.length);
  const next = postingStarts.slice();
  for (const [document, { counts }] of documents.entries()) {
    for (const [row, term] of (numbers[document] ?? []).entries()) {
      const posting = next[term] ?? 0;
      next[term] = posting + 1;
      postingDocuments[posting] = document;
      const from = row * FIELDS.length;
      for (let field = 0; field < FIELDS.length; field += 1) {
        postingCounts[posting * FIELDS.length + field] = counts[from + field] ?? 0;
      }
    }
  }
  return { postingStarts, postingDocuments, postingCounts };
}

function buildRuns(
  documents: readonly SearchDocument[],
  lexicon: Lexicon,
): Pick<SearchSegment, 'runsOfDocument' | 'runStarts' | 'runTerms'> {
  const runs = documents.flatMap((document) => document.runs.map((run) => ({ run, terms: document.terms })));
  const runStarts = startsOf(Uint32Array.from(runs, ({ run }) => run.length));
  const runTerms = new Uint32Array(runStarts.at(-1) ?? 0);
  let token = 0;
  for (const { run, terms } of runs) {
    for (const index of run) {
      runTerms[token] = lexicon.get(terms[index] ?? '') ?? 0;
      token += 1;
    }
  }
  return {
    runsOfDocument: startsOf(Uint32Array.from(documents, (document) => document.runs.length)),
    runStarts,
    runTerms,
  };
}

/** Running sums with a 0 before them: where each of `sizes` begins, and at the end where the last one ends. */
export function startsOf(sizes: Uint32Array): Uint32Array {
  const starts = new Uint32Array(sizes.length + 1);
  for (const [index, size] of sizes.entries()) starts[index + 1] = (starts[index] ?? 0) + size;
  return starts;
}

function buildNames(documents: readonly SearchDocument[]): ReadonlyMap<string, readonly NamedDocument[]> {
  const names = new Map<string, NamedDocument[]>();
  for (const [document, source] of documents.entries()) {
    // From the weakest, so that the strongest of equal names is the one that stays.
    const ranks = new Map(source.names.map((name, rank) => [name, rank] as const).reverse());
    for (const [name, rank] of ranks) {
      if (name === '') continue;
      const named = names.get(name);
      if (named === undefined) names.set(name, [{ document, rank }]);
      else named.push({ document, rank });
    }
  }
  return names;
}

function buildWords(
  documents: readonly SearchDocument[],
): Pick<SearchSegment, 'words' | 'wordStarts' | 'wordNumbers' | 'spellingsOf'> {
  const numbers = new Map<string, number>();
  for (const document of documents) {
    for (const word of document.words) if (!numbers.has(word)) numbers.set(word, numbers.size);
  }
  const words = [...numbers.keys()];
  return {
    words,
    wordStarts: startsOf(Uint32Array.from(documents, (document) => document.words.length)),
    wordNumbers: Uint32Array.from(
      documents.flatMap((document) => document.words.map((word) => numbers.get(word) ?? 0)),
    ),
    spellingsOf: toSpellings(words),
  };
}

/**
 * `SearchSegment.spellingsOf` of its words. Filled at the first misspelt one: most queries have none, and it takes longer than all the
 * rest of a reload's index.
 */
export function toSpellings(words: readonly string[]): SearchSegment['spellingsOf'] {
  let terms: SearchableMap<string> | undefined;
  return (word, maxEdits) => {
    terms ??= SearchableMap.from<string>(words.map((known): [string, string] => [known, termOf(known)]));
    return findSpellings(terms, word, maxEdits);
  };
}

/**
 * Words that go on where `word` stops, words with two neighbouring letters swapped, and words of the same first letter
 * at most `maxEdits` away. People seldom miss the first letter, and looking below it only is ten times faster.
 */
function findSpellings(terms: SearchableMap<string>, word: string, maxEdits: number): readonly Spelling[] {
  const found: Spelling[] = [];
  for (const [known, term] of terms.atPrefix(word)) found.push({ word: known, term, edits: 0 });
  if (maxEdits === 0) return found;
  for (const swapped of swapsOf(word)) {
    const term = terms.get(swapped);
    if (term !== undefined) found.push({ word: swapped, term, edits: 1 });
  }
  const first = word.slice(0, 1);
  for (const [rest, [term, edits]] of terms.atPrefix(first).fuzzyGet(word.slice(1), maxEdits)) {
    found.push({ word: first + rest, term, edits });
  }
  return found;
}

/** The commonest slip of a typist, which the map counts as two edits. */
function swapsOf(word: string): readonly string[] {
  return Array.from({ length: word.length - 1 }, (_, at) =>
    [word.slice(0, at), word.slice(at + 1, at + 2), word.slice(at, at + 1), word.slice(at + 2)].join(''),
  );
}
