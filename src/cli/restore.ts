import type { CommonOptions } from './options.ts';
import { changeStatus } from './status/change.ts';
import type { StatusOptions } from './status/request.ts';

/** Puts an entry that was deprecated or retired back into use. @throws PlaybookError as `changeStatus`. */
export async function restoreCommand(common: CommonOptions, options: StatusOptions): Promise<void> {
  await changeStatus(common, 'active', options);
}
