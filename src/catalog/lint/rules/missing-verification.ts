import { isEnglish } from '../english.ts';
import type { LintFile, LintRule } from '../types.ts';

/** Steps, so that there is an end which could be checked: fewer are a note, and prose without any is knowledge. */
const FEWEST_STEPS = 4;
const STEP = /^ {0,3}(?:\d+[.)] |#{1,4} +(?:step|phase|stage) *\d|#{1,4} +\d+[.):] )/gim;
/** Any word by which a text says that something is looked at afterwards, in prose or in code. */
const VERIFIES =
  /\b(?:verif\w*|validat\w*|checks?|checked|checking|checklist|checkpoints?|confirm\w*|tests?|tested|testing|ensur\w*|assert\w*|expect\w*|make sure|double-check|smoke|dry[- ]run|review\w*|inspect\w*|audit\w*|lint\w*|monitor\w*|measur\w*|compar\w*|evaluat\w*|success(?:ful|fully)?|criteria|done when|definition of done|output should|should (?:now |be |see |show |return |have |print |look )|looks? (?:right|correct|good)|status|health|preview|works?\b)|✅|✓|\[ \]/i;

export const missingVerification: LintRule = {
  id: 'missing-verification',
  severity: 'info',
  summary: 'A playbook of several steps nowhere says how to see that they worked.',
  why: 'An agent takes the last step for success, and reports as done what is not.',
  mend: 'End with how the result is checked: a command and what it prints, or a “Done when” section. Only English texts with numbered steps are judged.',
  check: ({ playbook: { body, description }, text, bodyStart, placeOf }: LintFile) => {
    if (VERIFIES.test(body) || !isEnglish(description)) return [];
    const steps = [...body.matchAll(STEP)];
    const last = steps.at(-1);
    if (last === undefined || steps.length < FEWEST_STEPS) return [];
    return [
      {
        ...placeOf(Math.min(text.length, bodyStart + last.index)),
        message: `There are ${steps.length} steps, but none that checks the result.`,
        hint: 'Say after the last step what must be true then, and how to see it.',
      },
    ];
  },
};
