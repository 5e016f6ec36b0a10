import type { Playbook, PlaybookEntry } from '../../model.ts';
import type { Catalog } from '../catalog.ts';
import { buildGraph } from '../graph.ts';
import { groupBy } from '../group.ts';
import { compareIds } from '../order.ts';
import { candidatesFor } from './candidates.ts';
import { buildDuplicateIndex, type DuplicateIndex, type IndexedText } from './duplicate-index.ts';
import { type Keep, type KeepEvidence, suggestKeep } from './keep.ts';
import { LEAST_VOCABULARY } from './kind.ts';
import { repetitionOf, type Repetition } from './repetition.ts';
import type { Tokenize } from './terms.ts';

/** Two playbooks that repeat each other; the lines of their passage are counted in their files. */
export interface DuplicatePair extends Repetition {
  /** The first in the catalog's order. */
  readonly a: PlaybookEntry;
  readonly b: PlaybookEntry;
  readonly keep: Keep;
}

export interface FindDuplicatesOptions extends Omit<KeepEvidence, 'referencesTo'> {
  readonly tokenize: Tokenize;
  /** Only pairs with this one. */
  readonly of?: PlaybookEntry | undefined;
  /** Only pairs that have so much in common, 0..1. */
  readonly minOverlapRatio?: number | undefined;
}

/**
 * Pairs of playbooks that repeat each other, most alike first; [] when there are none. Retired and deprecated ones are left
 * out: somebody has dealt with them. A passage that many playbooks have (a licence header, a template) repeats nothing.
 */
export function findDuplicates(catalog: Catalog, options: FindDuplicatesOptions): readonly DuplicatePair[] {
  const { of, minOverlapRatio = 0, tokenize } = options;
  const entries = catalog.entries.filter(
    (entry): entry is PlaybookEntry =>
      entry.kind === 'playbook' && (entry === of || entry.status === 'active' || entry.status === 'draft'),
  );
  const index = buildDuplicateIndex(
    entries.map(({ playbook }) => playbook),
    tokenize,
  );
  const entryOf = new Map(entries.map((entry) => [entry.playbook, entry]));
  const found = pairsToCompare(index, of?.playbook).flatMap(([first, second]) => {
    const repetition = repetitionOf(first, second, index.isOwn);
    const [a, b] = [entryOf.get(first.item), entryOf.get(second.item)];
    if (repetition === undefined || repetition.overlapRatio < minOverlapRatio || a === undefined || b === undefined)
      return [];
    return [{ a, b, ...repetition, passage: inFiles(repetition.passage, first.item, second.item) }];
  });
  return withKeep(found, catalog, options);
}

/** Only where something was found: counting references means parsing the markdown of every playbook. */
function withKeep(
  found: readonly Omit<DuplicatePair, 'keep'>[],
  catalog: Catalog,
  { useOf, firstSeenOf }: FindDuplicatesOptions,
): readonly DuplicatePair[] {
  if (found.length === 0) return [];
  const { parents } = buildGraph(catalog);
  const evidence: KeepEvidence = { useOf, firstSeenOf, referencesTo: (entry) => parents.get(entry)?.length ?? 0 };
  return found
    .map((pair) => ({ ...pair, keep: suggestKeep(pair.a, pair.b, evidence) }))
    .sort((x, y) => y.overlapRatio - x.overlapRatio || compareIds(x.a.id, y.a.id) || compareIds(x.b.id, y.b.id));
}

type Indexed = IndexedText<Playbook>;

/** Pairs that share a body, a name or much of their vocabulary, each once, the first of the index first. */
function pairsToCompare(
  index: DuplicateIndex<Playbook>,
  of: Playbook | undefined,
): readonly (readonly [Indexed, Indexed])[] {
  const partners = new Map(index.indexed.map((each) => [each, new Set<Indexed>()]));
  const add = (a: Indexed, b: Indexed): void => {
    if (of === undefined || a.item === of || b.item === of) partners.get(a)?.add(b);
  };
  for (const group of groupBy(index.indexed, ({ bodyDigest }) => bodyDigest).values()) pairUp(group, add);
  for (const group of groupBy(index.indexed, ({ name }) => name).values()) pairUp(group, add);
  for (const [number, each] of index.indexed.entries()) {
    const candidates = candidatesFor(index, each.fingerprint, { before: number, leastCosine: LEAST_VOCABULARY });
    for (const other of candidates.flatMap((candidate) => index.indexed[candidate] ?? [])) {
      // Those of one body are paired already, or there are too many of them.
      if (other.bodyDigest !== each.bodyDigest) add(other, each);
    }
  }
  return [...partners].flatMap(([a, others]) => [...others].map((b) => [a, b] as const));
}

/** Beyond so many of one body or name each is paired with the first only: nobody reads half a million pairs of a thousand. */
const MOST_IN_GROUP = 20;

function pairUp(group: readonly Indexed[], add: (a: Indexed, b: Indexed) => void): void {
  for (const [at, a] of group.entries()) {
    for (const b of group.slice(at + 1)) add(a, b);
    if (group.length > MOST_IN_GROUP) return;
  }
}

function inFiles(passage: Repetition['passage'], a: Playbook, b: Playbook): Repetition['passage'] {
  if (passage === undefined) return undefined;
  return { ...passage, lineInA: passage.lineInA + a.bodyLine - 1, lineInB: passage.lineInB + b.bodyLine - 1 };
}
