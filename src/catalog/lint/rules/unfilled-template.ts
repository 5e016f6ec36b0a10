import { UNFILLED } from '../../../playbooks/compose.ts';
import type { LintRule } from '../types.ts';

const TEMPLATE = Object.values(UNFILLED);
/** What generators of skills leave in brackets, and an item or line that is nothing but a note to its author; not the mere word. */
const NOTE =
  /\[(?:TODO|TBD|FIXME):[^\]\n]{0,300}\]|^[ \t]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(?:TODO|TBD|FIXME)(?::[^\n]{0,300})?[ \t]*$/gm;

export const unfilledTemplate: LintRule = {
  id: 'unfilled-template',
  severity: 'error',
  summary: 'A sentence of the template that `new` writes still stands there, or a note such as `[TODO: …]` does.',
  why: 'An agent takes it for the instructions: it does what the template says, or makes up what nobody has written.',
  mend: 'Write in its place what it asks for, or delete it with its heading. In a draft, and for a note, it is a warning.',
  check: (file) => {
    const { text } = file;
    if (!TEMPLATE.some((sentence) => text.includes(sentence)) && !/\b(?:TODO|TBD|FIXME)\b/.test(text)) return [];
    const { prose, playbook, placeOf } = file;
    const left = TEMPLATE.map((sentence) => ({ index: prose.indexOf(sentence), shown: sentence, isNote: false }));
    const notes = [...prose.matchAll(NOTE)].map(({ 0: note, index }) => ({
      index: index + note.search(/\S/),
      shown: note.trim(),
      isNote: true,
    }));
    return [...left, ...notes]
      .filter(({ index }) => index !== -1)
      .map(({ index, shown, isNote }) => ({
        ...placeOf(index),
        message: `This is still to be written: "${shown.slice(0, LONGEST_SHOWN)}${shown.length > LONGEST_SHOWN ? '…' : ''}"`,
        hint: 'Write it, or delete it with its heading.',
        ...((isNote || playbook.status === 'draft') && { atMost: 'warning' as const }),
      }));
  },
};

const LONGEST_SHOWN = 80;
