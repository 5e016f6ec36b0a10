import type { DuplicatePair } from '../../catalog/duplicates/find.ts';
import { leastShare } from '../bounds.ts';
import { LEAST_LIKENESS, likenessOf, likenessWithin, type QuerySum, SAME_QUERIES } from './query-likeness.ts';

/** Uses of each of the two that tell what they are used for. */
const FEWEST_USES = 10;
/** Coincidences among the queries of one entry; with fewer of them the queries of no two entries are alike. */
const FEWEST_ALIKE = 5;
/** Of the pairs so much alike in their texts, so many at most may turn out to be used for different things. */
const MOST_REFUTED = 0.05;

/** What two texts have in common, and what led to each; undefined where nothing did. */
export interface TextPair {
  readonly text: DuplicatePair;
  readonly a: QuerySum | undefined;
  readonly b: QuerySum | undefined;
}

/**
 * The pairs whose texts repeat each other and whose use does not say otherwise. What is used for different things is a variant however much of
 * a template both have; and how much two texts of this library have in common that are used for different things tells how much says nothing
 * of those that nobody uses. Equal texts are left as they are.
 * @see Efron 2004, Large-scale simultaneous hypothesis testing: the choice of a null hypothesis (what a likeness means is learned from the
 * pairs that are known to be different).
 */
export function withoutRefuted(pairs: readonly TextPair[]): readonly DuplicatePair[] {
  const judged = pairs.map((pair) => ({ text: pair.text, verdict: verdictOf(pair) }));
  const byChance = mostOverlapByChance(judged);
  return judged
    .filter(({ text, verdict }) => {
      if (text.kind === 'exact' || verdict === 'same') return true;
      return verdict !== 'different' && text.overlapRatio > byChance;
    })
    .map(({ text }) => text);
}

interface Judged {
  readonly text: DuplicatePair;
  /** What the queries say that led to each: `unclear` where they are alike and not the same. */
  readonly verdict: 'same' | 'unclear' | 'different' | 'untold';
}

function verdictOf({ a, b }: TextPair): Judged['verdict'] {
  if (a === undefined || b === undefined || !tells(a) || !tells(b)) return 'untold';
  const likeness = likenessOf(a, b);
  if (likeness >= SAME_QUERIES) return 'same';
  return likeness < LEAST_LIKENESS ? 'different' : 'unclear';
}

function tells(sum: QuerySum): boolean {
  return sum.weight >= FEWEST_USES && (likenessWithin(sum) * sum.weight * (sum.weight - 1)) / 2 >= FEWEST_ALIKE;
}

/** How much two texts may have in common that says nothing: above it hardly any pair is surely of two different things. */
function mostOverlapByChance(judged: readonly Judged[]): number {
  const told = judged
    .filter(({ text, verdict }) => verdict !== 'untold' && text.kind !== 'exact')
    .sort((x, y) => y.text.overlapRatio - x.text.overlapRatio);
  let [most, different] = [told[0]?.text.overlapRatio ?? 0, 0];
  for (const [at, { verdict }] of told.entries()) {
    if (verdict === 'different') different += 1;
    if (leastShare(different, at + 1) <= MOST_REFUTED) most = told[at + 1]?.text.overlapRatio ?? 0;
  }
  return most;
}
