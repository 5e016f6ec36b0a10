import { PlaybookError } from '../errors.ts';
import type { Entry } from '../model.ts';
import type { Catalog } from './catalog.ts';
import { findEntry, replacementOf } from './lookup.ts';
import { resolveReferences } from './references.ts';

/**
 * The entry that is to replace another one.
 *
 * @throws PlaybookError `catalog/bad-replacement` for the entry itself, a retired one, and one that is replaced by the entry in its
 *   turn; as `findEntry`.
 */
export function findReplacement(catalog: Catalog, entry: Entry, id: string): Entry {
  const replacement = findEntry(catalog, id);
  if (replacement === entry) throw bad(`${entry.id} cannot replace itself.`);
  if (replacement.status === 'retired') {
    throw bad(`${replacement.id} is retired itself.`, replacement.deprecation?.replacedBy);
  }
  const chain = new Set<Entry>([replacement]);
  // A set's iteration sees what is added during it.
  for (const each of chain) {
    const next = replacementOf(catalog, each);
    if (next === entry) {
      const way = [...chain, entry].map((one) => one.id).join(', which is replaced by ');
      throw bad(`${entry.id} would be replaced by ${way}.`);
    }
    if (next !== undefined) chain.add(next);
  }
  return replacement;
}

function bad(message: string, instead?: string): PlaybookError {
  return new PlaybookError('catalog/bad-replacement', message, {
    hint: instead === undefined ? 'Name an entry that is in use.' : `Name ${instead}, which replaces it.`,
  });
}

/**
 * The entries that lead to another one and are not retired, in the catalog's order: by a reference, as a tool that they use, or as
 * what replaces them.
 */
export function referrersOf(catalog: Catalog, entry: Entry): readonly Entry[] {
  return catalog.entries.filter((each) => each !== entry && each.status !== 'retired' && leadsTo(catalog, each, entry));
}

function leadsTo(catalog: Catalog, from: Entry, to: Entry): boolean {
  if (replacementOf(catalog, from) === to) return true;
  if (from.kind === 'tool') return false;
  if (to.kind === 'tool') return from.playbook.tools.includes(to.id);
  return resolveReferences(catalog, from.playbook).playbooks.includes(to);
}
