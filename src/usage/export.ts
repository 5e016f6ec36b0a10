import type { UsageEvent, UsageReader } from './event.ts';
import { toJsonLine } from './line.ts';

export const EXPORT_FORMATS = ['jsonl', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Rows of text that are handed on at once. */
const LINES = 500;

/**
 * Everything in a store as text, a piece at a time: JSON lines of all kinds, or a table of the events.
 *
 * @param since milliseconds since 1970; events and reports before it are left out.
 */
export async function* exportUsage(
  reader: UsageReader,
  { format, since }: { readonly format: ExportFormat; readonly since: number },
): AsyncGenerator<string> {
  if (format === 'csv') {
    yield `${COLUMNS.join(',')}\n`;
  } else {
    const entries = (await reader.seenEntries()).map((entry) => toJsonLine({ type: 'entry', ...entry }));
    const reports = (await reader.reports()).filter(({ time }) => time >= since);
    yield* pieces([...entries, ...reports.map((report) => toJsonLine({ type: 'report', ...report }))]);
  }
  const toLine = format === 'csv' ? toCsvLine : (event: UsageEvent) => toJsonLine({ type: 'event', ...event });
  for await (const events of reader.events({ since })) yield* pieces(events.map(toLine));
}

function* pieces(lines: readonly string[]): Generator<string> {
  for (let at = 0; at < lines.length; at += LINES) {
    yield lines
      .slice(at, at + LINES)
      .map((line) => `${line}\n`)
      .join('');
  }
}

const COLUMNS = [
  'time',
  'id',
  'session',
  'client',
  'user',
  'repo',
  'operation',
  'entry',
  'kind',
  'source',
  'digest',
  'outcome',
  'code',
  'ms',
  'tokens',
  'rank',
  'query',
  'shown',
  'trace',
] as const satisfies readonly (keyof UsageEvent)[];

/** @see RFC 4180; times as ISO 8601, the ids of `shown` with spaces between them. */
function toCsvLine(event: UsageEvent): string {
  return COLUMNS.map((column) => {
    if (column === 'time') return new Date(event.time).toISOString();
    const value = column === 'shown' ? (event.shown?.join(' ') ?? null) : event[column];
    if (value === null || typeof value === 'number') return String(value ?? '');
    return quoted(value);
  }).join(',');
}

/** Spreadsheets run a cell that begins so as a formula, and queries are written by whoever asks. */
const FORMULA = /^[=+\-@\t\r]/;

function quoted(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
