import { groupBy } from '../../catalog/group.ts';
import type { Proposal } from '../../usage/review/proposal.ts';
import { evidenceLines, HEADINGS, subjectOf } from './headings.ts';

/** A report for an issue: a section for each kind, an item with a box to tick for each proposal. */
export function reviewMarkdown(proposals: readonly Proposal[]): string {
  if (proposals.length === 0) return 'Nothing to propose.';
  return [...groupBy(proposals, ({ kind }) => kind)]
    .map(([kind, ofKind]) => [`## ${HEADINGS[kind]} (${ofKind.length})`, '', ...ofKind.map(item)].join('\n'))
    .join('\n\n');
}

function item(proposal: Proposal): string {
  const evidence = evidenceLines(proposal).map((line) => `  ${escaped(line)}  `);
  return [
    `- [ ] **${escaped(subjectOf(proposal))}** — ${escaped(proposal.reason)}  `,
    ...evidence,
    `  ${codeSpan(proposal.command)}`,
  ].join('\n');
}

/** Queries and reports are what anybody wrote: no markup of theirs becomes ours, and nobody is mentioned. */
function escaped(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>#|~]/g, String.raw`\$&`)
    .replaceAll('@', '@\u200B');
}

/** A fence longer than any run of backticks within. */
function codeSpan(command: string): string {
  const line = command.replace(/\s+/g, ' ');
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}
