import type { Fingerprint } from './fingerprint.ts';
import { sharedShingleRatio } from './shingles.ts';

/** How alike two playbooks are, each 0..1. */
export interface Likeness {
  /** Cosine of their tf-idf weights: the same subject, in any order. */
  readonly vocabularyRatio: number;
  /** The share of the smaller one's words, each by its rarity, that the other one brings up in the same order: the same steps. */
  readonly orderedRatio: number;
  /** The share of the smaller one's runs of three terms that the other one has too: the same sentences. */
  readonly passageRatio: number;
}

/**
 * The weight of some six rare words that count as not shared. Without it a playbook of which little is left without its
 * boilerplate (one subcommand of a documented program) is like every other one of its kind.
 */
const UNSHARED_RARITY = 30;

/** Compares two playbooks. */
export function compareFingerprints(a: Fingerprint, b: Fingerprint): Likeness {
  const { cosine, inOrder } = sharedTerms(a, b);
  const smaller = Math.min(a.totalRarity, b.totalRarity) + UNSHARED_RARITY;
  return {
    vocabularyRatio: Math.min(1, cosine),
    orderedRatio: heaviestInOrder(inOrder, b.terms.length) / smaller,
    passageRatio: sharedShingleRatio(a.terms, b.terms),
  };
}

interface SharedTerm {
  readonly inA: number;
  readonly inB: number;
  readonly rarity: number;
}

/** The cosine, and the shared terms in the order in which `a` brings them up. */
function sharedTerms(a: Fingerprint, b: Fingerprint): { cosine: number; inOrder: readonly SharedTerm[] } {
  const shared: SharedTerm[] = [];
  let cosine = 0;
  for (let i = 0, j = 0; i < a.distinct.length && j < b.distinct.length;) {
    const left = a.distinct[i] ?? 0;
    const right = b.distinct[j] ?? 0;
    if (left === right) {
      cosine += (a.weights[i] ?? 0) * (b.weights[j] ?? 0);
      shared.push({ inA: a.firstPlace[i] ?? 0, inB: b.firstPlace[j] ?? 0, rarity: b.rarity[j] ?? 0 });
    }
    if (left <= right) i += 1;
    if (right <= left) j += 1;
  }
  return { cosine, inOrder: shared.sort((x, y) => x.inA - y.inA) };
}

/**
 * The heaviest subsequence that both bring up in the same order, as the sum of its rarities.
 * @see Fredman 1975, On computing the length of longest increasing subsequences; here by weight, with a Fenwick tree.
 */
function heaviestInOrder(shared: readonly SharedTerm[], size: number): number {
  const best = new Float64Array(size + 1);
  let heaviest = 0;
  for (const { inB, rarity } of shared) {
    let before = 0;
    for (let at = inB; at > 0; at -= at & -at) before = Math.max(before, best[at] ?? 0);
    const sum = before + rarity;
    heaviest = Math.max(heaviest, sum);
    for (let at = inB + 1; at <= size; at += at & -at) best[at] = Math.max(best[at] ?? 0, sum);
  }
  return heaviest;
}
