import type { LabelledQuery } from './retrieval-sets.ts';

/** The share of what a query asks for that is among the first `count` ids. */
export function recallAt(count: number, ids: readonly string[], { relevant, groups }: LabelledQuery): number {
  const listed = new Set(ids.slice(0, count));
  const wanted = groups ?? relevant.map((id) => [id]);
  return wanted.filter((group) => group.some((id) => listed.has(id))).length / Math.max(1, wanted.length);
}

/**
 * Normalised discounted cumulative gain of the first `count` ids, gains 2^grade − 1.
 * @see Järvelin and Kekäläinen 2002, Cumulated gain-based evaluation of IR techniques.
 */
export function ndcgAt(count: number, ids: readonly string[], { relevant, grades }: LabelledQuery): number {
  const gradeOf = new Map(grades === undefined ? relevant.map((id) => [id, 1]) : Object.entries(grades));
  const ideal = [...gradeOf.values()].sort((a, b) => b - a);
  const best = gainOf(ideal.slice(0, count));
  return best === 0 ? 0 : gainOf(ids.slice(0, count).map((id) => gradeOf.get(id) ?? 0)) / best;
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function gainOf(grades: readonly number[]): number {
  return grades.reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0);
}
