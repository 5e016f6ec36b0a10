import { KIND_WORDS } from '../catalog/duplicates/kind.ts';
import { PlaybookError } from '../errors.ts';
import type { Entry, Playbook } from '../model.ts';
import type { RepeatedEntry } from './duplicate-lookup.ts';
import { referenceLine } from './get-schema-tool.ts';
import { summaryOf } from './summary.ts';

/** Lines of a diff that are shown: what is different in a near copy; of two texts in other words all lines are. */
const MOST_DIFF_LINES = 120;
const LONGEST_LINE = 400;
/** Two long texts without a common line would be compared for minutes. */
const DIFF_TIMEOUT_MS = 500;
const LONGEST_PASSAGE = 200;
const MOST_SIMILAR = 3;

/** The refusal of a playbook that another one tells already: which, what they share, and what is different. */
export async function duplicateOf(duplicate: RepeatedEntry, proposed: Playbook): Promise<PlaybookError> {
  const { entry, kind, overlapRatio, passage } = duplicate;
  const overlap = kind === 'exact' ? '' : ` (overlap ${Math.floor(overlapRatio * 100)} %)`;
  const marks = entry.status === 'active' ? '' : ` [${entry.status}]`;
  const diff = await unifiedDiff(entry, proposed);
  const message = [
    `Nothing was written: ${entry.id}${marks} of ${entry.source} has ${KIND_WORDS[kind]}${overlap}.`,
    `It is ${entry.playbook.path}: ${summaryOf(entry.description)}`,
    ...(passage === undefined
      ? []
      : [`Both say, in ${passage.wordCount} words: "${summaryOf(passage.text, LONGEST_PASSAGE)}"`]),
    ...(diff === undefined ? [] : [`From the one that exists to the proposed one:\n${diff}`]),
  ].join('\n');
  return new PlaybookError('catalog/duplicate', message, { hint: hintFor(entry) });
}

/** Entries on like subjects, a line each. */
export function similarLines(entries: readonly Entry[]): readonly string[] {
  const lines = [...new Set(entries)].slice(0, MOST_SIMILAR).map((entry) => `- ${referenceLine(entry)}`);
  return lines.length === 0 ? [] : ['On like subjects (refer to one instead of repeating it):', ...lines];
}

function hintFor({ id, status, deprecation }: Entry): string {
  if (status === 'retired' || status === 'deprecated') {
    const replacement = deprecation?.replacedBy;
    return replacement === undefined
      ? `${id} is ${status}${deprecation?.reason === undefined ? '' : ` (${deprecation.reason})`}: tell a person what you would bring back.`
      : `${id} is ${status}; execute ${replacement} instead.`;
  }
  return `Execute ${id} instead. If yours is better, change that file, or tell its owner; if the task is another one, say in other words what is different.`;
}

async function unifiedDiff({ id, playbook }: RepeatedEntry['entry'], proposed: Playbook): Promise<string | undefined> {
  const { createTwoFilesPatch } = await import('diff');
  const patch = createTwoFilesPatch(id, `${proposed.id} (proposed)`, textOf(playbook), textOf(proposed), '', '', {
    context: 2,
    timeout: DIFF_TIMEOUT_MS,
  });
  if (patch === undefined) return undefined;
  // The first line underlines a header that is not there.
  const lines = patch.trimEnd().split('\n').slice(1);
  const shown = lines.slice(0, MOST_DIFF_LINES).map((line) => line.slice(0, LONGEST_LINE));
  const left = lines.length - shown.length;
  return [...shown, ...(left > 0 ? [`[${left} more lines]`] : [])].join('\n');
}

/** What two playbooks are compared by, less their names, which always differ. */
function textOf({ description, body }: Playbook): string {
  return `${description.trim()}\n\n${body.trim()}\n`;
}
