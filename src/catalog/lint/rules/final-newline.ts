import { endOfText } from '../end-of-text.ts';
import type { LintRule } from '../types.ts';

export const finalNewline: LintRule = {
  id: 'final-newline',
  needs: 'playbook',
  severity: 'info',
  summary: 'The file does not end with exactly one line end.',
  why: 'Diffs show the last line as changed when somebody adds one below it, and tools that join files run two lines together.',
  mend: '`lint --fix` mends it.',
  isFixable: true,
  check: ({ text, placeOf }) => {
    const end = endOfText(text);
    const tail = text.slice(end);
    if (tail === '\n' || text === '') return [];
    const message = tail.includes('\n\n')
      ? 'The file ends with blank lines.'
      : tail === ''
        ? 'The last line has no line end.'
        : 'The last line ends in blanks.';
    return [{ ...placeOf(end), message, hint: '`playbook-mcp lint --fix` mends it.' }];
  },
};
