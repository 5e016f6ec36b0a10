import { findFailing } from './fix.ts';
import { findMergeable } from './merge.ts';
import { findMissing, toWriteProposals } from './missing.ts';
import type { Proposal, ReviewInput } from './proposal.ts';
import { findUnused } from './retire.ts';
import { findIgnored } from './rewrite.ts';
import { findStillUsed } from './undeprecate.ts';

/**
 * What a maintainer should do, by kind, the surest first within each. The same data give the same proposals in the same order. An entry
 * has one fate: what repeats another one is merged, not retired; what is listed in vain is rewritten before it is retired as unused.
 */
export function reviewUsage(input: ReviewInput): readonly Proposal[] {
  const missing = findMissing(input);
  const merge = findMergeable(input);
  const rewrite = findIgnored(input, missing);
  const settled = new Set([...merge.flatMap(({ entries }) => entries), ...rewrite.map(({ entry }) => entry)]);
  return [
    ...findFailing(input),
    ...findUnused(input).filter(({ entry }) => !settled.has(entry)),
    ...merge,
    ...rewrite,
    ...toWriteProposals(missing, input),
    ...findStillUsed(input),
  ];
}
