import { rename } from 'node:fs/promises';
import { sql } from 'kysely';
import { isSystemError } from '../files/places.ts';
import { withLock } from '../files/replace-file.ts';
import { connectUsage, type UsageDatabase } from './connect.ts';
import { failureOf } from './failure.ts';
import { sqliteFiles } from './place.ts';

/**
 * Renames a file that SQLite cannot read, with the time in its name, so that a new one can be begun. Of several processes that
 * find it so at once, one does it; a file that is sound, since another process has been here, is left.
 *
 * @returns the new name; undefined where nothing was renamed.
 * @throws the system's error.
 */
export async function setAsideIfCorrupt(path: string, now: Date): Promise<string | undefined> {
  return withLock(path, async () => {
    if (await isSound(path)) return undefined;
    const aside = `${path}.corrupt-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`;
    // Together they can still be looked into.
    for (const file of sqliteFiles(path)) await renameIfThere(file, aside + file.slice(path.length));
    return aside;
  });
}

async function isSound(path: string): Promise<boolean> {
  let database: UsageDatabase | undefined;
  try {
    database = await connectUsage({ kind: 'sqlite', path });
    const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(database);
    return rows[0]?.quick_check === 'ok';
  } catch (error) {
    if (failureOf(error) === 'corrupt') return false;
    throw error;
  } finally {
    await database?.destroy();
  }
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'ENOENT') throw error;
  }
}
