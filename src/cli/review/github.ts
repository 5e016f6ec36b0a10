import type { Diagnostic } from '../../model.ts';
import type { Proposal } from '../../usage/review/proposal.ts';
import { githubLines, githubNotice } from '../lint-formats/github.ts';
import { HEADINGS, subjectOf } from './headings.ts';

/** A workflow command for each proposal: at its file where it has one. */
export function reviewGithub(proposals: readonly Proposal[], cwd: string): readonly string[] {
  return proposals.flatMap((proposal) => {
    const text = `${subjectOf(proposal)}: ${proposal.reason}`;
    const path = 'path' in proposal ? proposal.path : null;
    if (path === null) return [githubNotice(HEADINGS[proposal.kind], `${text} ${proposal.command}`)];
    return githubLines([toDiagnostic(proposal, text, path)], cwd);
  });
}

function toDiagnostic({ kind, command }: Proposal, message: string, path: string): Diagnostic {
  return { rule: HEADINGS[kind], severity: 'warning', path, line: 1, column: 1, message, hint: command };
}
