/** Bounds of what few observations can tell, so that nothing is concluded from three calls. */

/** One-sided 95 %: the usual standard of evidence where one wrong conclusion costs a look at it. */
const Z = 1.645;

/**
 * The least share that `hits` of `total` leave credible, 0..1; 0 for no observation.
 * @see Wilson 1927, Probable inference, the law of succession, and statistical inference.
 */
export function leastShare(hits: number, total: number): number {
  return total === 0 ? 0 : Math.max(0, wilson(hits, total, -1));
}

/** The largest share that `hits` of `total` leave credible, 0..1; 1 for no observation. */
export function greatestShare(hits: number, total: number): number {
  return total === 0 ? 1 : Math.min(1, wilson(hits, total, 1));
}

function wilson(hits: number, total: number, side: 1 | -1): number {
  const share = hits / total;
  const spread = Z * Math.sqrt((share * (1 - share)) / total + (Z * Z) / (4 * total * total));
  return (share + (Z * Z) / (2 * total) + side * spread) / (1 + (Z * Z) / total);
}

/**
 * The largest mean that a count leaves credible.
 * @see Rothman & Boice 1979 for Byar's approximation of the exact Poisson limit; within 1 % of it for every count from 1.
 */
export function greatestMean(count: number): number {
  const next = count + 1;
  return next * (1 - 1 / (9 * next) + Z / (3 * Math.sqrt(next))) ** 3;
}
