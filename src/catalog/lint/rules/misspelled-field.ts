import { fieldMeantBy } from '../../../playbooks/meant-field.ts';
import type { LintRule } from '../types.ts';

export const misspelledField: LintRule = {
  id: 'misspelled-field',
  severity: 'warning',
  summary: 'The front matter has an unknown key that is nearly the name of a field.',
  why: 'Unknown keys are kept for other programs and mean nothing here: `example` is never searched, `tag` narrows nothing, and nobody is told.',
  mend: 'Write the field as docs/authoring.md has it. If the key is meant for another program, disable the rule for that line and say so.',
  check: ({ playbook, locate }) =>
    Object.keys(playbook.extra).flatMap((key) => {
      const meant = fieldMeantBy(key);
      const message = `\`${key}\` is no field of a playbook and is ignored.`;
      return meant === undefined ? [] : [{ ...locate([key]), message, hint: `Did you mean \`${meant}\`?` }];
    }),
};
