import { CompiledQuery } from 'kysely';
import { INSERT_EVENTS, type UsageDatabase } from './connect.ts';
import type { UsagePlace } from './place.ts';
import { type CodedRow, EVENT_COLUMNS } from './tables.ts';

/** Rows of a statement. SQLite: so few sizes that all are kept; PostgreSQL takes 65,535 values, and each statement is a way there and back. */
const ROWS_IN_SQLITE = [256, 64, 16, 4, 1];
const ROWS_IN_POSTGRES = 500;

/**
 * Inserts events but for those that are there. As text, not by the builder of queries: building a statement for hundreds of rows takes longer
 * than carrying it out, and what writes shares two processors with what it writes about. @returns how many were new.
 */
export async function insertEvents(
  database: UsageDatabase,
  kind: UsagePlace['kind'],
  rows: readonly CodedRow[],
): Promise<number> {
  let added = 0;
  let at = 0;
  while (at < rows.length) {
    const count = rowsAtOnce(kind, rows.length - at);
    const values = rows.slice(at, at + count).flatMap((row) => EVENT_COLUMNS.map((column) => row[column]));
    const { numAffectedRows = 0n } = await database.executeQuery(CompiledQuery.raw(insertText(kind, count), values));
    added += Number(numAffectedRows);
    at += count;
  }
  return added;
}

function rowsAtOnce(kind: UsagePlace['kind'], left: number): number {
  if (kind === 'postgres') return Math.min(left, ROWS_IN_POSTGRES);
  return ROWS_IN_SQLITE.find((rows) => rows <= left) ?? 1;
}

function insertText(kind: UsagePlace['kind'], rows: number): string {
  let last = 0;
  const next = (): string => {
    last += 1;
    return kind === 'sqlite' ? '?' : `$${last}`;
  };
  const row = (): string => `(${EVENT_COLUMNS.map(next).join(', ')})`;
  const values = Array.from({ length: rows }, row).join(', ');
  return `${INSERT_EVENTS}(${EVENT_COLUMNS.join(', ')}) values ${values} on conflict do nothing`;
}
