import { findSecrets } from '../secret-shapes.ts';
import type { LintRule } from '../types.ts';

export const secret: LintRule = {
  id: 'secret',
  severity: 'error',
  summary: 'The file has what looks like a real token, key or password.',
  why: 'Whoever reads the playbook, the agents’ providers included, has the secret; it stays in the history of the repository.',
  mend: 'Revoke it first, then write where to get one: `$GITHUB_TOKEN`, or the name of the vault’s entry. Placeholders such as `<token>`, `ghp_xxxx` or AWS’s documented examples are not reported.',
  check: ({ text, placeOf }) =>
    findSecrets(text).map(({ index, what, shown }) => ({
      ...placeOf(index),
      message: `This is ${what} (${shown}).`,
      hint: 'Revoke it, and name the place where to get one instead.',
    })),
};
