import type { Likeness } from './compare.ts';

/**
 * What two playbooks have in common: `exact` the same body but for blanks and case; `near` the same sentences; `same-purpose`
 * the same steps in other words; `same-name` nothing but the name.
 */
export type DuplicateKind = 'exact' | 'near' | 'same-purpose' | 'same-name';

/** What two playbooks have in common, in words. */
export const KIND_WORDS: Readonly<Record<DuplicateKind, string>> = {
  exact: 'the same text',
  near: 'nearly the same text',
  'same-purpose': 'the same steps in other words',
  'same-name': 'the same name',
};

/**
 * Measured on 199 public playbooks, with copies planted (`npm run bench:duplicates`): copies with three words of ten
 * changed share at least .23 of their passages and .63 of their vocabulary; no two different ones share more than .15 of
 * their passages. One text for two products (Debian and Fedora, NUnit and JUnit) shares more passages, but mostly less than .55
 * of the vocabulary, since the products' names weigh most.
 */
const LEAST_PASSAGES = 0.2;
const LEAST_VOCABULARY_OF_COPIES = 0.55;

/**
 * Of 18 rewritten by hand 14 reach the product, of different playbooks on one subject none: the next ones have .125. Below the
 * share of the vocabulary are pairs whose steps are alike because their products are (two exchanges, two wallets).
 */
const LEAST_STEPS = 0.15;
const LEAST_VOCABULARY_OF_REWRITTEN = 0.45;

/** Pairs below this are not compared at all; it is counted without the commonest terms, so it is a little lower. */
export const LEAST_VOCABULARY = 0.35;

/** Which kind of duplicates two playbooks are by their texts; undefined where they are none. */
export function kindOf({ vocabularyRatio, orderedRatio, passageRatio }: Likeness): 'near' | 'same-purpose' | undefined {
  if (passageRatio >= LEAST_PASSAGES && vocabularyRatio >= LEAST_VOCABULARY_OF_COPIES) return 'near';
  const hasSameSteps = vocabularyRatio * orderedRatio >= LEAST_STEPS;
  return hasSameSteps && vocabularyRatio >= LEAST_VOCABULARY_OF_REWRITTEN ? 'same-purpose' : undefined;
}

/** How much of the smaller one the other one has, in the same sentences or in the same order: 0..1, and 1 for `exact` only. */
export function overlapOf({ orderedRatio, passageRatio }: Likeness): number {
  return Math.min(0.99, Math.max(orderedRatio, passageRatio));
}
