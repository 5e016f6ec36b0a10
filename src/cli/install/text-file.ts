import { mkdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PlaybookError } from '../../errors.ts';
import { isInside, isSystemError, pathExists, realPathOf } from '../../files/places.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { rewriteFiles } from '../../files/rewrite-file.ts';
import { decodeExactly } from '../../playbooks/decode.ts';

/** A file that somebody else reads, as it is now. */
export interface TextFile {
  /** Absolute, as it was asked for; a link may stand there. */
  readonly path: string;
  /** Without links; undefined where there is no file yet. */
  readonly realPath: string | undefined;
  /** To the character, byte order mark and line ends too; '' where there is no file yet. */
  readonly text: string;
}

/** @throws PlaybookError `files/unreadable` for what is no text, or cannot be read. */
export async function readTextFile(path: string): Promise<TextFile> {
  const realPath = await realPathOf(path);
  if (realPath === undefined) {
    if (!(await pathExists(path))) return { path, realPath, text: '' };
    throw unreadable(path, 'a link that leads nowhere');
  }
  try {
    return { path, realPath, text: decodeExactly(await readFile(realPath)) };
  } catch (error) {
    if (error instanceof TypeError) throw unreadable(path, 'not UTF-8 text', error);
    if (isSystemError(error)) throw unreadable(path, error.message, error);
    throw error;
  }
}

function unreadable(path: string, why: string, cause?: unknown): PlaybookError {
  return new PlaybookError('files/unreadable', `${path} cannot be read: ${why}.`, {
    hint: 'Mend it, or take it away; nothing was written.',
    cause,
  });
}

/**
 * Writes the file, at once or not at all, keeping its mode; makes its folders.
 *
 * @param mode of a new file
 * @returns the topmost folder that was made; undefined where all were there
 * @throws PlaybookError `files/unwritable`, also where the file has changed since it was read.
 */
export async function writeTextFile(file: TextFile, after: string, mode: number): Promise<string | undefined> {
  if (file.realPath !== undefined) {
    const [before, wanted] = [Buffer.from(file.text), Buffer.from(after)];
    await rewriteFiles([{ realPath: file.realPath, before, after: wanted }]);
    return undefined;
  }
  try {
    const made = await mkdir(dirname(file.path), { recursive: true });
    await replaceFile(file.path, after, mode);
    return made;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new PlaybookError('files/unwritable', `${file.path} cannot be written: ${error.message}.`, {
      hint: 'Change the permissions of its folder, and try again.',
      cause: error,
    });
  }
}

/** Takes a file away, and the folders that were made for it as far as they are empty. */
export async function removeTextFile({ path }: TextFile, madeFolder: string | undefined): Promise<void> {
  await rm(path);
  if (madeFolder === undefined) return;
  for (let at = dirname(path); isInside(at, madeFolder); at = dirname(at)) {
    try {
      await rmdir(at);
    } catch (error) {
      // Somebody has put something into it since.
      if (isSystemError(error)) return;
      throw error;
    }
  }
}
