import type { Diagnostic, Entry, Playbook, PlaybookEntry } from '../model.ts';
import { type ReferenceTarget, referenceTargets } from '../playbooks/references.ts';
import { type Catalog, nameKey, qualifiedIdOf } from './catalog.ts';

/** What a playbook refers to, resolved; each list in order of appearance, without repeats. */
export interface ResolvedReferences {
  readonly playbooks: readonly PlaybookEntry[];
  /** Paths relative to the playbook's folder, `/` between segments. */
  readonly files: readonly string[];
  readonly dangling: readonly ReferenceTarget[];
}

/** One thing that a playbook refers to, and what it leads to. */
export type ResolvedTarget =
  | { readonly kind: 'playbook'; readonly target: ReferenceTarget; readonly entry: PlaybookEntry }
  /** `file` is relative to the playbook's folder. */
  | { readonly kind: 'file'; readonly target: ReferenceTarget; readonly file: string }
  /** `namesakes`: the playbooks that share the name, where it is one of several; [] where there is no such thing at all. */
  | { readonly kind: 'dangling'; readonly target: ReferenceTarget; readonly namesakes: readonly PlaybookEntry[] };

/** Finding links means parsing markdown; a playbook never changes, so neither do its targets. */
const targetsOf = new WeakMap<Playbook, readonly ReferenceTarget[]>();

/** Resolves what a playbook refers to: in its own source first, then by bare id, then by a name that only one playbook has. */
export function resolveReferences(catalog: Catalog, playbook: Playbook): ResolvedReferences {
  const resolved = resolveTargets(catalog, playbook);
  return {
    playbooks: [...new Set(resolved.flatMap((each) => (each.kind === 'playbook' ? [each.entry] : [])))],
    files: [...new Set(resolved.flatMap((each) => (each.kind === 'file' ? [each.file] : [])))],
    dangling: resolved.flatMap((each) => (each.kind === 'dangling' ? [each.target] : [])),
  };
}

/** The same, each reference by itself: links in order of appearance, then the front matter's list. */
export function resolveTargets(catalog: Catalog, playbook: Playbook): readonly ResolvedTarget[] {
  return cachedTargets(playbook).map((target) => {
    const entry = findTarget(catalog, playbook, target);
    if (entry !== undefined) return { kind: 'playbook', target, entry };
    const file = target.files.find((path) => isSupportingFile(playbook, path));
    if (file !== undefined) return { kind: 'file', target, file };
    return { kind: 'dangling', target, namesakes: namesakesOf(catalog, playbook, target) };
  });
}

function cachedTargets(playbook: Playbook): readonly ReferenceTarget[] {
  const known = targetsOf.get(playbook);
  if (known !== undefined) return known;
  const targets = referenceTargets(playbook);
  targetsOf.set(playbook, targets);
  return targets;
}

/** The playbook that a reference leads to; undefined where it leads to a file, or nowhere. */
export function findTarget(catalog: Catalog, from: Playbook, { ids }: ReferenceTarget): PlaybookEntry | undefined {
  const candidates = [
    ...ids.map((id) => catalog.byId.get(qualifiedIdOf({ source: from.source, id }))),
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

function namesakesOf(catalog: Catalog, from: Playbook, { ids }: ReferenceTarget): readonly PlaybookEntry[] {
  const named = ids.flatMap((id) => catalog.byName.get(nameKey({ name: id })) ?? []);
  return [...new Set(named)].filter(
    (entry): entry is PlaybookEntry => entry.kind === 'playbook' && mayReferTo(from, entry.playbook),
  );
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
          rule: 'broken-reference',
          severity: 'warning' as const,
          path: entry.playbook.path,
          line,
          column,
          message: `"${written}" leads to no playbook and no file.`,
          hint: 'Correct the link, or put it into code if it is an example.',
        })),
  );
}
