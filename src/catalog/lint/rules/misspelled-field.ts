import { fieldMeantBy, mayMisspellMetadata, misspelledKeysWithin } from '../../../playbooks/meant-field.ts';
import { pathText } from '../../../playbooks/tree-paths.ts';
import type { LintFile, LintFinding, LintRule } from '../types.ts';

/** Fields whose own keys have a meaning, beside `metadata`; reading the front matter again takes a millisecond. */
const HAS_MAPS = /^(?:parameters|inputs|arguments|deprecated)[ \t]*:/m;

export const misspelledField: LintRule = {
  id: 'misspelled-field',
  needs: 'fields',
  severity: 'warning',
  summary: 'The front matter, or a parameter in it, has an unknown key that is nearly the name of a field.',
  why: 'Unknown keys are kept for other programs and mean nothing here: `example` is never searched, `requird: true` requires nothing, and nobody is told.',
  mend: 'Write the field as docs/authoring.md has it. If the key is meant for another program, disable the rule for that line and say so.',
  check: (file) => [...atTop(file), ...within(file)],
};

function atTop({ playbook, locate }: LintFile): readonly LintFinding[] {
  return Object.keys(playbook.extra).flatMap((key) => {
    const meant = fieldMeantBy(key);
    const message = `\`${key}\` is no field of a playbook and is ignored.`;
    // Of a missing description the loader has told which key was meant for it.
    const isTold = meant === 'description' && playbook.description === '';
    return meant === undefined || isTold ? [] : [{ ...locate([key]), message, hint: `Did you mean \`${meant}\`?` }];
  });
}

function within(file: LintFile): readonly LintFinding[] {
  if (!HAS_MAPS.test(file.text.slice(0, file.bodyStart)) && !mayMisspellMetadata(file.playbook)) return [];
  return misspelledKeysWithin(file.fields).map(({ path, meant }) => ({
    ...file.locate(path),
    message: `\`${String(path.at(-1))}\` means nothing in \`${pathText(path.slice(0, -1))}\` and is ignored.`,
    hint: `Did you mean \`${meant}\`?`,
  }));
}
