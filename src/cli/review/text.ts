import { groupBy } from '../../catalog/group.ts';
import type { Proposal } from '../../usage/review/proposal.ts';
import { bold, dim, oneLine } from '../print.ts';
import { evidenceLines, HEADINGS, subjectOf } from './headings.ts';

/** Proposals for the person at the terminal, by kind. */
export function reviewText(proposals: readonly Proposal[]): string {
  return [...groupBy(proposals, ({ kind }) => kind)]
    .map(([kind, ofKind]) => [bold(`${HEADINGS[kind]} (${ofKind.length})`), ...ofKind.map(item)].join('\n'))
    .join('\n\n');
}

function item(proposal: Proposal): string {
  return [
    `  ${oneLine(`${subjectOf(proposal)}: ${proposal.reason}`)}`,
    ...evidenceLines(proposal).map((line) => dim(`    ${oneLine(line)}`)),
    `    ${oneLine(proposal.command)}`,
  ].join('\n');
}
