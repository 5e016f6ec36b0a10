import type { Catalog } from '../catalog/catalog.ts';
import { buildDuplicateIndex, comparedTextOf } from '../catalog/duplicates/duplicate-index.ts';
import type { ComparedText } from '../catalog/duplicates/fingerprint.ts';
import { findNearDuplicates, type NearDuplicate } from '../catalog/duplicates/nearest.ts';
import type { PlaybookEntry } from '../model.ts';
import { forgetWords, tokenize } from '../search/tokenize.ts';

/** The event loop is given back this often: tokenizing 3,000 playbooks takes seconds, and other calls go on meanwhile. */
const LONGEST_TURN_MS = 12;

/** An entry that a text repeats. */
export interface RepeatedEntry extends NearDuplicate<ComparedText> {
  readonly entry: PlaybookEntry;
}

/** The entries of a catalog that a new text repeats, retired ones included, most alike first; [] when it says something new. */
export async function findRepeated(text: ComparedText, { entries }: Catalog): Promise<readonly RepeatedEntry[]> {
  const playbooks = entries.filter((entry) => entry.kind === 'playbook');
  const entryOf = new Map<ComparedText, PlaybookEntry>(playbooks.map((entry) => [entry.playbook, entry]));
  const termsOf = new Map<string, readonly string[]>();
  let turnBegan = performance.now();
  for (const { playbook } of playbooks) {
    const compared = comparedTextOf(playbook);
    termsOf.set(compared, tokenize(compared));
    if (performance.now() - turnBegan < LONGEST_TURN_MS) continue;
    await new Promise(setImmediate);
    turnBegan = performance.now();
  }
  const index = buildDuplicateIndex([...entryOf.keys()], (each) => termsOf.get(each) ?? tokenize(each));
  const found = findNearDuplicates(text, index);
  forgetWords();
  return found.flatMap((repeated) => {
    const entry = entryOf.get(repeated.item);
    return entry === undefined ? [] : [{ ...repeated, entry }];
  });
}
