import type { Proposal, ProposalKind } from '../../usage/review/proposal.ts';

/** What each kind asks a maintainer to do. */
export const HEADINGS: Readonly<Record<ProposalKind, string>> = {
  fix: 'Fix what fails',
  retire: 'Retire what nobody uses',
  merge: 'Merge what repeats each other',
  rewrite: 'Rewrite what is listed and passed by',
  write: 'Write what is missing',
  undeprecate: 'Restore what is still used',
};

/** What a proposal is about, in a few words. */
export function subjectOf(proposal: Proposal): string {
  switch (proposal.kind) {
    case 'merge':
      return proposal.entries.join(' and ');
    case 'write':
      return `“${proposal.query}”`;
    case 'fix':
    case 'retire':
    case 'rewrite':
    case 'undeprecate':
      return proposal.entry;
  }
}

/** Lines that show why, beside the reason; [] where the reason says it all. */
export function evidenceLines(proposal: Proposal): readonly string[] {
  switch (proposal.kind) {
    case 'write': {
      const { queries } = proposal.evidence;
      return queries.length > 1 ? [`also asked as: ${quotedList(queries.slice(1, 4))}`] : [];
    }
    case 'rewrite':
      return proposal.evidence.queries.length > 0
        ? [`listed for: ${quotedList(proposal.evidence.queries.slice(0, 3))}`]
        : [];
    case 'fix': {
      const { errors, reports } = proposal.evidence;
      const codes = Object.entries(errors).map(([code, count]) => `${code} ${count}×`);
      return [
        ...(codes.length > 0 ? [codes.slice(0, 3).join(', ')] : []),
        ...reports.map(({ step, problem }) => (step === null ? problem : `${step}: ${problem}`)),
      ];
    }
    case 'merge':
      return [`keep ${proposal.keep}: ${proposal.evidence.keepReason}`];
    case 'retire': {
      const { referencedBy } = proposal.evidence;
      return referencedBy.length > 0 ? [`referred to by ${referencedBy.join(', ')}, not used either`] : [];
    }
    case 'undeprecate':
      return [];
  }
}

function quotedList(queries: readonly string[]): string {
  return queries.map((query) => `“${query}”`).join(', ');
}
