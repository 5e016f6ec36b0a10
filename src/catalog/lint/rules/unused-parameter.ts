import { BRACES } from '../../../playbooks/render.ts';
import { ALL_ARGUMENTS } from '../../../playbooks/shell-arguments.ts';
import type { LintRule } from '../types.ts';

/** Where they are, any of the arguments may be meant. */
const BY_POSITION = /(?<![\\$])\$(?:\d|ARGUMENTS)/;

export const unusedParameter: LintRule = {
  id: 'unused-parameter',
  needs: 'fields',
  severity: 'warning',
  summary: 'A declared parameter does not occur in the body.',
  why: 'The caller must think of a value that changes nothing: only `{{name}}` in the body is replaced.',
  mend: 'Write `{{name}}` where the value belongs, or take the parameter out.',
  check: ({ playbook, body, locate }) => {
    const { parameters, hasShellStyleArguments } = playbook;
    if (parameters.length === 0 || (hasShellStyleArguments && BY_POSITION.test(body))) return [];
    const used = new Set([...body.matchAll(new RegExp(BRACES, 'gu'))].map(({ groups }) => groups?.braced));
    // Without any placeholder Claude Code adds the arguments at the end of the text, and so do we.
    const isNamed = (name: string): boolean => hasShellStyleArguments && body.includes(`$${name}`);
    const unused = parameters.filter(({ name }) => name !== ALL_ARGUMENTS && !used.has(name) && !isNamed(name));
    if (hasShellStyleArguments && unused.length === parameters.length) return [];
    return unused.map(({ name }) => ({
      ...locate(
        pathOf(
          parameters.findIndex((parameter) => parameter.name === name),
          locate,
        ),
      ),
      message: `The parameter "${name}" does not occur in the body.`,
      hint: `Write \`{{${name}}}\` where its value belongs, or take it out.`,
    }));
  },
};

/** The list under which an item stands: ours, or OpenHands' `inputs`. */
function pathOf(
  index: number,
  locate: (path: readonly PropertyKey[]) => { readonly line: number },
): readonly PropertyKey[] {
  const list = ['parameters', 'inputs', 'arguments'].find((key) => locate([key]).line > 1) ?? 'parameters';
  return [list, index];
}
