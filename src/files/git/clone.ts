import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import * as z from 'zod';

import type { GitSourceConfig } from '../../config/types.ts';
import { isSystemError } from '../places.ts';
import { replaceFile } from '../replace-file.ts';

/** Where the clone of a git source lies. Processes share it; another URL or ref is another clone. */
export interface Clone {
  /** Absolute; holds the two below. */
  readonly folder: string;
  /** The working tree, there once the source has been fetched. */
  readonly repository: string;
  readonly statusFile: string;
}

export function cloneOf({ name, git, ref }: GitSourceConfig, cacheDir: string): Clone {
  const key = createHash('sha256')
    .update(JSON.stringify([git, ref ?? '']))
    .digest('hex')
    .slice(0, 12);
  const folder = join(cacheDir, 'git', `${name}-${key}`);
  return { folder, repository: join(folder, 'repository'), statusFile: join(folder, 'status.json') };
}

/** How fetching a source went the last times; times in milliseconds since 1970. */
export type CloneStatus = z.infer<typeof statusSchema>;

const statusSchema = z.object({
  /** When it was last found equal to its remote. */
  refreshedAt: z.number().optional(),
  /** Full hash of the commit that is served. */
  commit: z.string().optional(),
  /** When it last failed, and why; absent once it has succeeded again. */
  failedAt: z.number().optional(),
  failure: z.string().optional(),
  /** When a process began what is not ended yet. */
  claimedAt: z.number().optional(),
});

/** The status of a clone; {} where it was never fetched, or its status cannot be read. */
export async function readStatus({ statusFile }: Clone): Promise<CloneStatus> {
  try {
    return statusSchema.parse(JSON.parse(await readFile(statusFile, 'utf8')));
  } catch (error) {
    // A status that is lost is written anew by the next refresh.
    if (isSystemError(error) || error instanceof SyntaxError || error instanceof z.ZodError) return {};
    throw error;
  }
}

export async function writeStatus({ statusFile }: Clone, status: CloneStatus): Promise<void> {
  await replaceFile(statusFile, JSON.stringify(status));
}

/** A URL, or a text that holds it, without user names and passwords. */
export function withoutCredentials(text: string): string {
  return text.replaceAll(/(\/\/)[^/@\s]+@/g, '$1');
}
