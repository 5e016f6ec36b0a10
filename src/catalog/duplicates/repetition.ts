import { compareFingerprints } from './compare.ts';
import type { IndexedText } from './duplicate-index.ts';
import { type DuplicateKind, kindOf, overlapOf } from './kind.ts';
import { longestPassage, type SharedPassage } from './passage.ts';

/** What two playbooks have in common. */
export interface Repetition {
  readonly kind: DuplicateKind;
  /** How much of the smaller one the other one has, in the same sentences or in the same order: 0..1; 1 for `exact`. */
  readonly overlapRatio: number;
  /** The longest passage that both have, lines counted in their bodies; undefined where there is none. */
  readonly passage: SharedPassage | undefined;
}

/**
 * What two playbooks have in common, by the strongest kind that applies; undefined where they repeat nothing.
 * @param isOwn false for a passage that many playbooks have, which is not shown
 */
export function repetitionOf(
  a: IndexedText,
  b: IndexedText,
  isOwn: (passage: string) => boolean,
): Repetition | undefined {
  const bodies = [a.item.body, b.item.body] as const;
  if (a.bodyDigest === b.bodyDigest)
    return { kind: 'exact', overlapRatio: 1, passage: longestPassage(...bodies, () => true) };
  const likeness = compareFingerprints(a.fingerprint, b.fingerprint);
  const kind = kindOf(likeness) ?? (a.name === b.name ? 'same-name' : undefined);
  if (kind === undefined) return undefined;
  return { kind, overlapRatio: overlapOf(likeness), passage: longestPassage(...bodies, isOwn) };
}
