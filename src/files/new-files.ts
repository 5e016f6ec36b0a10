import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PlaybookError } from '../errors.ts';
import { isSystemError } from './places.ts';

/** A file to be made. */
export interface NewFile {
  /** Below a folder, `/` between its parts. */
  readonly path: string;
  readonly content: string | Uint8Array;
  /** True for a script. */
  readonly isExecutable?: boolean;
}

/**
 * Writes files that do not exist yet, and the folders for them; where one cannot be written, those before it are taken back.
 *
 * @param folder absolute
 * @throws PlaybookError `files/exists` for one that is there, in whatever case its name is written; `files/unwritable`.
 */
export async function writeNewFiles(folder: string, files: readonly NewFile[]): Promise<void> {
  for (const { path } of files) await refuseTaken(folder, path);
  const written: string[] = [];
  try {
    for (const { path, content, isExecutable = false } of files) {
      const target = join(folder, path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, content, { flag: 'wx', mode: isExecutable ? 0o755 : 0o644 });
      written.push(target);
    }
  } catch (error) {
    await Promise.all(written.map((path) => rm(path, { force: true })));
    if (!isSystemError(error)) throw error;
    if (error.code === 'EEXIST') throw taken(error.path ?? folder);
    throw new PlaybookError('files/unwritable', `${error.path ?? folder} cannot be written: ${error.message}.`, {
      hint: 'Choose another folder, or change its permissions.',
      cause: error,
    });
  }
}

/** Letter by letter: on macOS and Windows `Deploy` and `deploy` are one file. */
async function refuseTaken(folder: string, path: string): Promise<void> {
  let at = folder;
  const parts = path.split('/');
  for (const [index, part] of parts.entries()) {
    const there = (await namesIn(at)).find((name) => fold(name) === fold(part));
    if (there === undefined) return;
    at = join(at, there);
    if (there !== part || index === parts.length - 1) throw taken(at);
  }
}

function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}

function taken(path: string): PlaybookError {
  return new PlaybookError('files/exists', `${path} exists already, and nothing is overwritten.`, {
    hint: 'Choose another id, or change what is there.',
  });
}
