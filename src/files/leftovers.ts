import type { Dirent } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { STALE_MS } from './replace-file.ts';

/** The draft of a replaced file. Folders that end so are somebody else's, and may take minutes. */
const DRAFT = /\.[0-9a-f-]{36}\.tmp$/;
/** A start may follow so closely on a kill that nothing is stale yet. */
const SECOND_LOOK_MS = STALE_MS + 1000;

/**
 * Removes the drafts and locks that killed processes have left in the folders and those right below, now and once more when
 * whatever is there now would be stale. Never rejects for a file that cannot be removed: the next start tries again.
 *
 * @param onProblem told what went wrong.
 */
export function removeLeftovers(folders: readonly string[], onProblem: (problem: unknown) => void): { close(): void } {
  const look = (): void => void Promise.all(folders.map((folder) => sweep(folder, 1))).catch(onProblem);
  look();
  const timer = setTimeout(look, SECOND_LOOK_MS).unref();
  return { close: () => clearTimeout(timer) };
}

async function sweep(folder: string, depth: number): Promise<void> {
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    const isLock = entry.isDirectory() && entry.name.endsWith('.lock');
    const isDraft = entry.isFile() && DRAFT.test(entry.name);
    if ((isLock || isDraft) && (await isStale(path))) await rm(path, { recursive: true, force: true });
    else if (entry.isDirectory() && !isLock && depth > 0) await sweep(path, depth - 1);
  }
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(path)).mtimeMs > STALE_MS;
  } catch (error) {
    // Whose it was has just finished with it.
    if (isMissing(error)) return false;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
