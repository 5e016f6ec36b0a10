import { counted, type Proposal } from '../review/proposal.ts';
import type { ReportProposal } from './data.ts';

const MOST_QUOTED = 3;

/** A proposal in words that need nothing beside them. */
export function toReportProposal(proposal: Proposal): ReportProposal {
  const { kind, reason, command } = proposal;
  return {
    kind,
    reason,
    command,
    entries: entriesOf(proposal),
    title: titleOf(proposal),
    details: detailsOf(proposal),
  };
}

function entriesOf(proposal: Proposal): readonly string[] {
  if (proposal.kind === 'write') return [];
  return proposal.kind === 'merge' ? proposal.entries : [proposal.entry];
}

function titleOf(proposal: Proposal): string {
  if (proposal.kind === 'write') return proposal.query;
  if (proposal.kind !== 'merge') return proposal.entry;
  const [keep, other] = proposal.entries;
  return `${other} into ${keep}`;
}

function detailsOf(proposal: Proposal): readonly string[] {
  switch (proposal.kind) {
    case 'retire': {
      const { referencedBy } = proposal.evidence;
      return referencedBy.length === 0 ? [] : [`Referred to by ${referencedBy.join(', ')}, not in use either.`];
    }
    case 'merge': {
      const { keepReason, uses } = proposal.evidence;
      return [`Uses: ${uses.join(' and ')}. Kept: ${keepReason}`];
    }
    case 'rewrite':
      return asked('Listed in vain for', proposal.evidence.queries);
    case 'fix': {
      const { errors, reports } = proposal.evidence;
      const codes = Object.entries(errors).map(([code, count]) => `${code} (${count})`);
      return [
        ...(codes.length === 0 ? [] : [`Errors: ${codes.join(', ')}.`]),
        ...reports.map(({ step, problem }) => `Reported${step === null ? '' : ` of “${step}”`}: ${problem}`),
      ];
    }
    case 'write':
      return [
        ...asked('Also asked as', proposal.evidence.queries.slice(1)),
        ...asked('Listed instead', proposal.evidence.shown),
      ];
    case 'undeprecate': {
      const { replacedBy, replacementUses } = proposal.evidence;
      if (replacedBy === null) return [];
      return [`Its replacement ${replacedBy} has ${counted(replacementUses ?? 0, 'use')}.`];
    }
  }
}

function asked(before: string, texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return [];
  const more = texts.length - MOST_QUOTED;
  const quotes = texts.slice(0, MOST_QUOTED).map((text) => `“${text}”`);
  return [`${before} ${quotes.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`];
}
