import type { Diagnostic } from '../../model.ts';
import type { LintOutcome } from '../../server/lint.ts';
import { countBySeverity } from './counts.ts';
import { shownPath } from './shown-path.ts';

/** `lint --format json`; keys are stable API. */
export interface LintJson {
  readonly playbooks: number;
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  /** By path, then place. `path` is relative to the working directory where it lies below it. */
  readonly findings: readonly Diagnostic[];
  /** What could not be checked. */
  readonly notes: readonly string[];
}

export function toJsonReport({ diagnostics, notes, fileCount }: LintOutcome, cwd: string): LintJson {
  const { error, warning, info } = countBySeverity(diagnostics);
  const findings = diagnostics.map((diagnostic) => ({ ...diagnostic, path: shownPath(diagnostic.path, cwd) }));
  return { playbooks: fileCount, errors: error, warnings: warning, infos: info, findings, notes };
}
