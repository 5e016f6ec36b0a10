import { messageOf } from '../errors.ts';
import type { Diagnostic, Severity } from '../model.ts';

/** Bytes of a file, above which it is not read: no playbook comes near, and an agent could not use more. */
export const MOST_BYTES = 1024 * 1024;

interface Details {
  /** `warning` where absent. */
  readonly severity?: Severity;
  readonly message: string;
  readonly hint?: string;
}

/** A diagnostic about a file or folder as a whole. */
export function finding(path: string, rule: string, { severity = 'warning', ...details }: Details): Diagnostic {
  return { rule, severity, path, line: 1, column: 1, ...details };
}

/** A file that is over the limit. */
export function tooLarge(path: string, size: number): Diagnostic {
  return finding(path, 'file-too-large', {
    severity: 'error',
    message: `The file has ${size} bytes, more than ${MOST_BYTES}, and was left out.`,
    hint: 'Split it, or move what is not instructions into supporting files.',
  });
}

/** A file or folder that the system will not give. */
export function unreadable(path: string, what: 'file' | 'folder', error: unknown): Diagnostic {
  return finding(path, `unreadable-${what}`, {
    severity: 'error',
    message: `The ${what} cannot be read: ${messageOf(error)}.`,
  });
}
