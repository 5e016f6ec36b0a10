import { readFile } from 'node:fs/promises';
import { isSystemError } from '../../files/places.ts';
import { decodeExactly } from '../../playbooks/decode.ts';
import { dim, green, print, printExact, printJson, remark, yellow } from '../print.ts';
import type { Client } from './clients.ts';
import { diffOf } from './diff.ts';
import { type InstallRecord, Ledger } from './ledger.ts';
import { planUninstall, type UninstallPlan } from './plan.ts';
import { readTextFile, removeTextFile, type TextFile, writeTextFile } from './text-file.ts';
import { contentDigest } from '../../playbooks/digest.ts';

interface UninstallOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/**
 * Takes this server out of a client's file: byte for byte as it was where nobody has changed it since, else its entry alone, with
 * the servers that were moved put back.
 *
 * @throws PlaybookError as `planUninstall`, `readTextFile` and `writeTextFile`.
 */
export async function uninstall(
  client: Client,
  path: string,
  { dryRun = false, json = false }: UninstallOptions,
): Promise<void> {
  await Ledger.with(process.env, async (ledger) => {
    const file = await readTextFile(path);
    const record = ledger.recordOf(path);
    const plan = await planFor(client, file, record);
    const isChanged = file.realPath !== undefined && plan.after !== file.text;
    if (isChanged && !dryRun) await apply(ledger, { file, record, plan });
    const { restored } = plan;
    if (json)
      return printJson({ client: client.id, path, isChanged, isRemoved: plan.after === undefined, dryRun, restored });
    if (!isChanged) return remark(`${path} has no playbook-mcp; nothing was changed.`);
    if (dryRun) {
      printExact(await diffOf([{ file, after: plan.after, format: client.format }]));
      return remark(dim(`Nothing was written to ${path}.`));
    }
    print(`${green(plan.after === undefined ? 'removed' : 'wrote')} ${path}`);
    if (restored.length > 0) remark(`back in it: ${restored.join(', ')}`);
    if ((record?.moved.length ?? 0) > 0)
      remark(`${yellow('note')}: your configuration of playbook-mcp keeps them too, for other clients.`);
  });
}

interface FoundPlan extends UninstallPlan {
  /** Whether the file will be what it was to the byte. */
  readonly isExact: boolean;
}

async function planFor(client: Client, file: TextFile, record: InstallRecord | undefined): Promise<FoundPlan> {
  if (file.realPath === undefined) return { after: file.text, restored: [], isExact: true };
  const before = await originalOf(record);
  const moved = record?.moved ?? [];
  const madeFile = record?.backups.length === 0;
  if (
    record?.isUntouched === true &&
    record.written === contentDigest(file.text) &&
    (madeFile || before !== undefined)
  ) {
    return { after: before, restored: moved, isExact: true };
  }
  const plan = planUninstall(client, file, {
    madeSection: record?.madeSection ?? false,
    madeFile,
    moved,
    before: before ?? '',
  });
  return { ...plan, isExact: false };
}

/** What the file was before the first install; undefined where there was none, or its backup is gone. */
async function originalOf(record: InstallRecord | undefined): Promise<string | undefined> {
  const [first] = record?.backups ?? [];
  if (first === undefined) return undefined;
  try {
    return decodeExactly(await readFile(first));
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

interface Application {
  readonly file: TextFile;
  readonly record: InstallRecord | undefined;
  readonly plan: FoundPlan;
}

async function apply(ledger: Ledger, { file, record, plan }: Application): Promise<void> {
  if (!plan.isExact) await ledger.backUp(file);
  if (plan.after === undefined) await removeTextFile(file, record?.madeFolder);
  else await writeTextFile(file, plan.after, 0o600);
  await ledger.forget(file.path, { keepsBackups: !plan.isExact });
}
