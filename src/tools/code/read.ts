import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';

import * as z from 'zod';

import { messageOf, PlaybookError } from '../../errors.ts';
import type { JsonObject } from '../../model.ts';
import { endOfGit, spawnGit } from './git.ts';
import type { Repository } from './repositories.ts';

const LARGEST_FILE_BYTES = 10 * 1024 * 1024;
/** One result: below what clients cut, about 12,000 tokens. */
const MOST_CHARACTERS = 48_000;
const MOST_LINES = 1_000;
const LONGEST_LINE = 2_000;
/** git takes a file for binary by the same look. */
const BINARY_PREFIX_BYTES = 8_000;
const CHECK_TIMEOUT_MS = 10_000;

const readSchema = z.object({
  repository: z.string(),
  path: z.string(),
  startLine: z.number().default(1),
  endLine: z.number().optional(),
});

/** What `code__read` is asked for. */
export type ReadRequest = z.output<typeof readSchema>;

/** The JSON Schema of `code__read`. */
export const readInputSchema: JsonObject = {
  type: 'object',
  properties: {
    repository: { type: 'string', description: 'name as code__search gives it' },
    path: { type: 'string', description: 'path in the repository' },
    startLine: { type: 'integer', minimum: 1, default: 1 },
    endLine: { type: 'integer', minimum: 1, description: 'included; to the end of the file where absent' },
  },
  required: ['repository', 'path'],
  additionalProperties: false,
};

export function parseReadArguments(args: JsonObject): ReadRequest {
  return readSchema.parse(args);
}

export interface ReadContext {
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Lines of a file of the working tree, numbered; what is left out is told at the end, with the line to go on from.
 * @throws PlaybookError `code/refused` for what is outside of the repository, belongs to git itself, or is ignored by it;
 *   `code/unreadable` for what is not there, no text, or too large.
 */
export async function readLines(repository: Repository, request: ReadRequest, context: ReadContext): Promise<string> {
  const path = await insidePath(repository, request.path);
  await refuseIgnored(repository, path, context);
  const bytes = await readText(resolve(repository.path, path), request.path);
  return linesText(`${repository.name} ${path.replaceAll(sep, '/')}`, bytes.toString('utf8'), request);
}

/** The path without links, below the repository's top folder. */
async function insidePath({ name, path: top }: Repository, written: string): Promise<string> {
  if (written.includes('\0')) throw refused(`"${written.replaceAll('\0', '')}" is no path.`);
  const wanted = resolve(top, written);
  if (!wanted.startsWith(top + sep)) throw refused(`"${written}" is outside of the repository ${name}.`);
  const real = await realpath(wanted).catch((cause: unknown) => {
    throw unreadable(`There is no file "${written}" in ${name}.`, cause);
  });
  if (!real.startsWith(top + sep)) throw refused(`"${written}" is a link that leads out of the repository ${name}.`);
  const inside = relative(top, real);
  // Its configuration may hold credentials; on some systems the name is the same in any case.
  if (inside.split(sep).some((part) => part.toLowerCase() === '.git'))
    throw refused(`"${written}" belongs to git itself.`);
  return inside;
}

/** What git ignores is where secrets are kept (`.env`), and code__search does not show it either. */
async function refuseIgnored(
  { path: cwd, name }: Repository,
  path: string,
  { env, signal }: ReadContext,
): Promise<void> {
  const args = ['check-ignore', '-q', '--', `./${path.replaceAll(sep, '/')}`];
  const stop = AbortSignal.any([signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)]);
  const { code, stderr } = await endOfGit(spawnGit(args, { cwd, env }), { signal: stop }).catch((cause: unknown) => {
    throw new PlaybookError('tools/unavailable', `git cannot be started: ${messageOf(cause)}.`, { cause });
  });
  if (signal.aborted) throw new PlaybookError('tools/cancelled', 'The read was cancelled.');
  if (code === 0) throw refused(`"${path}" is ignored by git in ${name}.`);
  if (code !== 1)
    throw unreadable(`git cannot tell whether it ignores "${path}" in ${name}: ${stderr || 'it took too long'}.`);
}

async function readText(path: string, written: string): Promise<Buffer> {
  // Opening a pipe would wait for its other end, hence the flag.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: unknown) => {
    throw unreadable(`"${written}" cannot be read: ${messageOf(cause)}.`, cause);
  });
  try {
    const { size } = await refuseOdd(file, written);
    const bytes = Buffer.alloc(size);
    const { bytesRead } = await file.read(bytes, 0, size, 0);
    const text = bytes.subarray(0, bytesRead);
    if (text.subarray(0, BINARY_PREFIX_BYTES).includes(0))
      throw unreadable(`"${written}" is a binary file of ${size} bytes.`);
    return text;
  } finally {
    await file.close();
  }
}

async function refuseOdd(file: Awaited<ReturnType<typeof open>>, written: string): Promise<{ readonly size: number }> {
  const stats = await file.stat();
  if (stats.isDirectory()) throw unreadable(`"${written}" is a folder; find files in it by code__search with path.`);
  if (!stats.isFile()) throw unreadable(`"${written}" is no regular file.`);
  if (stats.size > LARGEST_FILE_BYTES) {
    throw unreadable(`"${written}" has ${stats.size} bytes, more than the ${LARGEST_FILE_BYTES} that are read.`);
  }
  return stats;
}

function linesText(title: string, text: string, { startLine, endLine }: ReadRequest): string {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const last = Math.min(endLine ?? lines.length, lines.length);
  if (lines.length === 0) return `${title}: an empty file.`;
  if (startLine > last)
    return `${title}: it has ${lines.length} lines; there are none from ${startLine} to ${endLine ?? 'its end'}.`;
  const shown: string[] = [];
  let characters = 0;
  for (let at = startLine; at <= last && shown.length < MOST_LINES && characters < MOST_CHARACTERS; at += 1) {
    const line = numbered(at, lines[at - 1] ?? '');
    shown.push(line);
    characters += line.length;
  }
  const end = startLine + shown.length - 1;
  const more = end < last ? ` Go on with startLine ${end + 1}.` : '';
  return `${title}, lines ${startLine}–${end} of ${lines.length}.${more}\n\n${shown.join('\n')}`;
}

function numbered(at: number, line: string): string {
  const text = line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)}… (${line.length} characters)`;
  return `${at}\t${text}`;
}

function refused(message: string): PlaybookError {
  return new PlaybookError('code/refused', message, { hint: 'Only files that code__search looks into can be read.' });
}

function unreadable(message: string, cause?: unknown): PlaybookError {
  return new PlaybookError('code/unreadable', message, {
    hint: 'Find files with code__search: it gives repository and path as they are to be written here.',
    ...(cause !== undefined && { cause }),
  });
}
