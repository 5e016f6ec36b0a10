import type { Catalog } from '../catalog/catalog.ts';
import { resolveReferences } from '../catalog/references.ts';
import { PlaybookError } from '../errors.ts';
import { readSupportingFile, type SupportingFile } from '../files/read.ts';
import type { Playbook } from '../model.ts';

/** The files that belong to a playbook: those that it links to, then the others of a skill's folder; paths relative to its folder. */
export function supportingFilesOf(catalog: Catalog, playbook: Playbook): readonly string[] {
  return [...new Set([...resolveReferences(catalog, playbook).files, ...playbook.supportingFiles])];
}

/**
 * Reads a file that belongs to a playbook. Whatever else lies in its folder is nobody's supporting file: a flat playbook
 * shares its folder with others, and with configuration.
 *
 * @throws PlaybookError `files/unreadable`.
 */
export async function readListedFile(catalog: Catalog, playbook: Playbook, path: string): Promise<SupportingFile> {
  const listed = supportingFilesOf(catalog, playbook);
  if (listed.includes(path)) return readSupportingFile(playbook, path);
  throw new PlaybookError('files/unreadable', `"${path}" is not a supporting file of ${playbook.id}.`, {
    hint: listed.length === 0 ? 'It has none.' : `It has ${listed.map((file) => `${playbook.id}/${file}`).join(', ')}.`,
  });
}
