import type { JsonObject, Playbook } from '../model.ts';
import { shellPlaceholders } from './shell-arguments.ts';

/** Source of a regular expression: `{{name}}`, but not `${{name}}` (GitHub Actions) and not `{{{name}}}` (Handlebars); the group `braced` is the name. */
export const BRACES = String.raw`(?<![{$])\{\{[ \t]*(?<braced>[^\s{}]+)[ \t]*\}\}(?!\})`;

/**
 * The body with the arguments in the places of its declared parameters. Everything else that looks like a template stays
 * as it is, nothing is escaped, and a value that itself looks like a placeholder is not replaced again.
 *
 * An absent argument is its parameter's default, else empty; a list is joined by `, `. `$ARGUMENTS`, `$1` and `$name`
 * are replaced only where the file declares Claude Code's `arguments` or `argument-hint`.
 */
export function renderPlaybook(playbook: Playbook, args: JsonObject): string {
  const values = new Map(playbook.parameters.map((parameter) => [parameter.name, valueText(args, parameter)]));
  const shell = playbook.hasShellStyleArguments ? shellPlaceholders(playbook, values) : undefined;
  // One pass over both forms: a second one would read the values that the first put in.
  const pattern = new RegExp(shell === undefined ? BRACES : `${BRACES}|${shell.pattern}`, 'gu');
  const parts: string[] = [];
  let done = 0;
  for (const match of playbook.body.matchAll(pattern)) {
    const groups = match.groups ?? {};
    const value = groups.braced === undefined ? shell?.valueOf(groups) : values.get(groups.braced);
    if (value === undefined) continue;
    parts.push(playbook.body.slice(done, match.index), value);
    done = match.index + match[0].length;
  }
  const text = parts.join('') + playbook.body.slice(done);
  // As Claude Code does: arguments that the body has no place for are not lost.
  const isUnplaced = parts.length === 0 && shell !== undefined && shell.all !== '';
  return isUnplaced ? `${text.trimEnd()}\n\nARGUMENTS: ${shell.all}\n` : text;
}

function valueText(args: JsonObject, parameter: { readonly name: string; readonly default?: unknown }): string {
  const given = Object.hasOwn(args, parameter.name) ? args[parameter.name] : undefined;
  return toText(given ?? parameter.default);
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(toText).join(', ');
  return JSON.stringify(value);
}
