import { countLineEnds } from '../../../playbooks/decode.ts';
import { exceedsTokens, mostTokensOf, tokenCountOf } from '../../tokens.ts';
import type { LintRule } from '../types.ts';

const MOST_LINES = 500;
const MOST_TOKENS = 5_000;
/** Characters; a megabyte takes a third of a second. */
const MOST_COUNTED = 400_000;

/** @see https://agentskills.io/specification, progressive disclosure */
export const longBody: LintRule = {
  id: 'long-body',
  severity: 'warning',
  summary: `The body is longer than ${MOST_LINES} lines or ${MOST_TOKENS.toLocaleString('en')} tokens.`,
  why: 'Whoever executes the playbook pays for all of it, whichever part the task needs.',
  mend: 'Move what only some tasks need into supporting files or playbooks of their own, and link to them. Tokens are an estimate.',
  check: ({ body, playbook: { bodyLine } }) => {
    const lines = countLineEnds(body.trimEnd()) + 1;
    const isLong = lines > MOST_LINES;
    // Counting takes longer than all other rules together, and no text has a token for less than two bytes.
    const mayBeLong = Buffer.byteLength(body) > 2 * MOST_TOKENS && mostTokensOf(body) > MOST_TOKENS;
    if (!isLong && !mayBeLong) return [];
    const count = tokenCountOf(body.slice(0, MOST_COUNTED));
    const isBelow = count <= MOST_TOKENS && !(body.length > MOST_COUNTED && exceedsTokens(body, MOST_TOKENS));
    if (!isLong && isBelow) return [];
    const tokens = count.toLocaleString('en');
    const size = isLong ? `${lines} lines and about ${tokens} tokens` : `about ${tokens} tokens`;
    const line = isLong ? bodyLine + MOST_LINES : bodyLine;
    return [
      {
        line,
        column: 1,
        message: `The body has ${size}; the budget is ${MOST_LINES} lines and ${MOST_TOKENS.toLocaleString('en')} tokens.`,
        hint: 'Move parts that only some tasks need into supporting files or other playbooks, and link to them.',
      },
    ];
  },
};
