import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import { isSystemError, pathExists } from '../files/places.ts';
import { connectUsage } from './connect.ts';
import { hasTables, migrate, type Tell } from './migrations.ts';
import { unavailable } from './open.ts';
import { sqliteFiles, type UsagePlace } from './place.ts';

/** How much a store holds. */
export interface UsageStatus {
  readonly events: number;
  readonly entries: number;
  readonly reports: number;
  /** Milliseconds since 1970; null where there are no events. */
  readonly first: number | null;
  readonly last: number | null;
  /** Of the file with those beside it, or of the tables. */
  readonly bytes: number;
}

/** Looks at a store; undefined where nobody has written to it. @param tell see `migrate`. @throws PlaybookError `usage/newer`, `usage/unavailable`. */
export async function usageStatus(place: UsagePlace, tell?: Tell): Promise<UsageStatus | undefined> {
  if (place.kind === 'sqlite' && !(await pathExists(place.path))) return undefined;
  try {
    const database = await connectUsage(place);
    try {
      if (!(await hasTables(database, place))) return undefined;
      await migrate(database, place, tell);
      const { rows } = await sql<Omit<UsageStatus, 'bytes'>>`select
        (select count(*) from usage_coded_events) as events, (select count(*) from usage_entries) as entries,
        (select count(*) from usage_reports) as reports, (select min(time) from usage_coded_events) as first,
        (select max(time) from usage_coded_events) as last`.execute(database);
      const [counts] = rows;
      if (counts === undefined) return undefined;
      if (place.kind === 'sqlite') return { ...counts, bytes: await bytesOf(place.path) };
      const sizes = await sql<{ bytes: number }>`select sum(pg_total_relation_size(to_regclass(name)))::bigint as bytes
        from unnest(array['usage_coded_events', 'usage_texts', 'usage_entries', 'usage_reports']) as name`.execute(
        database,
      );
      return { ...counts, bytes: sizes.rows[0]?.bytes ?? 0 };
    } finally {
      await database.destroy();
    }
  } catch (error) {
    throw unavailable(place, error);
  }
}

async function bytesOf(path: string): Promise<number> {
  const sizes = await Promise.all(sqliteFiles(path).map(sizeOf));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isSystemError(error)) return 0;
    throw error;
  }
}
