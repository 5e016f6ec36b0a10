import { nearestWord } from '../../../config/nearest.ts';
import { codeBlocksOf } from '../../../playbooks/prose.ts';
import { BRACES } from '../../../playbooks/render.ts';
import type { LintFile, LintRule } from '../types.ts';

/** What could be a parameter's name; Helm's `.Values.x`, Jinja's filters and Handlebars' `#each` could not. */
const NAME = /^[A-Za-z_][\w-]*$/;

export const undeclaredParameter: LintRule = {
  id: 'undeclared-parameter',
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
    const meant = undeclared.filter(({ name, place }) =>
      isMeant(file, { name, line: place.line - playbook.bodyLine, declared }),
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

interface Use {
  readonly name: string;
  /** 0-based line of the body. */
  readonly line: number;
  readonly declared: readonly string[];
}

/** In prose and code spans always; in a code block only among uses of declared ones, or where it looks like a slip. */
function isMeant({ body }: LintFile, { name, line, declared }: Use): boolean {
  const block = codeBlocksOf(body).find(({ start, end }) => line >= start && line < end);
  if (block === undefined || nearestWord(name, declared) !== undefined) return true;
  const code = body.split('\n').slice(block.start, block.end).join('\n');
  return [...code.matchAll(new RegExp(BRACES, 'gu'))].some(({ groups }) => declared.includes(groups?.braced ?? ''));
}
