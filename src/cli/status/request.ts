import { PlaybookError } from '../../errors.ts';
import { lineOf } from '../../playbooks/text-schema.ts';
import type { StatusRequest } from '../../server/status-plan.ts';

/** The flags of `deprecate`, `retire` and `restore`, as commander reads them; each command has some of them. */
export interface StatusOptions {
  readonly id: string;
  readonly reason?: string;
  readonly since?: string;
  readonly replace?: string;
  readonly force?: boolean;
  /** Only print what would be changed. */
  readonly dryRun?: boolean;
  /** Edit the configuration, for a tool. */
  readonly write?: boolean;
  readonly json?: boolean;
}

/** What the flags ask for. @throws PlaybookError `cli/usage`. */
export function toRequest(status: StatusRequest['status'], options: StatusOptions): StatusRequest {
  const { since, reason, replace, force = false } = options;
  return {
    status,
    ...(since === undefined ? {} : { since: textOf('since', since) }),
    ...(reason === undefined ? {} : { reason: textOf('reason', reason) }),
    ...(replace === undefined ? {} : { replace }),
    isForced: force,
  };
}

/** As one line, which is how front matter is read. */
function textOf(flag: string, written: string): string {
  const text = lineOf(written);
  if (text !== '') return text;
  throw new PlaybookError('cli/usage', `--${flag} is blank.`, { hint: 'Give it a text, or leave it out.' });
}
