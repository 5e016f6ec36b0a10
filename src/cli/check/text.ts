import type { CheckOutcome } from '../../server/check.ts';
import { whyNear } from '../../server/review-question.ts';
import type { ReviewVerdict } from '../../server/review-verdict.ts';
import { shownPath } from '../lint-formats/shown-path.ts';
import { textLines } from '../lint-formats/text.ts';
import { bold, dim, green, red } from '../print.ts';

/** Each playbook of a change with its neighbours, then what lint says. */
export function checkLines({ playbooks, deleted, diagnostics }: CheckOutcome, cwd: string): readonly string[] {
  return [
    ...playbooks.flatMap(({ id, change, path, oldId, neighbours }) => [
      `${bold(id)} ${change}${oldId === undefined || oldId === id ? '' : ` from ${oldId}`} ${dim(shownPath(path, cwd))}`,
      ...neighbours.map((neighbour) => `  near ${neighbour.entry.id}: ${whyNear(neighbour)}`),
    ]),
    ...(playbooks.length === 0 || deleted.length === 0 ? [] : [`deleted: ${deleted.join(', ')}`]),
    ...(diagnostics.length === 0 ? [] : ['']),
    ...textLines(diagnostics, cwd),
  ];
}

/** What a reviewer says of one playbook. */
export function verdictLine({ id, verdict, of, reason }: ReviewVerdict): string {
  const said = `${verdict}${of === undefined ? '' : ` of ${of.replace(/\s+/g, ' ')}`}`;
  return `${verdict === 'keep' ? green(said) : red(said)} ${bold(id)}: ${reason.replace(/\s+/g, ' ')}`;
}

/** Which playbooks are gone, to be put behind a sentence; '' where none are. */
export function deletedLine(deleted: readonly string[]): string {
  return deleted.length === 0 ? '' : ` Deleted: ${deleted.join(', ')}.`;
}
