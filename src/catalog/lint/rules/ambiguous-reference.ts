import { placeOfTarget, referencesOf } from '../reference-places.ts';
import type { LintRule } from '../types.ts';

const MOST_NAMED = 4;

export const ambiguousReference: LintRule = {
  id: 'ambiguous-reference',
  severity: 'error',
  summary: 'A reference is a name that several playbooks share.',
  why: 'Which of them is meant cannot be known, so the reference leads nowhere.',
  mend: 'Write the id of the one that is meant, or a relative path.',
  check: (file, { catalog }) =>
    referencesOf(catalog, file.playbook).flatMap((reference) => {
      if (reference.kind !== 'dangling' || reference.namesakes.length < 2) return [];
      const ids = reference.namesakes.map(({ id }) => id);
      const more = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : '';
      return [
        {
          ...placeOfTarget(file, reference.target),
          message: `"${reference.target.written}" is the name of ${ids.length} playbooks.`,
          hint: `Write one of their ids: ${ids.slice(0, MOST_NAMED).join(', ')}${more}.`,
        },
      ];
    }),
};
