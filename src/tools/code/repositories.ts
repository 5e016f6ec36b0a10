import type { Dirent } from 'node:fs';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';

import { compareIds } from '../../catalog/order.ts';

/** One working tree of git: a clone, a linked worktree or a checked out submodule. */
export interface Repository {
  /** Path below its root with `/`, or the root's own name; unique. */
  readonly name: string;
  /** Absolute, without links. */
  readonly path: string;
}

/** What is below the roots. */
export interface FoundRepositories {
  /** Ordered by name. */
  readonly repositories: readonly Repository[];
  /** Absolute paths of repositories without a working tree: they have no files to search. */
  readonly bare: readonly string[];
  /** Roots that do not exist or cannot be read. */
  readonly unreadable: readonly string[];
  /** True where there was more than can be walked. */
  readonly isCut: boolean;
}

/** Folders below a root that are walked in search of repositories, and below a repository in search of nested ones. */
const DEEPEST = 6;
const DEEPEST_INSIDE = 1;
const MOST_FOLDERS = 100_000;
/** Enough to keep the threads that read folders busy. */
const FOLDERS_AT_ONCE = 64;

/**
 * Every repository down to six folders below the roots. Inside one, others are found as submodules and directly below its top
 * folder; walking every folder of a thousand working trees would take longer than searching them. Folders that begin with a
 * dot, `node_modules` and links are not entered.
 */
export async function findRepositories(roots: readonly string[]): Promise<FoundRepositories> {
  const walk = new Walk();
  for (const root of roots) await walk.root(root);
  return walk.found();
}

interface Folder {
  readonly root: string;
  readonly path: string;
  /** Levels that may still be entered below it. */
  readonly depth: number;
}

class Walk {
  readonly #paths = new Map<string, string>();
  readonly #bare: string[] = [];
  readonly #unreadable: string[] = [];
  readonly #seen = new Set<string>();

  async root(root: string): Promise<void> {
    const path = await realpath(root).catch(() => undefined);
    if (path === undefined || (await listing(path)) === undefined) {
      this.#unreadable.push(root);
      return;
    }
    const queue: Folder[] = [{ root: path, path, depth: DEEPEST }];
    while (queue.length > 0 && this.#seen.size < MOST_FOLDERS) {
      const batch = queue.splice(0, FOLDERS_AT_ONCE);
      for (const below of await Promise.all(batch.map((folder) => this.#enter(folder)))) queue.push(...below);
    }
  }

  found(): FoundRepositories {
    const repositories = [...this.#paths].map(([path, root]) => ({ path, root, name: nameOf(path, root) }));
    const counts = new Map<string, number>();
    for (const { name } of repositories) counts.set(name, (counts.get(name) ?? 0) + 1);
    return {
      repositories: repositories
        .map(({ path, root, name }) => ({ path, name: counts.get(name) === 1 ? name : longName(path, root) }))
        .toSorted((a, b) => compareIds(a.name, b.name)),
      bare: this.#bare.toSorted(compareIds),
      unreadable: this.#unreadable,
      isCut: this.#seen.size >= MOST_FOLDERS,
    };
  }

  async #enter({ root, path, depth }: Folder): Promise<readonly Folder[]> {
    if (this.#seen.has(path)) return [];
    this.#seen.add(path);
    const entries = await listing(path);
    if (entries === undefined) return [];
    const names = new Set(entries.map(({ name }) => name));
    const isRepository = names.has('.git');
    if (!isRepository && names.has('HEAD') && names.has('objects') && names.has('refs')) {
      this.#bare.push(path);
      return [];
    }
    if (isRepository) this.#paths.set(path, root);
    // A root that is a repository itself is often only a frame around others.
    const left = isRepository && path !== root ? Math.min(depth, DEEPEST_INSIDE) : depth;
    const submodules = isRepository && names.has('.gitmodules') ? await submodulesOf(path) : [];
    const below = left === 0 ? [] : entries.filter(isEntered).map(({ name }) => join(path, name));
    return [
      ...below.map((child) => ({ root, path: child, depth: left - 1 })),
      ...submodules.map((child) => ({ root, path: child, depth: 0 })),
    ];
  }
}

function isEntered(entry: Dirent): boolean {
  return entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules';
}

async function listing(path: string): Promise<readonly Dirent[] | undefined> {
  // A folder of another user, or one that has just gone, holds nothing that could be searched.
  return readdir(path, { withFileTypes: true }).catch(() => undefined);
}

async function submodulesOf(path: string): Promise<readonly string[]> {
  const text = await readFile(join(path, '.gitmodules'), 'utf8').catch(() => '');
  return [...text.matchAll(/^\s*path\s*=\s*(.+?)\s*$/gm)].flatMap(([, written = '']) => {
    const child = join(path, written.replaceAll('"', ''));
    return child.startsWith(path + sep) ? [child] : [];
  });
}

function nameOf(path: string, root: string): string {
  return path === root ? basename(root) : relative(root, path).replaceAll(sep, '/');
}

function longName(path: string, root: string): string {
  return path === root ? root.replaceAll(sep, '/') : `${root}/${relative(root, path)}`.replaceAll(sep, '/');
}
