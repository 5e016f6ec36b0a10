import type { Diagnostic, Severity } from '../../model.ts';
import type { FixedFile, LintOutcome } from '../../server/lint.ts';
import { bold, dim, red, yellow } from '../print.ts';
import { shownPath } from './shown-path.ts';

const COLOURS: Readonly<Record<Severity, (text: string) => string>> = { error: red, warning: yellow, info: dim };

/** The findings below the path of their file, which a terminal makes a link: `line:column severity rule message`, then the hint. */
export function textLines(diagnostics: readonly Diagnostic[], cwd: string): readonly string[] {
  const lines: string[] = [];
  let file: string | undefined;
  for (const { path, line, column, severity, rule, message, hint } of diagnostics) {
    if (path !== file) lines.push(...(file === undefined ? [] : ['']), bold(shownPath(path, cwd)));
    file = path;
    lines.push(
      `  ${`${line}:${column}`.padEnd(7)} ${COLOURS[severity](severity.padEnd(7))} ${rule}  ${oneLine(message)}`,
    );
    if (hint !== undefined) lines.push(`  ${' '.repeat(15)} ${dim(oneLine(hint))}`);
  }
  return lines;
}

/** What was looked at and what was found. */
export function summaryLine({ diagnostics, fileCount }: LintOutcome): string {
  const found = (severity: Severity, one: string, many = `${one}s`): string => {
    const count = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
    return `${count} ${count === 1 ? one : many}`;
  };
  const files = `${fileCount} ${fileCount === 1 ? 'playbook' : 'playbooks'}`;
  if (diagnostics.length === 0) return `${files}: no findings`;
  return `\n${files}: ${found('error', 'error')}, ${found('warning', 'warning')}, ${found('info', 'note')}`;
}

/** What was mended, a line a file. */
export function fixLines(fixed: readonly FixedFile[], cwd: string): readonly string[] {
  return fixed.map(({ path, rules }) => `mended ${shownPath(path, cwd)}: ${rules.join(', ')}`);
}

/** A message quotes what an author wrote, which must not become another finding's line. */
function oneLine(text: string): string {
  return text.replace(/[\n\t]+/g, ' ');
}
