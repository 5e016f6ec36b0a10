import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { type Env, stateDirs } from '../../config/index.ts';
import { isSystemError } from '../../files/places.ts';
import { replaceFile, withLock } from '../../files/replace-file.ts';
import { CLIENT_IDS } from './client-paths.ts';
import type { TextFile } from './text-file.ts';
import { contentDigest } from '../../playbooks/digest.ts';

const recordSchema = z.object({
  client: z.enum(CLIENT_IDS),
  /** SHA-256 of the file as we wrote it last, hex. */
  written: z.string(),
  /** Whether nobody but us has changed the file since the first backup. */
  isUntouched: z.boolean(),
  /** Absolute paths, the oldest first; [] where there was no file. */
  backups: z.array(z.string()),
  /** Whether the section that holds the servers is ours. */
  madeSection: z.boolean(),
  /** The topmost folder that was made for the file. */
  madeFolder: z.string().exactOptional(),
  /** Names of servers that were moved behind us. */
  moved: z.array(z.string()),
});

/** What was done to one client's file, so that it can be undone. */
export type InstallRecord = Readonly<z.infer<typeof recordSchema>>;

const ledgerSchema = z.record(z.string(), recordSchema);

/** What `install` has done on this machine: one file of ours, by the absolute path of the client's. */
export class Ledger {
  readonly #folder: string;
  readonly #records: Map<string, InstallRecord>;

  private constructor(folder: string, records: ReadonlyMap<string, InstallRecord>) {
    this.#folder = folder;
    this.#records = new Map(records);
  }

  /** Runs `use` while no other process changes a client's file. */
  static async with<T>(env: Env, use: (ledger: Ledger) => Promise<T>): Promise<T> {
    const folder = join(stateDirs(env).data, 'installs');
    return withLock(join(folder, 'installs.json'), async () => use(new Ledger(folder, await recordsIn(folder))));
  }

  recordOf(path: string): InstallRecord | undefined {
    return this.#records.get(path);
  }

  /** Keeps the file's bytes where only this person can read them: they may hold secrets. @returns the backup's path. */
  async backUp({ path, text }: TextFile): Promise<string> {
    const moment = new Date().toISOString().replaceAll(/[-:.]/g, '');
    const backup = join(
      this.#folder,
      `${contentDigest(path).slice(0, 8)}-${moment}-${basename(path).replace(/^\./, '')}`,
    );
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeFile(backup, text, { mode: 0o600, flag: 'wx' });
    return backup;
  }

  async remember(path: string, record: InstallRecord): Promise<void> {
    this.#records.set(path, record);
    await this.#save();
  }

  /** @param keepsBackups true where the file is not what it was before. */
  async forget(path: string, { keepsBackups }: { readonly keepsBackups: boolean }): Promise<void> {
    const backups = this.#records.get(path)?.backups ?? [];
    this.#records.delete(path);
    await this.#save();
    if (!keepsBackups) await Promise.all(backups.map((backup) => rm(backup, { force: true })));
  }

  async #save(): Promise<void> {
    const text = JSON.stringify(Object.fromEntries(this.#records), undefined, 2);
    await replaceFile(join(this.#folder, 'installs.json'), `${text}\n`);
  }
}

async function recordsIn(folder: string): Promise<ReadonlyMap<string, InstallRecord>> {
  try {
    const text = await readFile(join(folder, 'installs.json'), 'utf8');
    return new Map(Object.entries(ledgerSchema.parse(JSON.parse(text))));
  } catch (error) {
    // One that cannot be read costs only exactness: entries are then taken out of files as they are found.
    if (isSystemError(error) || error instanceof SyntaxError || error instanceof z.ZodError) return new Map();
    throw error;
  }
}
