import { candidatesFor } from './candidates.ts';
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
