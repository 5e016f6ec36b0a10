import { readFile, stat } from 'node:fs/promises';
import type { Catalog } from '../../catalog/catalog.ts';
import type { ExportedSkill } from '../../catalog/skill-export.ts';
import { PlaybookError } from '../../errors.ts';
import { isSystemError } from '../../files/places.ts';
import { readListedFile, supportingFilesOf } from '../../server/supporting-files.ts';

/** A file that an export consists of. */
export interface ExportedFile {
  /** Below the directory of the export, `/` between its parts. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** True for a script that may be run. */
  readonly isExecutable: boolean;
}

interface CollectedFiles {
  readonly files: readonly ExportedFile[];
  /** Supporting files that are linked and not there, or that must not be read. */
  readonly unreadable: readonly string[];
}

/** The files of skills: each one's `SKILL.md`, and its supporting files to the byte. */
export async function filesOf(catalog: Catalog, skills: readonly ExportedSkill[]): Promise<CollectedFiles> {
  const files: ExportedFile[] = [];
  const unreadable: string[] = [];
  for (const { name, entry, text } of skills) {
    files.push({ path: `${name}/SKILL.md`, bytes: Buffer.from(text), isExecutable: false });
    for (const path of supportingFilesOf(catalog, entry.playbook)) {
      const file = await supportingFile(catalog, entry.playbook, path);
      if (file === undefined) unreadable.push(`${entry.id}/${path}`);
      else files.push({ ...file, path: `${name}/${path}` });
    }
  }
  return { files, unreadable };
}

async function supportingFile(
  catalog: Catalog,
  playbook: ExportedSkill['entry']['playbook'],
  path: string,
): Promise<Omit<ExportedFile, 'path'> | undefined> {
  try {
    const found = await readListedFile(catalog, playbook, path);
    const { mode } = await stat(found.path);
    return { bytes: await readFile(found.path), isExecutable: (mode & 0o111) !== 0 };
  } catch (error) {
    if (error instanceof PlaybookError || isSystemError(error)) return undefined;
    throw error;
  }
}
