import { isEnglish } from '../english.ts';
import type { LintRule } from '../types.ts';

/** Steps, so that there is an end which could be checked: fewer are a note. */
const FEWEST_STEPS = 4;
/** Lists of advice are numbered too; in a list of steps most items begin with what to do. */
const FEWEST_VERBS_RATIO = 0.6;
const ITEM = /^ {0,3}(?:#{2,4} +)?(?:step +)?(\d{1,2})[.):] +[*_[]*(?:\d+[.)] )?([A-Za-z]+)/i;
const VERB =
  /^(?:add|apply|ask|assign|attach|authorize|back|begin|build|bump|call|change|check|choose|clean|clear|click|clone|close|collect|commit|compile|configure|connect|convert|copy|create|define|delete|deploy|describe|determine|disable|download|draft|edit|enable|enter|execute|export|extract|fetch|fill|filter|find|fix|follow|format|gather|generate|get|give|go|grant|identify|implement|import|initialize|insert|install|invoke|launch|link|list|load|locate|log|look|make|map|merge|migrate|move|name|navigate|note|open|parse|paste|pick|place|prepare|process|publish|pull|push|put|query|read|rebuild|record|refactor|register|release|remove|rename|repeat|replace|request|resolve|restart|restore|retrieve|return|run|save|scan|search|select|send|set|share|show|sign|split|start|stop|store|submit|summarize|switch|sync|tag|take|tell|transform|trigger|type|uninstall|update|upgrade|upload|use|visit|wait|write)$/i;
/** Any word by which a text says that something is looked at afterwards, in prose or in code. */
const VERIFIES =
  /\b(?:verif\w*|validat\w*|checks?|checked|checking|checklist|checkpoints?|confirm\w*|tests?|tested|testing|ensur\w*|assert\w*|expect\w*|make sure|double-check|smoke|dry[- ]run|review\w*|inspect\w*|audit\w*|lint\w*|monitor\w*|measur\w*|compar\w*|evaluat\w*|success(?:ful|fully)?|criteria|done when|definition of done|output should|should (?:now |be |see |show |return |have |print |look )|looks? (?:right|correct|good)|status|health|preview|works?\b)|✅|✓|\[ \]/i;

export const missingVerification: LintRule = {
  id: 'missing-verification',
  needs: 'playbook',
  severity: 'info',
  summary: 'A playbook of several steps nowhere says how to see that they worked.',
  why: 'An agent takes the last step for success, and reports as done what is not.',
  mend: 'End with how the result is checked: a command and what it prints, or a “Done when” section. Only English texts are judged, and only lists of four and more numbered steps that say what to do.',
  check: (file) => {
    const { body, playbook, bodyStart, placeOf } = file;
    if (VERIFIES.test(body) || !isEnglish(playbook.description)) return [];
    const procedure = findProcedure(file.prose.slice(bodyStart));
    if (procedure === undefined) return [];
    return [
      {
        ...placeOf(bodyStart + procedure.offset),
        message: `There are ${procedure.count} steps, but none that checks the result.`,
        hint: 'Say after the last step what must be true then, and how to see it.',
      },
    ];
  },
};

/** What stands below such a heading is advice, in no order. */
const ADVICE =
  /^#{1,6} .*(?:practices|tips|guidelines|principles|notes|features|rules|recommendations|capabilities)\b/i;

interface Item {
  readonly number: number;
  readonly isVerb: boolean;
  readonly offset: number;
}

/** The last step of the longest list of steps; undefined where no list is one. */
function findProcedure(prose: string): { readonly count: number; readonly offset: number } | undefined {
  const lists: Item[][] = [];
  let offset = 0;
  let isAdvice = false;
  for (const line of prose.split('\n')) {
    const [, written = '', word = ''] = ITEM.exec(line) ?? [];
    if (line.startsWith('#') && written === '') isAdvice = ADVICE.test(line);
    if (written !== '' && !isAdvice) {
      const item = { number: Number(written), isVerb: VERB.test(word), offset };
      const list = lists.at(-1);
      if (list !== undefined && item.number === (list.at(-1)?.number ?? 0) + 1) list.push(item);
      else lists.push([item]);
    }
    offset += line.length + 1;
  }
  const steps = lists.filter(
    (list) =>
      list.length >= FEWEST_STEPS && list.filter(({ isVerb }) => isVerb).length >= list.length * FEWEST_VERBS_RATIO,
  );
  const longest = steps.toSorted((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : { count: longest.length, offset: longest.at(-1)?.offset ?? 0 };
}
