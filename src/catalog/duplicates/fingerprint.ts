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

/** Per term: how often a text has it, and where first. All of it is 0 between two texts; making it anew for each would cost more than the rest. */
let counts = new Uint32Array(0);
let places = new Uint32Array(0);

/** Weighs the terms of a text. @param rarityOf how much a term tells, above 0 */
export function toFingerprint(terms: Uint32Array, rarityOf: (term: number) => number): Fingerprint {
  const distinct = countTerms(terms).sort();
  const firstPlace = new Uint32Array(distinct.length);
  const countOf = new Uint32Array(distinct.length);
  for (let i = 0; i < distinct.length; i += 1) {
    const term = distinct[i] ?? 0;
    firstPlace[i] = places[term] ?? 0;
    countOf[i] = counts[term] ?? 0;
    counts[term] = 0;
  }
  return { terms, firstPlace, ...weigh(distinct, countOf, rarityOf) };
}

/** The distinct terms; their counts and places stand in the tables. */
function countTerms(terms: Uint32Array): Uint32Array {
  let most = 0;
  for (let place = 0; place < terms.length; place += 1) most = Math.max(most, terms[place] ?? 0);
  if (most >= counts.length) {
    counts = new Uint32Array(2 * most + 1);
    places = new Uint32Array(2 * most + 1);
  }
  const distinct = new Uint32Array(terms.length);
  let size = 0;
  for (let place = 0; place < terms.length; place += 1) {
    const term = terms[place] ?? 0;
    const count = counts[term] ?? 0;
    counts[term] = count + 1;
    if (count > 0) continue;
    places[term] = place;
    distinct[size] = term;
    size += 1;
  }
  return distinct.slice(0, size);
}

function weigh(
  distinct: Uint32Array,
  countOf: Uint32Array,
  rarityOf: (term: number) => number,
): Pick<Fingerprint, 'distinct' | 'weights' | 'rarity' | 'totalRarity'> {
  const rarity = new Float64Array(distinct.length);
  const weights = new Float64Array(distinct.length);
  let totalRarity = 0;
  let squares = 0;
  for (let i = 0; i < distinct.length; i += 1) {
    const tells = rarityOf(distinct[i] ?? 0);
    const weight = tells * (1 + Math.log(countOf[i] ?? 1));
    rarity[i] = tells;
    weights[i] = weight;
    totalRarity += tells;
    squares += weight * weight;
  }
  const norm = Math.sqrt(squares) || 1;
  for (let i = 0; i < weights.length; i += 1) weights[i] = (weights[i] ?? 0) / norm;
  return { distinct, rarity, totalRarity, weights };
}
