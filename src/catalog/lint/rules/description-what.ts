import { isEnglish } from '../english.ts';
import type { LintRule } from '../types.ts';

/** A sentence that only tells the situation: everything before its first comma is one. */
const ONLY_WHEN =
  /^(?:use|used|invoke|apply|trigger|activate|call|load|run)s?\b(?: \w+){0,4}? (?:when|whenever|if|before|after|while|during|once)\b|^(?:when|whenever|if)\b/i;
const FEWEST_WORDS = 4;
/** A longer situation tells what is done in it: “Use when validating an editable deck for geometry, …”. */
const MOST_WORDS = 9;

export const descriptionWhat: LintRule = {
  id: 'description-what',
  needs: 'playbook',
  severity: 'info',
  summary: 'The description does not say what the playbook does: it is too short, or only tells when to use it.',
  why: 'Of two playbooks for one situation an agent can only choose by what each of them does.',
  mend: 'Begin with a verb and its object: “Rolls back a bad release …”. Only English descriptions are judged.',
  check: ({ playbook: { description }, locate }) => {
    const text = description.trim();
    const words = text.split(/\s+/).length;
    const isShort = words < FEWEST_WORDS && /^[\x20-\x7e]+$/.test(text);
    const sentences = text.split(/(?<=[.!?])\s+|\s[—–-]{1,2}\s|\n+/).filter((sentence) => /\w/.test(sentence));
    const isOnlyWhen =
      words <= MOST_WORDS && isEnglish(text) && sentences.every((sentence) => ONLY_WHEN.test(sentence.trim()));
    if (!isShort && !isOnlyWhen) return [];
    return [
      {
        ...locate(['description']),
        message: isShort
          ? `The description has ${words} ${words === 1 ? 'word' : 'words'}.`
          : 'The description tells only when to use the playbook.',
        hint: 'Say first what it does, as a verb and its object.',
      },
    ];
  },
};
