import { isEnglish } from '../english.ts';
import type { LintRule } from '../types.ts';

/** Words by which English descriptions say when: conditions, triggers, the situations that they are for. */
const WHEN = new RegExp(
  [
    String.raw`\b(?:when(?:ever)?|if|while|before|after|during|upon|once|unless|instead of|in case|as soon as|the (?:moment|first time|next time|minute))\b`,
    String.raw`\b(?:use[ds]?|using|useful|helpful|ideal|perfect|best|good|great|suitable|suited|designed|intended|meant|made|built|needed|required|essential|recommended|relevant|appropriate)(?: (?:it|this|these|proactively|primarily|only|also|by [\w-]+|skill|tool|agent|playbook|guide|workflow|immediately|together))* (?:for|to|as|on|at|by|in|with)\b`,
    String.raw`\b(?:trigger(?:s|ed|ing)?|invoke[ds]?|activate[sd]?|load(?:s|ed)?|call(?:s|ed)? (?:this|it|by|for|on))\b`,
    String.raw`\b(?:users?|someone|anyone|you|people|developers?|teams?) (?:\w+ )?(?:asks?|says?|mentions?|wants?|needs?|requests?|provides?|shares?|has|have|is|are|must|should)\b`,
    String.raw`\b(?:applies|apply|helps?|run|use|consult|read|see) (?:\w+ )?(?:to|with|for|this|it|in|on|across)\b`,
    String.raw`\bfor (?:any|all|every|each|tasks?|projects?|users?|teams?|developers?|questions?|requests?|working|anything|those|use)\b`,
    String.raw`\b(?:scenarios?|use cases?|situations?|cases?|requests?|tasks|queries|questions) (?:like|such as|include|including|involving|about|where|that|related)\b`,
    String.raw`\b(?:use cases?|keywords?|examples?|covers?|scope|triggers?)\s*[:(]`,
  ].join('|'),
  'i',
);

export const descriptionWhen: LintRule = {
  id: 'description-when',
  needs: 'playbook',
  severity: 'warning',
  summary: 'The description says what the playbook does, but not when to use it.',
  why: 'An agent decides by the description alone whether to load a playbook. Without the situation it is found by luck, or loaded for the wrong task.',
  mend: 'Add a sentence that begins with “Use when …” and has the words that somebody with the problem would use. Only English descriptions are judged.',
  check: ({ playbook: { description }, locate }) =>
    WHEN.test(description) || !isEnglish(description)
      ? []
      : [
          {
            ...locate(['description']),
            message: 'The description does not say when to use the playbook.',
            hint: 'Add “Use when …” with the words of somebody who has the problem.',
          },
        ],
};
