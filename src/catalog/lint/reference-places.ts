import type { Playbook } from '../../model.ts';
import type { ReferenceTarget } from '../../playbooks/references.ts';
import type { Catalog } from '../catalog.ts';
import { buildGraph, type Graph } from '../graph.ts';
import { type ResolvedTarget, resolveTargets } from '../references.ts';
import { oncePerCatalog } from './shared.ts';
import type { LintFile, LintFinding } from './types.ts';

/** What a playbook refers to; several rules ask. */
export function referencesOf(catalog: Catalog, playbook: Playbook): readonly ResolvedTarget[] {
  const known = resolvedIn(catalog);
  const references = known.get(playbook) ?? resolveTargets(catalog, playbook);
  known.set(playbook, references);
  return references;
}

const resolvedIn = oncePerCatalog(() => new WeakMap<Playbook, readonly ResolvedTarget[]>());

/** The graph of a catalog. */
export const graphOf: (catalog: Catalog) => Graph = oncePerCatalog(buildGraph);

/** Where a reference stands; for one of the front matter's list its item, else the list. */
export function placeOfTarget(file: LintFile, target: ReferenceTarget): Pick<LintFinding, 'line' | 'column'> {
  // A body never begins on the first line: this target is of the front matter, of which targets keep no place.
  if (target.line > 1) return { line: target.line, column: target.column };
  const list = file.locate(['references']);
  const index = file.playbook.references.indexOf(target.written);
  const item = file.locate(['references', index]);
  return index === -1 ? list : item;
}
