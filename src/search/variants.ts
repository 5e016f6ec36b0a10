import { documentFrequency, inverseFrequency } from './corpus.ts';
import type { Corpus } from './corpus.ts';
import { verbSynonyms } from './synonyms.ts';
import type { SynonymGroup } from './synonyms.ts';
import { RANKING } from './weights.ts';

/** A term that counts as the query's own term, wholly or in part. */
interface Variant {
  readonly term: string;
  /** 0..1 */
  readonly weight: number;
}

/** Variants with what they tell together. */
export interface WeighedVariants {
  /** What the index is asked for; empty where no entry has the term or anything near it. */
  readonly variants: readonly Variant[];
  /** Entries that have it: the largest over the variants, weighted. */
  readonly frequency: number;
  /** `inverseFrequency` of that. */
  readonly idf: number;
}

interface VariantContext {
  readonly corpus: Corpus;
  /** Terms of the query itself, which count for themselves. */
  readonly asked: ReadonlySet<string>;
  readonly phrases: readonly Variant[];
}

/** The term, its configured synonyms and the verbs of its group, as far as some entry has them and the query does not. */
export function knownVariants(term: string, { corpus, asked, phrases }: VariantContext): readonly Variant[] {
  const weights = new Map([[term, 1]]);
  const verbs = verbSynonyms(term).map((verb) => ({ term: verb, weight: RANKING.verbSynonym }));
  for (const variant of [...phrases, ...verbs]) {
    if (asked.has(variant.term)) continue;
    weights.set(variant.term, Math.max(weights.get(variant.term) ?? 0, variant.weight));
  }
  return [...weights]
    .map(([variant, weight]) => ({ term: variant, weight }))
    .filter((variant) => documentFrequency(corpus, variant.term) > 0);
}

/**
 * For each term that begins a phrase of a synonym group, the terms of the group's other phrases. The terms of a longer
 * phrase share its weight, so that `pr` is not outweighed by the two words of `pull request`.
 */
export function phraseVariants(
  sequence: readonly string[],
  groups: readonly SynonymGroup[],
): ReadonlyMap<string, readonly Variant[]> {
  const found = new Map<string, Variant[]>();
  for (const group of groups) {
    for (const phrase of group.filter((terms) => includesPhrase(sequence, terms))) {
      const others = group.filter((terms) => terms !== phrase);
      const variants = others.flatMap((terms) => terms.map((term) => ({ term, weight: 1 / terms.length })));
      const [first = ''] = phrase;
      found.set(first, [...(found.get(first) ?? []), ...variants]);
    }
  }
  return found;
}

function includesPhrase(sequence: readonly string[], phrase: readonly string[]): boolean {
  return sequence.some((_, start) => phrase.every((term, offset) => sequence[start + offset] === term));
}

/** Variants with their frequency in the corpus; a term without any is as rare as can be, and matches nothing. */
export function weigh(variants: readonly Variant[], corpus: Corpus): WeighedVariants {
  const frequency = Math.max(0, ...variants.map(({ term, weight }) => weight * documentFrequency(corpus, term)));
  return {
    variants: variants.map(({ term, weight }) => ({ term, weight })),
    frequency,
    idf: inverseFrequency(corpus.size, frequency),
  };
}
