import { dirname, relative, resolve, sep } from 'node:path';
import { qualifiedIdOf } from '../catalog/catalog.ts';
import { LINT_RULES } from '../catalog/lint/rules.ts';
import { resolveReferences } from '../catalog/references.ts';
import { type Changes, type FileChange, findChanges, readAtBase } from '../files/git/changes.ts';
import { isInside, realDirectoryOf, realPathOf } from '../files/places.ts';
import { placeByName } from '../files/take-folder.ts';
import type { Diagnostic, Playbook, Source, SourceFile } from '../model.ts';
import { decodeUtf8 } from '../playbooks/decode.ts';
import { parsePlaybook } from '../playbooks/parse.ts';
import { entriesIn, findNeighbourEntries } from './duplicate-lookup.ts';
import { type LoadedForLint, lintLoaded, loadForLint, type LintRequest } from './lint.ts';
import type { LintScope } from './lint-scope.ts';
import type { ReviewItem } from './review-question.ts';

/** What is to be reviewed. */
export interface CheckRequest extends Omit<LintRequest, 'all' | 'levels'> {
  /** See `ChangesRequest`. */
  readonly base?: string | undefined;
  /** See `ChangesRequest`. */
  readonly includeUntracked: boolean;
}

/** A playbook that a change adds or changes. */
interface CheckedPlaybook extends ReviewItem {
  readonly change: Exclude<FileChange['kind'], 'deleted'>;
  /** Absolute. */
  readonly path: string;
  /** Where it was before it was renamed. */
  readonly oldId?: string;
}

/** What a change does to the playbooks of a repository. */
export interface CheckOutcome {
  readonly changes: Changes;
  /** By id. */
  readonly playbooks: readonly CheckedPlaybook[];
  /** Ids of those that are gone, without those that have another id now. */
  readonly deleted: readonly string[];
  /** About changed files, and references elsewhere that lead nowhere since this change. */
  readonly diagnostics: readonly Diagnostic[];
  readonly notes: readonly string[];
}

/**
 * Looks at what the working tree changes against its base: which playbooks, their lint findings, their nearest neighbours.
 *
 * @throws PlaybookError `check/no-repository`, `check/no-base`, `check/remote-unreachable`, and as `loadForLint`.
 */
export async function checkChange({ base, includeUntracked, ...request }: CheckRequest): Promise<CheckOutcome> {
  const { flags, cwd, env } = request.options;
  const directory = flags.workspaces[0] ?? cwd;
  const changes = await findChanges({ directory, base, includeUntracked, env });
  const paths = await withoutDeleted(request.paths, changes, cwd);
  const loaded = await loadForLint({ ...request, paths, all: false, levels: new Map() });
  const touched = touchedIn(loaded, changes);
  const gone = await goneIn(loaded, changes, env);
  const changedPaths = new Set([...touched.keys()].map(({ realPath }) => realPath));
  const files = new Set(changes.files.map(({ path }) => path));
  const isChanged = (path: string): boolean => changedPaths.has(path) || files.has(path);
  const has = (path: string, realPath = path): boolean => isChanged(path) || isChanged(realPath);
  const levels = { ...loaded.levels, diagnostics: [] };
  const lint = await lintLoaded({ ...loaded, levels }, { has }, request.onProgress);
  const neighbours = await findNeighbourEntries([...touched.keys()], loaded.catalog);
  const entries = entriesIn(loaded.catalog);
  const ids = new Set([...touched.keys()].map(({ id }) => id));
  const playbooks = [...touched].map(([playbook, { kind, oldPath }]): CheckedPlaybook => {
    const old = gone.find(({ path }) => path === oldPath);
    return {
      id: entries.get(playbook)?.id ?? playbook.id,
      change: kind,
      path: playbook.path,
      ...(old === undefined ? {} : { oldId: old.id }),
      text: textOf(loaded.files.get(playbook)),
      findings: lint.diagnostics.filter(({ path }) => path === playbook.path),
      neighbours: neighbours.get(playbook) ?? [],
    };
  });
  return {
    changes,
    playbooks: playbooks.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    deleted: gone.flatMap(({ id, isRenamed }) => (isRenamed || ids.has(id) ? [] : [id])).toSorted(),
    diagnostics: [...lint.diagnostics, ...(await brokenElsewhere(loaded, gone, has))],
    notes: lint.notes,
  };
}

/** The paths that were asked for, without those that the change has deleted whole. */
async function withoutDeleted(paths: readonly string[], { files }: Changes, cwd: string): Promise<readonly string[]> {
  const deleted = files.filter(({ kind }) => kind === 'deleted');
  const isGone = async (written: string): Promise<boolean> => {
    const path = resolve(cwd, written);
    return (await realPathOf(path)) === undefined && deleted.some((file) => isInside(file.path, path));
  };
  const gone = await Promise.all(paths.map(isGone));
  return paths.filter((_, at) => gone[at] !== true);
}

interface Touch {
  readonly kind: CheckedPlaybook['change'];
  readonly oldPath?: string;
}

/** The playbooks whose file, or a file of whose folder, is another one than before. */
function touchedIn({ catalog }: LoadedForLint, changes: Changes): ReadonlyMap<Playbook, Touch> {
  const touched = new Map<Playbook, Touch>();
  const playbooks = [...entriesIn(catalog).keys()];
  const byPath = new Map(playbooks.map((playbook) => [playbook.realPath, playbook]));
  const skillFiles = playbooks.filter(({ shape }) => shape === 'folder');
  const folders = new Map(skillFiles.map((playbook) => [dirname(playbook.realPath), playbook]));
  for (const { kind, path, oldPath } of changes.files) {
    const own = byPath.get(path);
    // A file that is there is not deleted, though git may know it no more.
    if (own !== undefined)
      touched.set(own, { kind: kind === 'deleted' ? 'changed' : kind, ...(oldPath && { oldPath }) });
    const skills = own === undefined ? [path, ...(oldPath === undefined ? [] : [oldPath])] : [];
    for (const skill of skills.map((each) => skillAbove(each, changes.root, folders))) {
      if (skill !== undefined && !touched.has(skill)) touched.set(skill, { kind: 'changed' });
    }
  }
  return touched;
}

/** What a map of skills' folders has for the one that a file belongs to. */
function skillAbove<T>(path: string, root: string, folders: ReadonlyMap<string, T>): T | undefined {
  for (let at = dirname(path); isInside(at, root); at = dirname(at)) {
    const skill = folders.get(at);
    if (skill !== undefined || at === dirname(at)) return skill;
  }
  return undefined;
}

/** A playbook that has its id no more. */
interface Gone {
  readonly id: string;
  readonly source: Source;
  readonly path: string;
  readonly isRenamed: boolean;
}

/** What the base has as a playbook, at paths where the working tree has none. */
async function goneIn(
  { sources, possibleSources, files }: LoadedForLint,
  changes: Changes,
  env: CheckRequest['options']['env'],
): Promise<readonly Gone[]> {
  // A folder that the change has deleted whole is a source no more.
  const known = [...sources, ...possibleSources];
  const there = new Set(changes.files.filter(({ kind }) => kind !== 'deleted').map(({ path }) => path));
  const left = changes.files.flatMap((change) => {
    const path = change.oldPath ?? (change.kind === 'deleted' ? change.path : undefined);
    return path === undefined || there.has(path) ? [] : [{ path, isRenamed: change.kind === 'renamed' }];
  });
  const places = await Promise.all(left.map(async (each) => ({ ...each, place: await placeIn(known, each.path) })));
  const skills = [...files.keys()].filter(({ shape }) => shape === 'folder').map(({ realPath }) => realPath);
  for (const { path, place } of places) if (place?.shape === 'folder') skills.push(path);
  const skillFolders = new Map(skills.map((path) => [dirname(path), path]));
  const gone: Gone[] = [];
  for (const { path, isRenamed, place } of places) {
    // Any other markdown file below a skill belongs to it and is no playbook.
    if (place === undefined || (place.shape === 'file' && skillAbove(path, changes.root, skillFolders))) continue;
    const text = await readAtBase(changes, path, env);
    const bytes = new TextEncoder().encode(text);
    const outcome = parsePlaybook({ ...place, path, realPath: path, bytes, supportingFiles: [] });
    if (outcome.kind === 'playbook') gone.push({ id: place.id, source: place.source, path, isRenamed });
  }
  return gone;
}

async function placeIn(
  sources: readonly Source[],
  path: string,
): Promise<Pick<SourceFile, 'id' | 'shape' | 'source'> | undefined> {
  for (const source of sources) {
    for (const folder of source.folders) {
      const real = (await realDirectoryOf(folder)) ?? folder;
      if (!isInside(path, real)) continue;
      const place = placeByName(relative(real, path).split(sep).join('/'));
      if (place === undefined) continue;
      return { id: place.id === '' ? source.name : place.id.normalize('NFC'), shape: place.shape, source };
    }
  }
  return undefined;
}

/** References of unchanged playbooks to what this change has taken away. */
async function brokenElsewhere(
  loaded: LoadedForLint,
  gone: readonly Gone[],
  has: LintScope['has'],
): Promise<readonly Diagnostic[]> {
  const goneIds = new Set(gone.flatMap(({ id, source }) => [id, qualifiedIdOf({ id, source })]));
  const leading = new Map<string, readonly string[]>();
  for (const playbook of loaded.files.keys()) {
    if (gone.length === 0 || has(playbook.path, playbook.realPath)) continue;
    const written = resolveReferences(loaded.catalog, playbook)
      .dangling.filter((target) => [...target.ids, target.written].some((id) => goneIds.has(id)))
      .map((target) => target.written);
    const replacement = playbook.deprecation?.replacedBy;
    if (replacement !== undefined && goneIds.has(replacement)) written.push(replacement);
    if (written.length > 0) leading.set(playbook.path, written);
  }
  if (leading.size === 0) return [];
  const off = LINT_RULES.filter(({ id }) => id !== 'broken-reference').map(({ id }) => [id, 'off'] as const);
  const levels = new Map([...loaded.levels.levels, ...off]);
  const found = await lintLoaded(
    { ...loaded, reported: [], levels: { levels, diagnostics: [] } },
    { has: (path) => leading.has(path) },
    () => undefined,
  );
  return found.diagnostics.filter(
    ({ rule, path, message }) =>
      rule === 'broken-reference' && leading.get(path)?.some((written) => message.startsWith(`"${written}"`)),
  );
}

function textOf(file: SourceFile | undefined): string {
  return file === undefined ? '' : decodeUtf8(file.bytes).text;
}
