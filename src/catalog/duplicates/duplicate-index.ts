import { countRuns, isMostlyBoilerplate, withoutBoilerplate } from './boilerplate.ts';
import { bodyDigest, foldedName } from './exact.ts';
import { type ComparedText, type Fingerprint, toFingerprint } from './fingerprint.ts';
import { type Postings, postingsOf } from './postings.ts';
import { createTermReader, readBeside, type TermReader, type Tokenize } from './terms.ts';

/** Playbooks, prepared so that those most like a text are found without comparing it with each. */
export interface DuplicateIndex<Item extends ComparedText = ComparedText> {
  /** In the order of `items`, as everything below. */
  readonly indexed: readonly IndexedText<Item>[];
  /** The items that have a term. */
  readonly postings: Postings;
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

/** Longer bodies are compared by their beginning: five thousand tokens, as much as a body should have. Of 3,035 public ones 77 are longer. */
const LONGEST_BODY = 20_000;

/**
 * Indexes playbooks: 3,000 in about a second.
 * @param reader what has read their texts already, for whoever does so a few at a time
 */
export function buildDuplicateIndex<Item extends ComparedText>(
  items: readonly Item[],
  tokenize: Tokenize,
  reader: TermReader = createTermReader(tokenize),
): DuplicateIndex<Item> {
  const { read, lexicon } = reader;
  // A playbook decodes its body each time that it is asked for.
  const texts = items.map(({ name, description, body }) => ({
    name: foldedName({ name }),
    bodyDigest: bodyDigest({ description, body }),
    terms: read(comparedTextOf({ name, description, body })),
  }));
  const runs = countRuns(texts.map(({ terms }) => terms));
  const own = texts.map(({ terms }) => withoutBoilerplate(terms, runs));
  const rarityOf = rarityIn(own, lexicon.size);
  const indexed = items.map((item, i) => {
    const { name = '', bodyDigest: digest = '' } = texts[i] ?? {};
    return { item, name, bodyDigest: digest, fingerprint: toFingerprint(own[i] ?? new Uint32Array(), rarityOf) };
  });
  const readOther = (text: string): Uint32Array => readBeside(lexicon, tokenize(text));
  return {
    indexed,
    postings: postingsOf(
      indexed.map(({ fingerprint }) => fingerprint),
      lexicon.size,
    ),
    read: (text) => ({
      item: text,
      name: foldedName(text),
      bodyDigest: bodyDigest(text),
      fingerprint: toFingerprint(withoutBoilerplate(readOther(comparedTextOf(text)), runs), rarityOf),
    }),
    isOwn: (passage) => !isMostlyBoilerplate(readOther(passage), runs),
  };
}

/** What is tokenized of a playbook, so that whoever indexes thousands can do so beforehand, a few at a time. */
export function comparedTextOf({ name, description, body }: ComparedText): string {
  return `${name}\n${description}\n${body.slice(0, LONGEST_BODY)}`;
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
  const rarity = Float64Array.from(frequencies, (each) => Math.log(1 + texts.length / Math.max(1, each)));
  const rarityOfOther = Math.log(1 + texts.length);
  return (term) => rarity[term] ?? rarityOfOther;
}
