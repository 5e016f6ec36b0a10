import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf, PlaybookError } from '../errors.ts';
import { openBrowser } from './open-browser.ts';
import { print, remark } from './print.ts';

export interface OutputOptions {
  readonly out?: string | undefined;
  readonly open?: boolean | undefined;
  /** Name of the file for a page that nobody gave one and that would fill a terminal; undefined for what is no page. */
  readonly pageName?: string | undefined;
  /** Only the person who runs this may read the file. */
  readonly isPrivate?: boolean;
}

/**
 * Writes to the file that was asked for, else to stdout; a page that would fill a terminal gets a file of its own.
 * @throws PlaybookError `files/unwritable`.
 */
export async function writeOutput(text: string, options: OutputOptions): Promise<void> {
  const { out, open, pageName, isPrivate } = options;
  const path = out ?? (open === true ? await temporaryFile(pageName) : process.stdout.isTTY ? pageName : undefined);
  if (path === undefined) return print(text);
  const file = resolve(path);
  try {
    await writeFile(file, `${text}\n`, isPrivate === true ? { mode: 0o600 } : {});
  } catch (error) {
    throw new PlaybookError('files/unwritable', `${file} cannot be written: ${messageOf(error)}`, {
      hint: 'Name another file with --out.',
      cause: error,
    });
  }
  remark(`Written to ${file}`);
  if (open === true && !openBrowser(pathToFileURL(file).href))
    remark('There is no browser here: open the file yourself.');
}

/** A look at a page leaves nothing in the repository. */
async function temporaryFile(pageName = 'playbook-mcp.html'): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), 'playbook-mcp-page-')), pageName);
}
