import { mkdir, readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Catalog } from '../../catalog/catalog.ts';
import { referrersOf } from '../../catalog/replacement.ts';
import { type Config, editRetired } from '../../config/index.ts';
import { PlaybookError } from '../../errors.ts';
import { isSystemError, realPathOf } from '../../files/places.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { rewriteFiles } from '../../files/rewrite-file.ts';
import type { Deprecation, Entry } from '../../model.ts';
import { decodeExactly } from '../../playbooks/decode.ts';
import { unifiedPatch } from '../../server/patch.ts';
import { checkRequest, type StatusRequest } from '../../server/status-plan.ts';
import { dim, print, printExact, printJson, remark } from '../print.ts';
import type { StatusOptions } from './request.ts';

/** Whose configuration retires what. */
interface ConfiguredEntry {
  readonly catalog: Catalog;
  readonly entry: Entry;
  readonly config: Config;
  /** Absolute. */
  readonly configPath: string;
}

/**
 * Prints the entry of `retired` that the configuration needs, or no longer needs; writes it with `--write`.
 *
 * @throws PlaybookError `catalog/bad-replacement`, `catalog/referenced`, `config/not-json`, `config/uneditable`, `files/unwritable`;
 *   `cli/usage` for a tool that is to be deprecated only.
 */
export async function changeConfig(
  { catalog, entry, config, configPath }: ConfiguredEntry,
  request: StatusRequest,
  { write = false, dryRun = false, json = false }: StatusOptions,
): Promise<void> {
  if (request.status === 'deprecated') {
    throw new PlaybookError(
      'cli/usage',
      `${entry.id} is a tool: its text is its server's, and it can only be retired.`,
      {
        hint: `Use: playbook-mcp retire ${entry.id}`,
      },
    );
  }
  const replacement = checkRequest(catalog, entry, request);
  const retired = request.status === 'retired' ? retiredEntry(request, replacement) : undefined;
  const before = await textOf(configPath);
  const after = editRetired(before ?? '', configPath, { id: keyOf(entry, config), retired });
  const isWritten = write && !dryRun && after !== before;
  if (isWritten) await save(configPath, before, after);
  const notes = notesOn(catalog, entry, retired !== undefined);
  if (json)
    return printJson({
      id: entry.id,
      status: request.status,
      path: configPath,
      retired: retired ?? null,
      isWritten,
      notes,
    });
  for (const note of notes) remark(`note: ${note}`);
  if (dryRun) {
    const files = [{ path: basename(configPath), before: Buffer.from(before ?? ''), after: Buffer.from(after) }];
    printExact(before === after ? '' : await unifiedPatch(files));
    return remark(dim(`Nothing was written to ${configPath}.`));
  }
  if (isWritten) {
    print(`${configPath}: ${entry.id} ${retired === undefined ? 'is in use again' : 'is retired'}`);
    return remark(dim('A server that is running takes it over by itself.'));
  }
  if (retired !== undefined) {
    print(`"retired": {\n  ${JSON.stringify(entry.id)}: ${JSON.stringify(retired)}\n}`);
    return remark(dim(`Nothing was written. Put it into ${configPath}, or give --write to have it put there.`));
  }
  const isThere = after !== (before ?? '');
  remark(
    isThere
      ? `Nothing was written. Take ${JSON.stringify(entry.id)} out of \`retired\` in ${configPath}, or give --write to have it taken out.`
      : `${entry.id} is not retired in ${configPath}.`,
  );
}

function retiredEntry({ since, reason }: StatusRequest, replacement: Entry | undefined): Deprecation {
  return {
    ...(replacement === undefined ? {} : { replacedBy: replacement.id }),
    ...(reason === undefined ? {} : { reason }),
    ...(since === undefined ? {} : { since }),
  };
}

/** A playbook may be named by its bare id or by its qualified one. */
function keyOf(entry: Entry, { retired }: Config): string {
  return entry.kind === 'tool' || retired.has(entry.id) ? entry.id : entry.qualifiedId;
}

function notesOn(catalog: Catalog, entry: Entry, isRetired: boolean): readonly string[] {
  if (isRetired) return referrersOf(catalog, entry).map(({ id }) => `${id} still leads to ${entry.id}.`);
  if (entry.kind === 'tool' || entry.playbook.status === 'active') return [];
  return [`${entry.playbook.path} says \`status: ${entry.playbook.status}\` too: restore it again after this.`];
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return decodeExactly(await readFile(path));
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function save(path: string, before: string | undefined, after: string): Promise<void> {
  const realPath = await realPathOf(path);
  if (before === undefined || realPath === undefined) {
    await mkdir(dirname(path), { recursive: true });
    return replaceFile(path, after);
  }
  return rewriteFiles([{ realPath, before: Buffer.from(before), after: Buffer.from(after) }]);
}
