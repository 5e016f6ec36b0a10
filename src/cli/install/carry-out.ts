import type { Client } from './clients.ts';
import type { InstallRecord, Ledger } from './ledger.ts';
import type { InstallPlan } from './plan.ts';
import { readTextFile, type TextFile, writeTextFile } from './text-file.ts';
import { contentDigest } from '../../playbooks/digest.ts';

/** What is to be carried out, and on what. */
interface Undertaking {
  readonly client: Client;
  readonly file: TextFile;
  /** Our own configuration. */
  readonly config: TextFile;
  readonly plan: InstallPlan;
  /** Whether other people read the client's file too. */
  readonly isShared: boolean;
}

/**
 * Writes what is planned: our configuration first, so that no server is ever in neither file, and puts it back where the client's
 * cannot be written.
 *
 * @returns path of the backup; undefined where no file was there, or nothing is to be written
 * @throws PlaybookError as `writeTextFile`.
 */
export async function carryOut(
  ledger: Ledger,
  { client, file, config, plan, isShared }: Undertaking,
): Promise<string | undefined> {
  if (plan.after === file.text) return undefined;
  const backup = file.realPath === undefined ? undefined : await ledger.backUp(file);
  if (plan.configAfter !== config.text) await writeTextFile(config, plan.configAfter, OURS_ONLY);
  let madeFolder: string | undefined;
  try {
    madeFolder = await writeTextFile(file, plan.after, isShared ? SHARED : OURS_ONLY);
  } catch (error) {
    if (plan.configAfter !== config.text) await putBack(config);
    throw error;
  }
  const record = { client, file, plan, backup, madeFolder };
  await ledger.remember(file.path, nextRecord(ledger.recordOf(file.path), record));
  return backup;
}

const SHARED = 0o644;
/** It may hold secrets. */
const OURS_ONLY = 0o600;

async function putBack(config: TextFile): Promise<void> {
  // A file that was not there stays as an empty configuration: that is what its absence meant.
  await writeTextFile(await readTextFile(config.path), config.text === '' ? '{}\n' : config.text, OURS_ONLY);
}

interface Written extends Pick<Undertaking, 'client' | 'file' | 'plan'> {
  readonly backup: string | undefined;
  readonly madeFolder: string | undefined;
}

/** A later install adds to what an earlier one did: what is to be restored is what was there before the first. */
function nextRecord(
  earlier: InstallRecord | undefined,
  { client, file, plan, backup, madeFolder }: Written,
): InstallRecord {
  const moved = plan.moved.map(({ name }) => name);
  const fresh = backup === undefined ? [] : [backup];
  const written = contentDigest(plan.after);
  if (earlier === undefined || file.realPath === undefined) {
    const folder = madeFolder === undefined ? {} : { madeFolder };
    const isUntouched = !plan.wasThere;
    return { client: client.id, written, isUntouched, backups: fresh, madeSection: plan.madeSection, moved, ...folder };
  }
  return {
    ...earlier,
    written,
    isUntouched: earlier.isUntouched && earlier.written === contentDigest(file.text),
    // Of a file that was not there the first state has no backup, so the list stays empty.
    backups: earlier.backups.length === 0 ? [] : [...earlier.backups, ...fresh],
    moved: [...new Set([...earlier.moved, ...moved])],
  };
}
