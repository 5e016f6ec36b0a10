import { nearestWord } from '../../../config/nearest.ts';
import { codeBlocksOf } from '../../../playbooks/prose.ts';
import { BRACES } from '../../../playbooks/render.ts';
import type { LintRule } from '../types.ts';

/** What could be a parameter's name; Helm's `.Values.x`, Jinja's filters and Handlebars' `#each` could not. */
const NAME = /^[A-Za-z_][\w-]*$/;

export const undeclaredParameter: LintRule = {
  id: 'undeclared-parameter',
  needs: 'fields',
  severity: 'warning',
  summary: 'The body has `{{name}}`, but `parameters` declares others and not this one.',
  why: 'Only declared parameters are replaced: the agent sees the braces.',
  mend: 'Declare the parameter, or correct its name. In a code block that uses no declared parameter, and in files that declare none, `{{…}}` is taken for another template language.',
  check: (file) => {
    const { playbook, body, bodyStart } = file;
    if (playbook.parameters.length === 0 || playbook.hasShellStyleArguments) return [];
    const declared = playbook.parameters.map(({ name }) => name);
    const found = [...body.matchAll(new RegExp(BRACES, 'gu'))].map(({ groups, index }) => ({
      name: groups?.braced ?? '',
      place: file.placeOf(bodyStart + index),
    }));
    const undeclared = found.filter(({ name }) => NAME.test(name) && !declared.includes(name));
    if (undeclared.length === 0) return [];
    const isForeign = foreignLines(body, declared);
    const meant = undeclared.filter(
      ({ name, place }) =>
        !isForeign(place.line - playbook.bodyLine) || nearestWord(name.slice(0, LONGEST_SLIP), declared) !== undefined,
    );
    const firstByName = new Map(meant.toReversed().map(({ name, place }) => [name, place]));
    return [...firstByName].reverse().map(([name, place]) => {
      const near = nearestWord(name, declared);
      return {
        ...place,
        message: `\`{{${name}}}\` is not declared, so it is not replaced.`,
        hint: near === undefined ? 'Declare it under `parameters`.' : `Did you mean \`{{${near}}}\`?`,
      };
    });
  },
};

/** A longer name is no slip of anybody's, and measuring it takes time. */
const LONGEST_SLIP = 64;

/**
 * Tells the lines, 0-based, of code blocks that use no declared parameter: what stands in braces there belongs to another template
 * language, unless it looks like a slip. In prose and code spans it is meant for us.
 */
function foreignLines(body: string, declared: readonly string[]): (line: number) => boolean {
  const lines = body.split('\n');
  const foreign = new Set<number>();
  for (const { start, end } of codeBlocksOf(body)) {
    const code = lines.slice(start, end).join('\n');
    const uses = [...code.matchAll(new RegExp(BRACES, 'gu'))];
    if (uses.some(({ groups }) => declared.includes(groups?.braced ?? ''))) continue;
    for (let line = start; line < end; line += 1) foreign.add(line);
  }
  return (line) => foreign.has(line);
}
