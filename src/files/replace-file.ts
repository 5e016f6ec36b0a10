import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A draft is written in a moment, and its holder renews a lock all the time: what is older was left by a process that was killed. */
export const STALE_MS = 10_000;
const LOCK_RETRY_MS = 15;

/**
 * Writes a file, at once or not at all, for readers and other writers alike.
 * @param mode 0600 where absent: what we keep is nobody else's.
 * @throws the system's error.
 */
export async function replaceFile(path: string, content: string | Uint8Array, mode: number = 0o600): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, content, { mode });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Runs `use` while no other process does so for the same file; makes the file's folder.
 * A lock that a killed process left is taken over after 10 s.
 * @throws the system's error where the lock cannot be made, and whatever `use` throws.
 */
export async function withLock<T>(path: string, use: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  await mkdir(dirname(path), { recursive: true });
  while (!(await tryLock(lock))) await sleep(LOCK_RETRY_MS);
  const renewal = setInterval(() => void renew(lock), STALE_MS / 4).unref();
  try {
    return await use();
  } finally {
    clearInterval(renewal);
    await rm(lock, { recursive: true, force: true });
  }
}

async function tryLock(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    if (await isStale(lock)) await rm(lock, { recursive: true, force: true });
    return false;
  }
}

async function renew(lock: string): Promise<void> {
  const now = new Date();
  // One that was taken from us cannot be renewed; whoever has it now writes after us.
  await utimes(lock, now, now).catch(() => undefined);
}

async function isStale(lock: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(lock)).mtimeMs > STALE_MS;
  } catch (error) {
    // Its owner has just let go of it.
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
