import type { Deprecation } from '../model.ts';
import { editProperty } from './edit-property.ts';

/**
 * The text of a configuration file in which an entry is retired, or is not any more; comments and everything else stay as they are.
 *
 * @param source the file's text; '' for one that does not exist yet
 * @param retired undefined to take the entry out
 * @throws PlaybookError `config/not-json`; `config/uneditable` where the entry cannot be put in.
 */
export function editRetired(
  source: string,
  path: string,
  { id, retired }: { readonly id: string; readonly retired: Deprecation | undefined },
): string {
  return editProperty(source, path, { keys: ['retired', id], value: retired });
}
