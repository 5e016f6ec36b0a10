import { countRuns, isMostlyBoilerplate, withoutBoilerplate } from './boilerplate.ts';
import { bodyDigest, foldedName } from './exact.ts';
import { type ComparedText, type Fingerprint, toFingerprint } from './fingerprint.ts';

/** The terms of a text in order, stop words left out: the search index's tokenizer, which lies to the right of here. */
export type Tokenize = (text: string) => readonly string[];

/** Playbooks, prepared so that those most like a text are found without comparing it with each. */
export interface DuplicateIndex<Item extends ComparedText = ComparedText> {
  /** In the order of `items`, as everything below. */
  readonly indexed: readonly IndexedText<Item>[];
  /** The items that have a term, by the term's number. */
  readonly postings: readonly Postings[];
  /** Reads another text as the index reads its own. */
  readonly read: <Other extends ComparedText>(text: Other) => IndexedText<Other>;
  /** False for a passage that many of the playbooks have. */
  readonly isOwn: (passage: string) => boolean;
}

export interface IndexedText<Item extends ComparedText = ComparedText> {
  readonly item: Item;
  readonly fingerprint: Fingerprint;
  /** See `bodyDigest`. */
  readonly bodyDigest: string;
  /** See `foldedName`. */
  readonly name: string;
}

interface Postings {
  /** Numbers of items, ascending. */
  readonly items: number[];
  /** The term's weight in each. */
  readonly weights: number[];
}

/** Longer bodies are compared by their beginning: five thousand tokens, as much as a body should have. Of 3,035 public ones 77 are longer. */
const LONGEST_BODY = 20_000;

/** Indexes playbooks: 3,000 in about three seconds, most of them the tokenizer's. */
export function buildDuplicateIndex<Item extends ComparedText>(
  items: readonly Item[],
  tokenize: Tokenize,
): DuplicateIndex<Item> {
  const lexicon = new Map<string, number>();
  const texts = items.map((item) => Uint32Array.from(tokenize(comparedTextOf(item)), numberIn(lexicon)));
  const runs = countRuns(texts);
  const own = texts.map((terms) => withoutBoilerplate(terms, runs));
  const rarityOf = rarityIn(own, lexicon.size);
  const indexed = items.map((item, i) => toIndexed(item, toFingerprint(own[i] ?? new Uint32Array(), rarityOf)));
  const read = (text: string): Uint32Array => Uint32Array.from(tokenize(text), numberBeside(lexicon));
  return {
    indexed,
    postings: postingsOf(indexed, lexicon.size),
    read: (text) => toIndexed(text, toFingerprint(withoutBoilerplate(read(comparedTextOf(text)), runs), rarityOf)),
    isOwn: (passage) => !isMostlyBoilerplate(read(passage), runs),
  };
}

function toIndexed<Item extends ComparedText>(item: Item, fingerprint: Fingerprint): IndexedText<Item> {
  return { item, fingerprint, bodyDigest: bodyDigest(item), name: foldedName(item) };
}

/** What is tokenized of a playbook, so that whoever indexes thousands can do so beforehand, a few at a time. */
export function comparedTextOf({ name, description, body }: ComparedText): string {
  return `${name}\n${description}\n${body.slice(0, LONGEST_BODY)}`;
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

/** Terms that the lexicon does not have get numbers behind its own, for one text only. */
function numberBeside(lexicon: ReadonlyMap<string, number>): (term: string) => number {
  const numberOfOther = numberIn(new Map());
  return (term) => lexicon.get(term) ?? lexicon.size + numberOfOther(term);
}

/** Inverse document frequency, smoothed so that in a catalog of two no word weighs nothing. */
function rarityIn(texts: readonly Uint32Array[], termCount: number): (term: number) => number {
  const frequencies = new Uint32Array(termCount);
  const lastText = new Int32Array(termCount).fill(-1);
  for (const [number, terms] of texts.entries()) {
    for (const term of terms) {
      if (lastText[term] === number) continue;
      lastText[term] = number;
      frequencies[term] = (frequencies[term] ?? 0) + 1;
    }
  }
  return (term) => Math.log(1 + texts.length / Math.max(1, frequencies[term] ?? 1));
}

function postingsOf(indexed: readonly IndexedText[], termCount: number): readonly Postings[] {
  const postings: Postings[] = Array.from({ length: termCount }, () => ({ items: [], weights: [] }));
  for (const [number, { fingerprint }] of indexed.entries()) {
    for (const [i, term] of fingerprint.distinct.entries()) {
      postings[term]?.items.push(number);
      postings[term]?.weights.push(fingerprint.weights[i] ?? 0);
    }
  }
  return postings;
}
