import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { Diagnostic } from '../model.ts';
import { mapBounded } from './bounded.ts';
import { finding, unreadable } from './findings.ts';
import { isInside, isOfGit, isSystemError, realPathOf } from './places.ts';

/** A folder by the path that led to it, and by its path without links. */
export interface FolderPath {
  readonly path: string;
  readonly realPath: string;
}

/** One file or folder of a listing; a link is what it leads to. */
export interface Item extends FolderPath {
  readonly name: string;
  readonly isFolder: boolean;
  readonly isLink: boolean;
}

/** What a folder holds, by name in code unit order, and what of it cannot be used. */
export interface Listing {
  readonly items: readonly Item[];
  readonly diagnostics: readonly Diagnostic[];
}

const LINKS_AT_ONCE = 16;
/** A line break in a name could forge a line of a search result. */
export const UNPRINTABLE = /[\p{Cc}\u2028\u2029]/u;

/** Lists one folder. Links are resolved; where `places` are given, one that leads out of all of them is left out and named. */
export async function listFolder(folder: FolderPath, places: readonly string[] | undefined): Promise<Listing> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder.path, { withFileTypes: true });
  } catch (error) {
    if (isSystemError(error)) return { items: [], diagnostics: [unreadable(folder.path, 'folder', error)] };
    throw error;
  }
  const sorted = entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const links = sorted.filter((entry) => entry.isSymbolicLink() && !UNPRINTABLE.test(entry.name));
  const resolved = new Map(
    await mapBounded(
      links,
      LINKS_AT_ONCE,
      async ({ name }) => [name, await followLink(folder.path, name, places)] as const,
    ),
  );
  const items: Item[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const entry of sorted) {
    const item = resolved.get(entry.name) ?? plainItem(folder, entry);
    if ('rule' in item) diagnostics.push(item);
    else items.push(item);
  }
  return { items, diagnostics };
}

function plainItem(folder: FolderPath, entry: Dirent): Item | Diagnostic {
  const { name } = entry;
  const isFolder = entry.isDirectory();
  if (!isFolder && !entry.isFile() && !entry.isSymbolicLink()) return notAFile(join(folder.path, name));
  if (UNPRINTABLE.test(name)) return unprintable(folder.path, name);
  return { name, path: join(folder.path, name), realPath: join(folder.realPath, name), isFolder, isLink: false };
}

async function followLink(
  folder: string,
  name: string,
  places: readonly string[] | undefined,
): Promise<Item | Diagnostic> {
  const path = join(folder, name);
  const realPath = await realPathOf(path);
  if (realPath === undefined) return finding(path, 'link-broken', { message: 'The link leads nowhere, or to itself.' });
  const isAllowed = (place: string): boolean => isInside(realPath, place) && !isOfGit(realPath, place);
  if (places !== undefined && !places.some(isAllowed)) {
    const message = `The link leads to ${realPath}, outside the workspace or into git's own folder, and was left out.`;
    return finding(path, 'link-outside-workspace', { message });
  }
  const target = await stat(realPath);
  if (!target.isDirectory() && !target.isFile()) return notAFile(path);
  return { name, path, realPath, isFolder: target.isDirectory(), isLink: true };
}

/** Reading a pipe or a device may never end. */
function notAFile(path: string): Diagnostic {
  return finding(path, 'not-a-file', { message: 'It is a pipe, a socket or a device, and was left out.' });
}

function unprintable(folder: string, name: string): Diagnostic {
  const message = `${JSON.stringify(name)} has control characters in its name and was left out.`;
  return finding(folder, 'unprintable-name', { message, hint: 'Rename it.' });
}
