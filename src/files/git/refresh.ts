import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { expandHome, homeDirectory, stateDirs } from '../../config/paths.ts';
import type { Env, GitSourceConfig } from '../../config/types.ts';
import { messageOf } from '../../errors.ts';
import { realDirectoryOf } from '../places.ts';
import { withLock } from '../replace-file.ts';
import { type Clone, cloneOf, readStatus, withoutCredentials, writeStatus } from './clone.ts';
import { GIT_TIMEOUT_MS, runGit } from './run-git.ts';

/** A process that has begun and not ended by now was killed. */
const CLAIM_MS = 2 * GIT_TIMEOUT_MS;
/** A remote that fails is asked again after this long, or after the source's own time where that is shorter. */
const RETRY_MS = 5 * 60_000;
const FULL_HASH = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

interface RefreshOptions {
  readonly env: Env;
  readonly signal: AbortSignal;
}

/**
 * Clones a source, or brings its clone to the state of the remote. What was fetched before stays when that fails, and the
 * status says why. Where another process is at it, nothing is done. Never throws but for a bug.
 */
export async function refreshGitSource(source: GitSourceConfig, { env, signal }: RefreshOptions): Promise<void> {
  const clone = cloneOf(source, stateDirs(env).cache);
  try {
    await mkdir(clone.folder, { recursive: true, mode: 0o700 });
    if (!(await claim(clone))) return;
    const commit = await fetchCommit(source, clone, { env, signal });
    await writeStatus(clone, { refreshedAt: Date.now(), commit });
  } catch (error) {
    const { claimedAt: _, ...before } = await readStatus(clone);
    // Ended by us, which says nothing about the remote.
    const failure = signal.aborted ? {} : { failedAt: Date.now(), failure: withoutCredentials(messageOf(error)) };
    await keepStatus(clone, { ...before, ...failure });
  }
}

/** Milliseconds until a source should be fetched again, 0 or less for at once; never for a commit that cannot change. */
export async function refreshDueMs(source: GitSourceConfig, env: Env): Promise<number> {
  const clone = cloneOf(source, stateDirs(env).cache);
  const { refreshedAt, failedAt } = await readStatus(clone);
  const isThere = (await realDirectoryOf(clone.repository)) !== undefined;
  if (isThere && FULL_HASH.test(source.ref ?? '')) return Number.POSITIVE_INFINITY;
  const everyMs = source.refreshMinutes * 60_000;
  const due = isThere && refreshedAt !== undefined ? refreshedAt + everyMs : 0;
  const retry = failedAt === undefined ? 0 : failedAt + Math.min(everyMs, RETRY_MS);
  return Math.max(due, retry) - Date.now();
}

/** One process fetches at a time; the others see what it has fetched. */
async function claim(clone: Clone): Promise<boolean> {
  return withLock(clone.statusFile, async () => {
    const status = await readStatus(clone);
    if (status.claimedAt !== undefined && Date.now() - status.claimedAt < CLAIM_MS) return false;
    await writeStatus(clone, { ...status, claimedAt: Date.now() });
    return true;
  });
}

/** A cache that cannot be written is told by the next attempt, and by a source that never comes. */
async function keepStatus(clone: Clone, status: Parameters<typeof writeStatus>[1]): Promise<void> {
  try {
    await writeStatus(clone, status);
  } catch (error) {
    process.emitWarning(`The status of a git source cannot be kept: ${messageOf(error)}`);
  }
}

/** @returns the hash of the commit that the working tree now shows. */
async function fetchCommit(source: GitSourceConfig, clone: Clone, options: RefreshOptions): Promise<string> {
  const git = (cwd: string, ...args: string[]): Promise<string> => runGit(args, { cwd, ...options });
  const url = expandHome(source.git, homeDirectory(options.env));
  if ((await realDirectoryOf(clone.repository)) === undefined) {
    // Made beside its place and put there when it is whole.
    const draft = join(clone.folder, `${randomUUID()}.tmp`);
    try {
      await git(clone.folder, 'init', '--quiet', draft);
      await takeState(draft, { url, ref: source.ref, git });
      await rename(draft, clone.repository);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  } else {
    await takeState(clone.repository, { url, ref: source.ref, git });
  }
  return (await git(clone.repository, 'rev-parse', 'HEAD')).trim();
}

interface Wanted {
  readonly url: string;
  readonly ref: string | undefined;
  readonly git: (cwd: string, ...args: string[]) => Promise<string>;
}

/** Fetches one commit and makes the working tree equal to it. */
async function takeState(repository: string, { url, ref, git }: Wanted): Promise<void> {
  const commit = await fetchOne(repository, { url, ref, git });
  // Bytes stay as they were committed.
  await git(repository, '-c', 'core.autocrlf=false', 'reset', '--quiet', '--hard', commit);
  await git(repository, 'clean', '--quiet', '-ffdx');
}

async function fetchOne(repository: string, { url, ref, git }: Wanted): Promise<string> {
  try {
    await git(repository, 'fetch', '--quiet', '--depth=1', '--no-tags', '--', url, ref ?? 'HEAD');
    return 'FETCH_HEAD';
  } catch (error) {
    // Many servers give single commits by branch or tag only; the commit is then found among all that there are.
    if (ref === undefined || !/^[0-9a-f]{7,64}$/.test(ref)) throw error;
    await git(repository, 'fetch', '--quiet', '--no-tags', '--', url, '+refs/*:refs/remotes/origin/*');
    return (await git(repository, 'rev-parse', '--verify', `${ref}^{commit}`)).trim();
  }
}
