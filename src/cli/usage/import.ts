import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { PlaybookError } from '../../errors.ts';
import { isSystemError } from '../../files/places.ts';
import { type Imported, importUsage } from '../../usage/import.ts';
import { counted } from '../../usage/review/proposal.ts';
import { placeText } from '../../usage/place.ts';
import type { CommonOptions } from '../options.ts';
import { exitWith, oneLine, print, printJson, remark } from '../print.ts';
import { usageSetting, withStore } from './setting.ts';

interface UsageImportOptions {
  readonly file: string;
  readonly json?: boolean;
}

/** A file of another kind has nothing but bad lines. */
const MOST_TOLD = 50;

/**
 * Adds the lines of a file to the store, and prints how many; names each bad one, and exits 1 where there are any.
 *
 * @throws PlaybookError `files/unreadable`, `usage/newer`, `usage/unavailable`.
 */
export async function usageImportCommand(common: CommonOptions, { file, json }: UsageImportOptions): Promise<void> {
  const { usage, place } = await usageSetting(common);
  let bad = 0;
  const onBad = (line: number, problem: string): void => {
    bad += 1;
    if (bad <= MOST_TOLD) remark(`${file}:${line}: ${problem}; skipped`);
  };
  const imported = await withLines(file, (lines) =>
    withStore(place, (store) => importUsage(store, lines, { queries: usage.queries, onBad })),
  );
  if (bad > MOST_TOLD) remark(`… and ${bad - MOST_TOLD} more bad lines.`);
  if (bad > 0) exitWith(1);
  if (imported.ignored.length > 0) remark(leftOut(imported.ignored));
  if (json === true) return printJson(imported);
  return print(summary(imported, placeText(place)));
}

async function withLines<T>(file: string, use: (lines: AsyncIterable<string>) => Promise<T>): Promise<T> {
  if (file === '-') return use(linesOf(() => createInterface({ input: process.stdin, crlfDelay: Infinity }), 'stdin'));
  const handle = await open(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  try {
    return await use(linesOf(() => handle.readLines({ autoClose: false }), file));
  } finally {
    await handle.close();
  }
}

/** Reading begins when the first line is asked for: whatever is read before that would be lost. What fails there is not the store. */
async function* linesOf(read: () => AsyncIterable<string>, file: string): AsyncGenerator<string> {
  try {
    for await (const line of read()) yield line;
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): unknown {
  if (!isSystemError(error)) return error;
  return new PlaybookError('files/unreadable', `${file} cannot be read: ${error.message}.`, {
    hint: 'Give the path of a file of JSON lines, as `usage export` writes it, or `-` for stdin.',
    cause: error,
  });
}

function leftOut(fields: readonly string[]): string {
  const more = fields.length > MOST_TOLD ? `, and ${fields.length - MOST_TOLD} more` : '';
  return `Fields that mean nothing here were left out: ${oneLine(fields.slice(0, MOST_TOLD).join(', '))}${more}.`;
}

function summary({ events, entries, reports, known, bad }: Imported, store: string): string {
  return [
    `${counted(events, 'event')}, ${counted(entries, 'entry', 'entries')} and ${counted(reports, 'report')} added to ${store}`,
    ...(known > 0 ? [`${known} were there already`] : []),
    ...(bad > 0 ? [`${counted(bad, 'bad line')} skipped`] : []),
  ].join('; ');
}
