import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import { messageOf, PlaybookError } from '../errors.ts';
import type { Diagnostic, Source, SourceFile } from '../model.ts';
import { MOST_BYTES, tooLarge, unreadable } from './findings.ts';
import { isInside, isOfGit, isSystemError, realPathOf, supportingPlaces } from './places.ts';
import { isSkippedFolder } from './take-folder.ts';

/** Files that are read at once: enough to hide the disk's latency, few enough for any limit of open files. */
export const FILES_AT_ONCE = 32;

/** A file's content, or why there is none. */
export type ReadResult =
  | { readonly kind: 'file'; readonly file: SourceFile }
  | { readonly kind: 'unreadable'; readonly diagnostic: Diagnostic };

/** Reads one found file, or that of a playbook again. It may have changed, grown or vanished since it was found. */
export async function readSourceFile(found: Omit<SourceFile, 'bytes'>): Promise<ReadResult> {
  const { source, id, shape, supportingFiles } = found;
  try {
    // What was a small file when it was found may be a device, or a gigabyte, by now.
    const info = await stat(found.path);
    if (!info.isFile())
      return { kind: 'unreadable', diagnostic: unreadable(found.path, 'file', new Error('it is not a file')) };
    if (info.size > MOST_BYTES) return { kind: 'unreadable', diagnostic: tooLarge(found.path, info.size) };
    const bytes = await readFile(found.path);
    if (bytes.length > MOST_BYTES) return { kind: 'unreadable', diagnostic: tooLarge(found.path, bytes.length) };
    return {
      kind: 'file',
      file: { source, path: found.path, realPath: found.realPath, id, shape, bytes, supportingFiles },
    };
  } catch (error) {
    if (isSystemError(error)) return { kind: 'unreadable', diagnostic: unreadable(found.path, 'file', error) };
    throw error;
  }
}

interface SupportingFileBase {
  /** Absolute. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A file that belongs to a playbook. */
export type SupportingFile =
  | (SupportingFileBase & { readonly kind: 'text'; readonly text: string })
  | (SupportingFileBase & { readonly kind: 'image'; readonly mimeType: string; readonly base64: string })
  | (SupportingFileBase & { readonly kind: 'binary' });

/** The formats that models are shown. */
const IMAGE_TYPES = new Map([
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.gif', 'image/gif'],
  ['.webp', 'image/webp'],
]);

/**
 * Reads a file that belongs to a playbook, by its path relative to the playbook's folder. The path must not lead out: not by its
 * spelling, and not by links (a workspace's may stay anywhere in the repository, others in the skill or the source).
 *
 * @throws PlaybookError files/unreadable, which tells a path that leads out, a missing file and a too large one apart
 */
export async function readSupportingFile(
  playbook: { readonly path: string; readonly source: Source },
  relativePath: string,
): Promise<SupportingFile> {
  const file = path.join(path.dirname(playbook.path), checkSpelling(relativePath));
  const real = await realPathOf(file);
  if (real === undefined) throw refused(relativePath, 'there is no such file');
  const places = await supportingPlaces(playbook.source, playbook.path);
  if (isHidden(real) || !places.some((place) => isInside(real, place) && !isOfGit(real, place))) {
    throw refused(
      relativePath,
      'it is a link to a hidden file, into git’s own folder, or one that leads out of the source',
    );
  }
  try {
    return await readContent(file, real, relativePath);
  } catch (error) {
    if (isSystemError(error)) throw refused(relativePath, messageOf(error), error);
    throw error;
  }
}

/** Hidden files hold keys and settings more often than anything that an agent should read. */
function isHidden(file: string): boolean {
  return path.basename(file).startsWith('.');
}

function checkSpelling(relativePath: string): string {
  // Both flavours, whatever the platform: an id comes from an agent, which may run elsewhere.
  const segments = relativePath.split(/[/\\]/);
  if (path.posix.isAbsolute(relativePath) || path.win32.isAbsolute(relativePath) || /^[A-Za-z]:/.test(relativePath)) {
    throw refused(relativePath, 'it must be relative to the playbook');
  }
  if (segments.includes('..')) throw refused(relativePath, 'it leads out of the playbook');
  if (segments.slice(0, -1).some((segment) => segment !== '.' && isSkippedFolder(segment)) || isHidden(relativePath)) {
    throw refused(relativePath, 'hidden files and dependencies are not served');
  }
  if (/\p{Cc}/u.test(relativePath)) throw refused(relativePath, 'it has control characters');
  return relativePath;
}

async function readContent(file: string, real: string, relativePath: string): Promise<SupportingFile> {
  const info = await stat(real);
  if (!info.isFile()) throw refused(relativePath, 'it is not a file');
  if (info.size > MOST_BYTES) throw refused(relativePath, `it has ${info.size} bytes, more than ${MOST_BYTES}`);
  const bytes = await readFile(real);
  const found = { path: file, bytes };
  const mimeType = IMAGE_TYPES.get(path.extname(file).toLowerCase());
  if (mimeType !== undefined) return { ...found, kind: 'image', mimeType, base64: bytes.toString('base64') };
  const text = decode(bytes);
  return text === undefined ? { ...found, kind: 'binary' } : { ...found, kind: 'text', text };
}

/** The text, or undefined for bytes that are none. */
function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function refused(relativePath: string, why: string, cause?: unknown): PlaybookError {
  return new PlaybookError('files/unreadable', `The file ${JSON.stringify(relativePath)} cannot be read: ${why}.`, {
    hint: 'Use one of the supporting files that get_schema lists for the playbook.',
    cause,
  });
}
