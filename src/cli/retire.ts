import type { CommonOptions } from './options.ts';
import { changeStatus } from './status/change.ts';
import type { StatusOptions } from './status/request.ts';

/** Takes an entry out of search; executing it answers with what replaces it. @throws PlaybookError as `changeStatus`. */
export async function retireCommand(common: CommonOptions, options: StatusOptions): Promise<void> {
  await changeStatus(common, 'retired', options);
}
