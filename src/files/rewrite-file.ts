import { access, chmod, constants, readFile, stat } from 'node:fs/promises';
import { PlaybookError } from '../errors.ts';
import { isSystemError } from './places.ts';
import { replaceFile } from './replace-file.ts';

/** A file that somebody wrote, and what it is to be. */
export interface Rewrite {
  /** Without links, so that a link to it stays one. */
  readonly realPath: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/**
 * Writes files anew, each at once or not at all, and keeps their modes; where one cannot be written, those before it are put back.
 * A file that may not be written is left alone, even where its folder would let us replace it.
 *
 * @throws PlaybookError `files/unwritable`, also for a file that is other than `before`.
 */
export async function rewriteFiles(rewrites: readonly Rewrite[]): Promise<void> {
  const modes = new Map<Rewrite, number>();
  for (const rewrite of rewrites) modes.set(rewrite, await writableMode(rewrite));
  const written: Rewrite[] = [];
  try {
    for (const rewrite of rewrites) {
      await writeWithMode(rewrite.realPath, rewrite.after, modes.get(rewrite));
      written.push(rewrite);
    }
  } catch (error) {
    for (const rewrite of written) await writeWithMode(rewrite.realPath, rewrite.before, modes.get(rewrite));
    if (!isSystemError(error)) throw error;
    throw unwritable(error.path ?? '', error.message, error);
  }
}

/** The process's umask takes bits of a new file away, so the mode is set once more. */
async function writeWithMode(path: string, content: Uint8Array, mode: number | undefined): Promise<void> {
  await replaceFile(path, content, mode);
  if (mode !== undefined) await chmod(path, mode);
}

async function writableMode({ realPath, before }: Rewrite): Promise<number> {
  try {
    const { mode } = await stat(realPath);
    // Root may write everything, but whoever took the right to write away did not mean it.
    if ((mode & 0o222) === 0) throw unwritable(realPath, 'it is read-only');
    await access(realPath, constants.W_OK);
    const now = await readFile(realPath);
    if (Buffer.compare(now, before) !== 0) throw unwritable(realPath, 'it has changed meanwhile');
    return mode & 0o777;
  } catch (error) {
    if (isSystemError(error)) throw unwritable(realPath, error.message, error);
    throw error;
  }
}

function unwritable(path: string, why: string, cause?: unknown): PlaybookError {
  return new PlaybookError('files/unwritable', `${path} cannot be written: ${why}.`, {
    hint: 'Change its permissions, or look at it, and try again; nothing was written.',
    cause,
  });
}
