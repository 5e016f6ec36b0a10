import type { Diagnostic, Entry, Playbook, PlaybookEntry } from '../model.ts';
import { type ReferenceTarget, referenceTargets } from '../playbooks/references.ts';
import { type Catalog, nameKey } from './catalog.ts';

/** What a playbook refers to, resolved; each list in order of appearance, without repeats. */
export interface ResolvedReferences {
  readonly playbooks: readonly PlaybookEntry[];
  /** Paths relative to the playbook's folder, `/` between segments. */
  readonly files: readonly string[];
  readonly dangling: readonly ReferenceTarget[];
}

/** Finding links means parsing markdown; a playbook never changes, so neither do its targets. */
const targetsOf = new WeakMap<Playbook, readonly ReferenceTarget[]>();

/** Resolves what a playbook refers to: in its own source first, then by bare id, then by a name that only one playbook has. */
export function resolveReferences(catalog: Catalog, playbook: Playbook): ResolvedReferences {
  const playbooks = new Set<PlaybookEntry>();
  const files = new Set<string>();
  const dangling: ReferenceTarget[] = [];
  for (const target of cachedTargets(playbook)) {
    const entry = findTarget(catalog, playbook, target);
    const file = target.files.find((path) => isSupportingFile(playbook, path));
    if (entry !== undefined) playbooks.add(entry);
    else if (file !== undefined) files.add(file);
    else dangling.push(target);
  }
  return { playbooks: [...playbooks], files: [...files], dangling };
}

function cachedTargets(playbook: Playbook): readonly ReferenceTarget[] {
  const known = targetsOf.get(playbook);
  if (known !== undefined) return known;
  const targets = referenceTargets(playbook);
  targetsOf.set(playbook, targets);
  return targets;
}

function findTarget(catalog: Catalog, from: Playbook, { ids }: ReferenceTarget): PlaybookEntry | undefined {
  const candidates = [
    ...ids.map((id) => catalog.byId.get(`${from.source.name}:${id}`)),
    ...ids.map((id) => catalog.byId.get(id)),
    ...ids.map((id) => onlyOneNamed(catalog, id)),
  ];
  return candidates.find(
    (entry): entry is PlaybookEntry => entry?.kind === 'playbook' && mayReferTo(from, entry.playbook),
  );
}

/** What the organisation wrote never leads to text that a repository ships and nobody trusts. */
function mayReferTo(from: Playbook, to: Playbook): boolean {
  return to.source.isTrusted || !from.source.isTrusted;
}

function onlyOneNamed(catalog: Catalog, name: string): Entry | undefined {
  const named = catalog.byName.get(nameKey({ name }));
  return named?.length === 1 ? named[0] : undefined;
}

/**
 * A skill's files are known from the scan. A flat playbook shares its folder with others, so a link to anything there but
 * markdown counts; whether the file exists shows when it is read.
 */
function isSupportingFile(playbook: Playbook, path: string): boolean {
  return playbook.shape === 'folder' ? playbook.supportingFiles.includes(path) : /\.(?!md$)[^./]+$/i.test(path);
}

/** References of the catalog's playbooks that lead nowhere, each where it stands. */
export function findDangling(catalog: Catalog): readonly Diagnostic[] {
  return catalog.entries.flatMap((entry) =>
    entry.kind === 'tool'
      ? []
      : resolveReferences(catalog, entry.playbook).dangling.map(({ written, line, column }) => ({
          rule: 'dangling-reference',
          severity: 'warning' as const,
          path: entry.playbook.path,
          line,
          column,
          message: `"${written}" leads to no playbook and no file.`,
          hint: 'Correct the link, or put it into code if it is an example.',
        })),
  );
}
