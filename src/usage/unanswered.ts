import type { Folded } from './fold/fold.ts';
import { groupUnanswered, type QueryGroup } from './query-groups.ts';

const known = new WeakMap<Folded, readonly QueryGroup[]>();

/** The groups of what was asked in vain; made once for a fold, since of a million events they take longer than the fold itself. */
export function unansweredOf(folded: Folded): readonly QueryGroup[] {
  const groups = known.get(folded) ?? groupUnanswered(folded.queries);
  known.set(folded, groups);
  return groups;
}
