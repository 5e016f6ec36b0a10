import type { Playbook } from '../../model.ts';

/** What is compared of a playbook, which may not be in the catalog yet. */
export type ComparedText = Pick<Playbook, 'name' | 'description' | 'body'>;

/** A playbook's text as numbers: what two playbooks are compared by. */
export interface Fingerprint {
  /** Numbers of the terms in the order of the text, without boilerplate. */
  readonly terms: Uint32Array;
  /** The distinct terms, ascending. */
  readonly distinct: Uint32Array;
  /** tf-idf weights of `distinct`; the squares sum up to 1. */
  readonly weights: Float64Array;
  /** For each of `distinct`, how much it tells: its inverse document frequency. */
  readonly rarity: Float64Array;
  /** For each of `distinct`, where in `terms` it occurs first. */
  readonly firstPlace: Uint32Array;
  /** The sum of `rarity`. */
  readonly totalRarity: number;
}

/** Terms and places are sorted as one number each, which typed arrays do natively; a text has fewer places. */
const MOST_PLACES = 2 ** 20;

/** Weighs the terms of a text. @param rarityOf how much a term tells, above 0 */
export function toFingerprint(terms: Uint32Array, rarityOf: (term: number) => number): Fingerprint {
  const sorted = new Float64Array(terms.length);
  for (let place = 0; place < terms.length; place += 1) sorted[place] = (terms[place] ?? 0) * MOST_PLACES + place;
  sorted.sort();
  const distinct = new Uint32Array(terms.length);
  const firstPlace = new Uint32Array(terms.length);
  const counts = new Uint32Array(terms.length);
  let size = 0;
  for (const each of sorted) {
    const term = Math.floor(each / MOST_PLACES);
    if (size === 0 || distinct[size - 1] !== term) {
      distinct[size] = term;
      firstPlace[size] = each % MOST_PLACES;
      size += 1;
    }
    counts[size - 1] = (counts[size - 1] ?? 0) + 1;
  }
  return { terms, firstPlace: firstPlace.slice(0, size), ...weigh(distinct.slice(0, size), counts, rarityOf) };
}

function weigh(
  distinct: Uint32Array,
  counts: Uint32Array,
  rarityOf: (term: number) => number,
): Pick<Fingerprint, 'distinct' | 'weights' | 'rarity' | 'totalRarity'> {
  const rarity = new Float64Array(distinct.length);
  const weights = new Float64Array(distinct.length);
  let totalRarity = 0;
  let squares = 0;
  for (let i = 0; i < distinct.length; i += 1) {
    const tells = rarityOf(distinct[i] ?? 0);
    const weight = tells * (1 + Math.log(counts[i] ?? 1));
    rarity[i] = tells;
    weights[i] = weight;
    totalRarity += tells;
    squares += weight * weight;
  }
  const norm = Math.sqrt(squares) || 1;
  for (let i = 0; i < weights.length; i += 1) weights[i] = (weights[i] ?? 0) / norm;
  return { distinct, rarity, totalRarity, weights };
}
