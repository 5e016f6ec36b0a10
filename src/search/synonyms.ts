import { tokenize } from './tokenize.ts';

/**
 * Verbs that agents and authors use for one another. Eleven groups, and no nouns: which nouns mean the same depends on
 * the catalog, so those come from the configuration.
 */
const VERB_GROUPS: readonly string[] = [
  'get fetch read show retrieve obtain view display provide give tell',
  'delete remove erase clear drop',
  'create add make new generate build',
  'update edit modify change alter set',
  'search find query lookup discover locate look',
  'list enumerate',
  'send post publish share',
  'run execute launch start invoke',
  'convert transform translate',
  'check validate verify test',
  'calculate compute estimate',
];

const verbs = toVerbLookup();

/** Terms of the other verbs of the term's group; [] for a term that is no such verb. */
export function verbSynonyms(term: string): readonly string[] {
  return verbs.get(term) ?? [];
}

/** Words or phrases that mean the same, each as its terms. */
export type SynonymGroup = readonly (readonly string[])[];

/** Groups of configured synonyms: `{ k8s: ['kubernetes'] }` makes `k8s` and `kubernetes` the same, both ways. */
export function toSynonymGroups(configured: Readonly<Record<string, readonly string[]>>): readonly SynonymGroup[] {
  return Object.entries(configured).map(([phrase, others]) =>
    [phrase, ...others].map(tokenize).filter((terms) => terms.length > 0),
  );
}

function toVerbLookup(): ReadonlyMap<string, readonly string[]> {
  const lookup = new Map<string, readonly string[]>();
  for (const group of VERB_GROUPS) {
    const terms = tokenize(group);
    for (const term of terms)
      lookup.set(
        term,
        terms.filter((other) => other !== term),
      );
  }
  return lookup;
}
