import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PlaybookError } from '../errors.ts';
import { isInside, isSystemError, realPathOf } from './places.ts';

/** A file to be made. */
export interface NewFile {
  /** Below a folder, `/` between its parts. */
  readonly path: string;
  readonly content: string | Uint8Array;
  /** True for a script. */
  readonly isExecutable?: boolean;
}

/**
 * Writes files that do not exist yet, each at once or not at all, and the folders for them; where one cannot be written, those
 * before it are taken back.
 *
 * @param folder absolute
 * @param within absolute, without links: nothing is written through a link that leads out of it
 * @throws PlaybookError `files/exists` for one that is there, in whatever case its name is written; `files/unwritable`.
 */
export async function writeNewFiles(folder: string, files: readonly NewFile[], within?: string): Promise<void> {
  for (const { path } of files) await refuseTaken(folder, path);
  const written: string[] = [];
  try {
    for (const file of files) {
      const target = join(folder, file.path);
      await refuseOutside(target, within);
      await mkdir(dirname(target), { recursive: true });
      // A link that has come meanwhile is seen once the folders are there.
      await refuseOutside(dirname(target), within);
      await createFile(target, file);
      written.push(target);
    }
  } catch (error) {
    await Promise.all(written.map((path) => rm(path, { force: true })));
    if (!isSystemError(error)) throw error;
    const path = 'dest' in error && typeof error.dest === 'string' ? error.dest : (error.path ?? folder);
    if (error.code === 'EEXIST') throw taken(path);
    throw new PlaybookError('files/unwritable', `${path} cannot be written: ${error.message}.`, {
      hint: 'Choose another folder, or change its permissions.',
      cause: error,
    });
  }
}

/** What file systems without hard links say to one. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Whoever follows the folder sees the whole file or none, and of two who write one only one does: a rename would overwrite. */
async function createFile(target: string, { content, isExecutable = false }: NewFile): Promise<void> {
  const draft = `${target}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, content, { flag: 'wx', mode: isExecutable ? 0o755 : 0o644 });
    await link(draft, target);
  } catch (error) {
    if (!isSystemError(error) || !NO_LINKS.has(error.code) || error.syscall !== 'link') throw error;
    await copyFile(draft, target, constants.COPYFILE_EXCL);
  } finally {
    await rm(draft, { force: true });
  }
}

/** @throws PlaybookError `files/unwritable` where the path, or what there is of it, lies elsewhere. */
async function refuseOutside(path: string, within: string | undefined): Promise<void> {
  if (within === undefined) return;
  let at = path;
  let real = await realPathOf(at);
  while (real === undefined && at !== dirname(at)) {
    at = dirname(at);
    real = await realPathOf(at);
  }
  if (real !== undefined && isInside(real, within)) return;
  throw new PlaybookError('files/unwritable', `${path} leads out of ${within}, and is not written.`, {
    hint: 'Replace the link by a folder.',
  });
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
