import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isMaintainedSource } from '../catalog/maintained.ts';
import { PlaybookError } from '../errors.ts';
import { isInside, isSystemError, realDirectoryOf, realPathOf } from '../files/places.ts';
import { findSources, findWorkspaceSource } from '../files/sources.ts';
import type { Source } from '../model.ts';
import type { LintSetup } from './lint-setup.ts';
import { packageInfo } from './package-root.ts';
import type { RuntimeOptions } from './runtime-options.ts';

/** Which files were asked for. */
export interface LintScope {
  /** Whether a file is one of them, by its path or its path without links. */
  readonly has: (path: string, realPath?: string) => boolean;
}

/** See `LintRequest`. */
interface Asked {
  readonly options: RuntimeOptions;
  readonly paths: readonly string[];
  readonly all: boolean;
}

/**
 * The sources that are loaded, which are all that there are, and the files of them that are linted. A path outside of every source
 * becomes one.
 *
 * @throws PlaybookError `source/not-found`, `lint/no-playbooks` for a path that does not exist.
 */
export async function chooseFiles(
  setup: LintSetup,
  { options, paths, all }: Asked,
): Promise<{ readonly sources: readonly Source[]; readonly scope: LintScope }> {
  const known = await sourcesOf(setup, options, []);
  if (paths.length === 0) {
    const { sources: configured } = setup.config;
    const names = new Set(configured.map(({ name }) => name));
    const isOurs = (source: Source): boolean => all || names.has(source.name) || isMaintainedSource(source);
    const chosen = known.filter(isOurs).flatMap(({ folders }) => folders);
    return { sources: known, scope: scopeOf(chosen, await Promise.all(chosen.map(realPathOf))) };
  }
  const wanted = await Promise.all(paths.map((path) => existing(resolve(options.cwd, path), path)));
  const folders = (await Promise.all(known.flatMap((source) => source.folders.map(realDirectoryOf)))).flatMap(
    (folder) => folder ?? [],
  );
  const isKnown = (path: string): boolean => folders.some((folder) => isInside(path, folder) || isInside(folder, path));
  const added = wanted
    .filter(({ real }) => !isKnown(real))
    .map(({ path, isFolder }) => (isFolder ? path : dirname(path)));
  const sources = added.length === 0 ? known : await sourcesOf(setup, options, [...new Set(added)]);
  return {
    sources,
    scope: scopeOf(
      wanted.map(({ path }) => path),
      wanted.map(({ real }) => real),
    ),
  };
}

function scopeOf(paths: readonly string[], realPaths: readonly (string | undefined)[]): LintScope {
  const places = [...new Set([...paths, ...realPaths.flatMap((path) => path ?? [])])];
  const isIn = (path: string): boolean => places.some((place) => isInside(path, place));
  return { has: (path, realPath = path) => isIn(path) || isIn(realPath) };
}

async function sourcesOf(
  { config, workspace }: LintSetup,
  { flags, env }: RuntimeOptions,
  added: readonly string[],
): Promise<readonly Source[]> {
  const own = workspace === undefined ? { sources: [] } : await findWorkspaceSource(config, workspace);
  const found = await findSources({
    config,
    flags: { ...flags, playbooks: [...flags.playbooks, ...added] },
    env,
    packageRoot: packageInfo().root,
  });
  return [...own.sources, ...found.sources];
}

async function existing(
  path: string,
  written: string,
): Promise<{ readonly path: string; readonly real: string; readonly isFolder: boolean }> {
  const real = await realPathOf(path);
  try {
    if (real !== undefined) return { path, real, isFolder: (await stat(real)).isDirectory() };
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
  throw new PlaybookError('lint/no-playbooks', `There is no file or folder ${written}.`, { hint: 'Correct the path.' });
}
