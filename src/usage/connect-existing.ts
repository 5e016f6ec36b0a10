import { pathExists } from '../files/places.ts';
import { connectUsage, type UsageDatabase } from './connect.ts';
import { hasTables, migrate, type Tell } from './migrations.ts';
import type { UsagePlace } from './place.ts';

/**
 * Connects to what was recorded, for reading; undefined where nobody has written to it, which this does not change.
 *
 * @param tell see `migrate`.
 * @throws PlaybookError `usage/newer`, and whatever the driver has to say.
 */
export async function connectExisting(place: UsagePlace, tell?: Tell): Promise<UsageDatabase | undefined> {
  if (place.kind === 'sqlite' && !(await pathExists(place.path))) return undefined;
  const database = await connectUsage(place);
  try {
    if (await hasTables(database, place)) {
      await migrate(database, place, tell);
      return database;
    }
  } catch (error) {
    await database.destroy();
    throw error;
  }
  await database.destroy();
  return undefined;
}
