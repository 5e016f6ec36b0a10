import type { CommonOptions } from './options.ts';
import { changeStatus } from './status/change.ts';
import type { StatusOptions } from './status/request.ts';

/** Marks a playbook as one that should not be used any more: still found, ranked lower, and it says what replaces it. @throws PlaybookError as `changeStatus`. */
export async function deprecateCommand(common: CommonOptions, options: StatusOptions): Promise<void> {
  await changeStatus(common, 'deprecated', options);
}
