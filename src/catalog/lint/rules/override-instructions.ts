import { findOverrides, mayOverride } from '../overrides.ts';
import type { LintRule } from '../types.ts';

export const overrideInstructions: LintRule = {
  id: 'override-instructions',
  severity: 'error',
  summary:
    'The text tries to put itself above the agent’s own instructions, or to hide from the user what the agent does.',
  why: 'Such text is how a playbook that somebody else wrote takes over an agent.',
  mend: 'Delete it. Where a playbook about security shows such text as an example, put it into a code block, which is not looked at; in quotes it is a warning.',
  check: (file) =>
    // Telling prose from code means parsing markdown: only where there is something to tell.
    (mayOverride(file.text) ? findOverrides(file.prose) : []).map(({ index, phrase, isInComment, isMild }) => ({
      ...file.placeOf(index),
      message: `${isInComment ? 'A comment, which readers do not see, says' : 'This says'} "${phrase.replace(/\s+/g, ' ').slice(0, 80)}".`,
      hint: isMild
        ? 'Put it into a code block if it is an example; otherwise say it in another way.'
        : 'Delete it, and look who wrote it.',
      ...(isMild && { atMost: 'warning' as const }),
    })),
};
