import { candidatesFor } from './candidates.ts';
import { compareFingerprints } from './compare.ts';
import type { DuplicateIndex } from './duplicate-index.ts';
import type { ComparedText } from './fingerprint.ts';
import { LEAST_VOCABULARY } from './kind.ts';
import { repetitionOf, type Repetition } from './repetition.ts';

/** A playbook of the catalog that a text repeats; the text is the first of the two. */
export interface NearDuplicate<Item> extends Repetition {
  readonly item: Item;
}

/**
 * The playbooks of a catalog that a text repeats, most alike first; [] when it says something new. Takes milliseconds, so that
 * a playbook can be compared before it is written.
 *
 * @param except left out, such as the playbook's own earlier version
 */
export function findNearDuplicates<Item extends ComparedText>(
  text: ComparedText,
  index: DuplicateIndex<Item>,
  except: (item: Item) => boolean = () => false,
): readonly NearDuplicate<Item>[] {
  const read = index.read(text);
  const before = index.indexed.length;
  const alike = new Set(candidatesFor(index, read.fingerprint, { before, leastCosine: LEAST_VOCABULARY }));
  return index.indexed
    .filter((other, number) => alike.has(number) || other.bodyDigest === read.bodyDigest || other.name === read.name)
    .filter(({ item }) => !except(item))
    .flatMap((other) => {
      const repetition = repetitionOf(read, other, index.isOwn);
      return repetition === undefined ? [] : [{ item: other.item, ...repetition }];
    })
    .sort((x, y) => y.overlapRatio - x.overlapRatio);
}

/** A playbook that is near a text, whether or not one repeats the other. */
export interface Neighbour<Item> {
  readonly item: Item;
  /** Cosine of their tf-idf weights, 0..1: how much of the subject they share. */
  readonly vocabularyRatio: number;
  /** What they have in common; undefined where they merely have like subjects. */
  readonly repetition: Repetition | undefined;
}

/** Two playbooks below this have no subject in common. */
const LEAST_VOCABULARY_OF_NEIGHBOURS = 0.12;

/**
 * The nearest playbooks, those that repeat the text first, then by their vocabulary.
 *
 * @param except left out, such as the text itself
 */
export function findNeighbours<Item extends ComparedText>(
  text: ComparedText,
  index: DuplicateIndex<Item>,
  except: (item: Item) => boolean,
): readonly Neighbour<Item>[] {
  const repeated = new Map(findNearDuplicates(text, index, except).map((each) => [each.item, each]));
  const { fingerprint } = index.read(text);
  const options = { before: index.indexed.length, leastCosine: LEAST_VOCABULARY_OF_NEIGHBOURS };
  const candidates = new Set(candidatesFor(index, fingerprint, options));
  return index.indexed
    .filter(({ item }, number) => (candidates.has(number) || repeated.has(item)) && !except(item))
    .map((other) => ({
      item: other.item,
      vocabularyRatio: compareFingerprints(fingerprint, other.fingerprint).vocabularyRatio,
      repetition: repeated.get(other.item),
    }))
    .sort((x, y) => overlapIn(y) - overlapIn(x) || y.vocabularyRatio - x.vocabularyRatio);
}

function overlapIn({ repetition }: Neighbour<unknown>): number {
  return repetition?.overlapRatio ?? -1;
}
