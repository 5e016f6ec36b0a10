import type { Diagnostic } from '../../model.ts';
import { shownPath } from './shown-path.ts';

const COMMANDS = { error: 'error', warning: 'warning', info: 'notice' } as const;

/** A workflow command for each finding, which GitHub shows at its line. @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
export function githubLines(diagnostics: readonly Diagnostic[], cwd: string): readonly string[] {
  return diagnostics.map(({ path, line, column, severity, rule, message, hint }) => {
    const file = property(shownPath(path, cwd));
    const text = hint === undefined ? message : `${message} ${hint}`;
    return `::${COMMANDS[severity]} file=${file},line=${line},col=${column},title=${property(rule)}::${data(text)}`;
  });
}

/** The same about something that is no line of a file. */
export function githubNotice(title: string, text: string): string {
  return `::notice title=${property(title)}::${data(text)}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
