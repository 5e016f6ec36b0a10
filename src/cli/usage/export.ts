import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PlaybookError } from '../../errors.ts';
import { isSystemError } from '../../files/places.ts';
import { EXPORT_FORMATS, type ExportFormat, exportUsage } from '../../usage/export.ts';
import { readUsage } from '../../usage/open.ts';
import { momentOf } from '../moment.ts';
import type { CommonOptions } from '../options.ts';
import { printPieces, remark } from '../print.ts';
import { usageSetting } from './setting.ts';

interface UsageExportOptions {
  /** As written; checked by the command line. */
  readonly format: string;
  readonly since?: string;
  readonly out?: string;
}

/** Writes what was recorded as JSON lines or CSV, to a file or stdout. @throws PlaybookError `files/unwritable`, and as `readUsage`. */
export async function usageExportCommand(common: CommonOptions, options: UsageExportOptions): Promise<void> {
  const since = options.since === undefined ? 0 : momentOf(options.since, Date.now());
  const { place } = await usageSetting(common);
  const reader = await readUsage(place, { tell: remark });
  try {
    const pieces = exportUsage(reader, { format: formatOf(options.format), since });
    if (options.out === undefined) return await printPieces(pieces);
    await writePieces(resolve(options.out), pieces);
    return remark(`Written to ${options.out}.`);
  } finally {
    await reader.close();
  }
}

function formatOf(written: string): ExportFormat {
  return EXPORT_FORMATS.find((format) => format === written) ?? 'jsonl';
}

async function writePieces(path: string, pieces: AsyncIterable<string>): Promise<void> {
  try {
    // What somebody asked is nobody else's.
    await pipeline(Readable.from(pieces), createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new PlaybookError('files/unwritable', `${path} cannot be written: ${error.message}.`, {
      hint: 'Name another file by --out.',
      cause: error,
    });
  }
}
