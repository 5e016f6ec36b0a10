import { lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

import { homeDirectory } from '../config/paths.ts';
import type { Env } from '../config/types.ts';
import type { Source } from '../model.ts';

/** True where `child` is `parent` or lies below it; both absolute, by spelling alone. */
export function isInside(
  child: string,
  parent: string,
  flavour: Pick<path.PlatformPath, 'relative' | 'isAbsolute' | 'sep'> = path,
): boolean {
  const relative = flavour.relative(parent, child);
  // On Windows the relative path between two drives is absolute.
  return relative !== '..' && !relative.startsWith(`..${flavour.sep}`) && !flavour.isAbsolute(relative);
}

/** True for git's own folder below a place and what is in it: a repository's settings may hold tokens, and are nobody's playbook. */
export function isOfGit(real: string, place: string): boolean {
  return isInside(real, place) && path.relative(place, real).split(path.sep).includes('.git');
}

/** The path without links, or undefined where nothing is there or it cannot be reached. */
export async function realPathOf(written: string): Promise<string | undefined> {
  // No file has such a name, and Node throws at it as at a bug of ours; an agent may well send one.
  if (written.includes('\0')) return undefined;
  try {
    return await realpath(written);
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

/** The directory without links, or undefined where there is none. */
export async function realDirectoryOf(written: string): Promise<string | undefined> {
  const real = await realPathOf(written);
  if (real === undefined) return undefined;
  try {
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

/** True for what the operating system says about a file, as against a bug of ours. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

/**
 * The nearest directory, from this one upwards, that holds `.git`: a folder, or a file as in worktrees and submodules. Dotfiles that
 * are kept in a repository at home do not make everything below it one project.
 * @param directory without links, as is the result
 */
export async function findGitRoot(directory: string, env: Env): Promise<string | undefined> {
  for (let at = directory; ; at = path.dirname(at)) {
    if (await pathExists(path.join(at, '.git')))
      return at === directory || !(await isTooWide(at, env)) ? at : undefined;
    if (at === path.dirname(at)) return undefined;
  }
}

/** Whether anything lies at a path, be it a link that leads nowhere. */
export async function pathExists(written: string): Promise<boolean> {
  try {
    await lstat(written);
    return true;
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

/** True for `/` and the home directory, which hold everything and so are no project; `directory` without links. */
export async function isTooWide(directory: string, env: Env): Promise<boolean> {
  return directory === path.parse(directory).root || directory === (await realPathOf(homeDirectory(env)));
}

/**
 * Real directories that links of a source may lead to, or undefined where they may lead anywhere: people link their own skills
 * from wherever stow or Nix keep them, but a repository must not reach out of itself.
 */
export async function allowedPlaces(source: Source): Promise<readonly string[] | undefined> {
  if (source.linksWithin !== undefined) return [source.linksWithin];
  if (source.kind !== 'workspace') return undefined;
  const folders = await Promise.all(source.folders.map(realDirectoryOf));
  const roots = await Promise.all(
    folders.map(async (folder) => (folder === undefined ? undefined : findGitRoot(folder, process.env))),
  );
  return [...new Set([...folders, ...roots])].filter((place) => place !== undefined);
}

/** Real directories that the supporting files of one playbook may lie in, given the path of its markdown file. */
export async function supportingPlaces(source: Source, playbookPath: string): Promise<readonly string[]> {
  const allowed = await allowedPlaces(source);
  if (allowed !== undefined) return allowed;
  const real = await realPathOf(playbookPath);
  const folders = await Promise.all([path.dirname(playbookPath), ...source.folders].map(realDirectoryOf));
  // Where a skill is linked file by file (stow, Nix), its other files lie beside what its `SKILL.md` links to.
  return [real === undefined ? undefined : path.dirname(real), ...folders].filter((place) => place !== undefined);
}
