import { findFailing } from './fix.ts';
import { findMergeable } from './merge.ts';
import { usageIdOf } from '../join.ts';
import type { Proposal, ReviewInput, UndeprecateProposal } from './proposal.ts';
import { findUnused } from './retire.ts';
import { findIgnored } from './rewrite.ts';
import { findStillUsed } from './undeprecate.ts';
import { allChoices, findUnserved } from './unserved.ts';
import { findMissing } from './write.ts';

/**
 * What a maintainer should do, by kind, the surest first within each. The same data give the same proposals in the same order. An entry
 * has one fate: what repeats another one is merged, not retired; what is listed in vain is rewritten before it is retired as unused.
 */
export function reviewUsage(input: ReviewInput): readonly Proposal[] {
  const choices = allChoices(input);
  const unserved = findUnserved(input, choices);
  const retire = findUnused(input);
  const merge = findMergeable(input, unserved);
  const undeprecate = findStillUsed(input);
  const merged = merge.flatMap(({ entries }) => entries);
  const rewrite = findIgnored(input, {
    choices,
    unserved,
    unused: new Set(retire.map(({ entry }) => entry)),
    explained: new Set([...merged, ...replacementsOf(undeprecate, input)]),
  });
  const settled = new Set([...merged, ...rewrite.map(({ entry }) => entry)]);
  return [
    ...findFailing(input),
    ...retire.filter(({ entry }) => !settled.has(entry)),
    ...merge,
    ...rewrite,
    ...findMissing(unserved, input),
    ...undeprecate,
  ];
}

function replacementsOf(proposals: readonly UndeprecateProposal[], { catalog }: ReviewInput): readonly string[] {
  return proposals.flatMap(({ evidence }) => {
    const replacement = evidence.replacedBy === null ? undefined : catalog.byId.get(evidence.replacedBy);
    return replacement === undefined ? [] : [usageIdOf(replacement)];
  });
}
