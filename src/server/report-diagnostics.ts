import type { Diagnostic } from '../model.ts';
import type { Log } from '../tools/log.ts';

/**
 * Puts on the log what a person should know of at once, a line each; notes of severity info are for `doctor` alone.
 *
 * @param most lines; the rest is counted.
 */
export function reportDiagnostics(log: Log, diagnostics: readonly Diagnostic[], most: number = Infinity): void {
  const grave = diagnostics.filter(({ severity }) => severity !== 'info');
  for (const { path, line, column, message, rule, hint } of grave.slice(0, most)) {
    log('warn', `${path}:${line}:${column}: ${message}`, { rule, ...(hint === undefined ? {} : { hint }) });
  }
  const rest = grave.length - most;
  if (rest > 0) log('warn', `… and ${rest} more; run playbook-mcp doctor to see them all.`, {});
}
