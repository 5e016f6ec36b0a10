import type { Catalog } from '../catalog/catalog.ts';
import { buildDuplicateIndex, comparedTextOf, type DuplicateIndex } from '../catalog/duplicates/duplicate-index.ts';
import type { ComparedText } from '../catalog/duplicates/fingerprint.ts';
import {
  findNearDuplicates,
  findNeighbours,
  type NearDuplicate,
  type Neighbour,
} from '../catalog/duplicates/nearest.ts';
import { createTermReader } from '../catalog/duplicates/terms.ts';
import type { Playbook, PlaybookEntry } from '../model.ts';
import { forgetWords, tokenize } from '../search/tokenize.ts';

/** The event loop is given back this often: tokenizing 3,000 playbooks takes seconds, and other calls go on meanwhile. */
const LONGEST_TURN_MS = 12;

/** An entry that a text repeats. */
export interface RepeatedEntry extends NearDuplicate<Playbook> {
  readonly entry: PlaybookEntry;
}

/** The entries of a catalog that a new text repeats, retired ones included, most alike first; [] when it says something new. */
export async function findRepeated(text: ComparedText, catalog: Catalog): Promise<readonly RepeatedEntry[]> {
  const entries = entriesIn(catalog);
  const found = findNearDuplicates(text, await indexInTurns([...entries.keys()]));
  return found.flatMap((repeated) => {
    const entry = entries.get(repeated.item);
    return entry === undefined ? [] : [{ ...repeated, entry }];
  });
}

/** An entry that is near a playbook. */
export interface NeighbourEntry extends Omit<Neighbour<Playbook>, 'item'> {
  readonly entry: PlaybookEntry;
}

const MOST_NEIGHBOURS = 3;

/** The nearest other entries of each of some playbooks of a catalog, at most three each. */
export async function findNeighbourEntries(
  playbooks: readonly Playbook[],
  catalog: Catalog,
): Promise<ReadonlyMap<Playbook, readonly NeighbourEntry[]>> {
  const entries = entriesIn(catalog);
  const index = await indexInTurns([...entries.keys()]);
  const neighboursOf = (playbook: Playbook): readonly NeighbourEntry[] =>
    findNeighbours(playbook, index, (item) => item === playbook)
      .slice(0, MOST_NEIGHBOURS)
      .flatMap(({ item, ...rest }) => {
        const entry = entries.get(item);
        return entry === undefined ? [] : [{ ...rest, entry }];
      });
  return new Map(playbooks.map((playbook) => [playbook, neighboursOf(playbook)]));
}

/** The entry of each playbook of a catalog. */
export function entriesIn({ entries }: Catalog): ReadonlyMap<Playbook, PlaybookEntry> {
  const playbooks = entries.filter((entry) => entry.kind === 'playbook');
  return new Map(playbooks.map((entry) => [entry.playbook, entry]));
}

async function indexInTurns(playbooks: readonly Playbook[]): Promise<DuplicateIndex<Playbook>> {
  const { read, lexicon } = createTermReader(tokenize);
  const termsOf = new Map<string, Uint32Array>();
  let turnBegan = performance.now();
  for (const playbook of playbooks) {
    const compared = comparedTextOf(playbook);
    termsOf.set(compared, read(compared));
    if (performance.now() - turnBegan < LONGEST_TURN_MS) continue;
    await new Promise(setImmediate);
    turnBegan = performance.now();
  }
  forgetWords();
  return buildDuplicateIndex(playbooks, tokenize, { lexicon, read: (text) => termsOf.get(text) ?? read(text) });
}
