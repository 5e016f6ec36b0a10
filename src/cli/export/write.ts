import { chmod, mkdir, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { PlaybookError } from '../../errors.ts';
import { isInside, isSystemError, pathExists, realDirectoryOf, realPathOf } from '../../files/places.ts';
import { replaceFile } from '../../files/replace-file.ts';
import type { ExportedFile } from './files.ts';
import { contentDigest } from '../../playbooks/digest.ts';

/** What an export did, in paths below its directory. */
export interface ExportOutcome {
  readonly written: readonly string[];
  readonly unchanged: readonly string[];
  /** Of an earlier export, and no longer part of it. */
  readonly removed: readonly string[];
  /** Left as they are: nobody knows them to be ours. */
  readonly foreign: readonly string[];
}

/** Kept in the directory, so that a later export knows its files from those of others. */
const MANIFEST = '.playbook-mcp-export.json';
const manifestSchema = z.object({ files: z.record(z.string(), z.string()) });

/**
 * Makes a directory hold just these files beside those of others. A file that is there and is not as an earlier export left it
 * belongs to somebody else: it is neither written nor removed.
 *
 * @param directory absolute
 * @throws PlaybookError `files/unwritable`, also where a link leads out of the directory, or it is a file.
 */
export async function writeExport(
  directory: string,
  files: readonly ExportedFile[],
  { isDry }: { readonly isDry: boolean },
): Promise<ExportOutcome> {
  if ((await pathExists(directory)) && (await realDirectoryOf(directory)) === undefined)
    throw unwritable(directory, 'it is no directory');
  const earlier = await manifestOf(directory);
  const plan = await planOf(directory, files, earlier);
  const pathsOf = (kind: Planned['kind']): string[] => plan.flatMap((each) => (each.kind === kind ? [each.path] : []));
  const outcome = {
    written: pathsOf('write'),
    unchanged: pathsOf('same'),
    removed: pathsOf('remove'),
    foreign: pathsOf('foreign'),
  };
  if (isDry || outcome.written.length + outcome.removed.length === 0) return outcome;
  const byPath = new Map(files.map((file) => [file.path, file]));
  const ours = new Map<string, string>();
  for (const { path, kind } of plan) {
    const file = byPath.get(path);
    if (file === undefined) continue;
    if (kind === 'write') await inDirectory(directory, path, () => writeOne(join(directory, path), file));
    if (kind === 'write' || (kind === 'same' && earlier.has(path))) ours.set(path, contentDigest(file.bytes));
  }
  for (const path of outcome.removed) await inDirectory(directory, path, () => removeOne(directory, path));
  const manifest = `${JSON.stringify({ files: Object.fromEntries(ours) }, undefined, 2)}\n`;
  await inDirectory(directory, MANIFEST, () => replaceFile(join(directory, MANIFEST), manifest, FILE_MODE));
  return outcome;
}

interface Planned {
  readonly path: string;
  readonly kind: 'write' | 'same' | 'remove' | 'foreign';
}

async function planOf(
  directory: string,
  files: readonly ExportedFile[],
  earlier: ReadonlyMap<string, string>,
): Promise<readonly Planned[]> {
  const plan: Planned[] = [];
  for (const { path, bytes } of files) {
    const there = await digestAt(join(directory, path));
    const isOurs = there === undefined || there === earlier.get(path);
    plan.push({ path, kind: there === contentDigest(bytes) ? 'same' : isOurs ? 'write' : 'foreign' });
  }
  const wanted = new Set(files.map(({ path }) => path));
  for (const [path, digest] of earlier) {
    const there = wanted.has(path) ? undefined : await digestAt(join(directory, path));
    if (there !== undefined) plan.push({ path, kind: there === digest ? 'remove' : 'foreign' });
  }
  return plan;
}

const FILE_MODE = 0o644;

async function writeOne(path: string, { bytes, isExecutable }: ExportedFile): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await replaceFile(path, bytes, FILE_MODE);
  if (isExecutable) await chmod(path, 0o755);
}

/** With the folders that are empty then. */
async function removeOne(directory: string, path: string): Promise<void> {
  await rm(join(directory, path), { force: true });
  for (let at = dirname(path); at !== '.'; at = dirname(at)) {
    const rest = await readdir(join(directory, at));
    if (rest.length > 0) return;
    await rmdir(join(directory, at));
  }
}

/** @throws PlaybookError `files/unwritable` where a link leads out of the directory, or the system refuses. */
async function inDirectory(directory: string, path: string, use: () => Promise<void>): Promise<void> {
  try {
    await mkdir(directory, { recursive: true });
    const root = await realPathOf(directory);
    for (let at = path; at !== '.'; at = dirname(at)) {
      const real = await realPathOf(join(directory, at));
      if (root !== undefined && real !== undefined && !isInside(real, root))
        throw unwritable(path, 'a link leads out of the directory');
    }
    await use();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw unwritable(error.path ?? path, error.message, error);
  }
}

function unwritable(path: string, why: string, cause?: unknown): PlaybookError {
  return new PlaybookError('files/unwritable', `${path} cannot be written: ${why}.`, {
    hint: 'Choose another directory, or look at what is there.',
    cause,
  });
}

/** Digests by path; empty where nothing was exported yet, or what tells it is unreadable: then every file there is foreign. */
async function manifestOf(directory: string): Promise<ReadonlyMap<string, string>> {
  try {
    const { files } = manifestSchema.parse(JSON.parse(await readFile(join(directory, MANIFEST), 'utf8')));
    return new Map(Object.entries(files).filter(([path]) => isInside(join(directory, path), directory)));
  } catch (error) {
    if (isSystemError(error) || error instanceof SyntaxError || error instanceof z.ZodError) return new Map();
    throw error;
  }
}

/** SHA-256 of the file, hex; undefined where nothing is; '' for what is no file that can be read. */
async function digestAt(path: string): Promise<string | undefined> {
  try {
    return contentDigest(await readFile(path));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return error.code === 'ENOENT' && !(await pathExists(path)) ? undefined : '';
  }
}
