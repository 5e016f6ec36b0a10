import { type Corpus, oncePerSegment } from './corpus.ts';
import type { ParsedQuery, QueryTerm } from './query.ts';
import type { SearchSegment } from './search-index.ts';
import { FIELDS, FIELD_WEIGHTS, RANKING } from './weights.ts';

/** The documents of a segment that a query matches; good until the segment is scored again. */
export interface SegmentScores {
  /** In no order. */
  readonly documents: Uint32Array;
  /** By number of the document; 0 where nothing matches. */
  readonly scores: Float64Array;
}

/**
 * BM25F: occurrences are weighted and discounted for length field by field, added up, and only then saturated, so that
 * a word in name and description does not count as two words.
 * @see Zaragoza et al. 2004, Microsoft Cambridge at TREC-13.
 */
export function scoreSegment(segment: SearchSegment, corpus: Corpus, query: ParsedQuery): SegmentScores {
  const scratch = scratchOf(segment);
  const postings = weighed(segment, corpus);
  scratch.clear();
  for (const term of query.terms) scratch.add(segment, postings, term);
  return { documents: scratch.documents(), scores: scratch.scores };
}

/** How much each of the query's terms a document has, 0 .. k1 + 1. */
export function amountsOf(
  { segment, document }: { readonly segment: SearchSegment; readonly document: number },
  corpus: Corpus,
  { terms }: ParsedQuery,
): Float64Array {
  const amounts = new Float64Array(terms.length);
  const postings = weighed(segment, corpus);
  for (const [index, { variants }] of terms.entries()) {
    let amount = 0;
    for (const { term, weight } of variants) {
      const number = segment.lexicon.get(term);
      const posting = number === undefined ? -1 : postingOf(segment, number, document);
      if (number === undefined || posting === -1) continue;
      amount += weight * (postings.of(number)[posting - (segment.postingStarts[number] ?? 0)] ?? 0);
    }
    amounts[index] = saturated(amount);
  }
  return amounts;
}

function saturated(amount: number): number {
  return (amount * (RANKING.k1 + 1)) / (RANKING.k1 + amount);
}

/** The posting of a document among those of a term, which ascend; -1 where it has none. */
function postingOf({ postingStarts, postingDocuments }: SearchSegment, term: number, document: number): number {
  let low = postingStarts[term] ?? 0;
  let high = (postingStarts[term + 1] ?? 0) - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = postingDocuments[middle] ?? 0;
    if (found === document) return middle;
    if (found < document) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** The tables that a segment is scored in. A search does not wait for anything, so that the next one can have the same ones. */
class Scratch {
  readonly scores: Float64Array;
  readonly #amounts: Float64Array;
  readonly #matched: Uint32Array;
  readonly #touched: Uint32Array;
  #count = 0;

  constructor(size: number) {
    this.scores = new Float64Array(size);
    this.#amounts = new Float64Array(size);
    this.#matched = new Uint32Array(size);
    this.#touched = new Uint32Array(size);
  }

  clear(): void {
    for (let index = 0; index < this.#count; index += 1) this.scores[this.#matched[index] ?? 0] = 0;
    this.#count = 0;
  }

  documents(): Uint32Array {
    return this.#matched.subarray(0, this.#count);
  }

  /** Adds what one term gives to the score of every document that has it. */
  add(segment: SearchSegment, postings: WeighedPostings, { variants, idf }: QueryTerm): void {
    let touched = 0;
    for (const { term, weight } of variants) {
      const number = segment.lexicon.get(term);
      if (number === undefined) continue;
      const start = segment.postingStarts[number] ?? 0;
      const amounts = postings.of(number);
      for (let index = 0; index < amounts.length; index += 1) {
        const document = segment.postingDocuments[start + index] ?? 0;
        const before = this.#amounts[document] ?? 0;
        if (before === 0) {
          this.#touched[touched] = document;
          touched += 1;
        }
        this.#amounts[document] = before + weight * (amounts[index] ?? 0);
      }
    }
    for (let index = 0; index < touched; index += 1) this.#addTo(this.#touched[index] ?? 0, idf);
  }

  #addTo(document: number, idf: number): void {
    const score = this.scores[document] ?? 0;
    if (score === 0) {
      this.#matched[this.#count] = document;
      this.#count += 1;
    }
    this.scores[document] = score + idf * saturated(this.#amounts[document] ?? 0);
    this.#amounts[document] = 0;
  }
}

const scratches = new WeakMap<SearchSegment, Scratch>();

function scratchOf(segment: SearchSegment): Scratch {
  const known = scratches.get(segment);
  if (known !== undefined) return known;
  const scratch = new Scratch(segment.keys.length);
  scratches.set(segment, scratch);
  return scratch;
}

const weighed = oncePerSegment((segment, corpus) => new WeighedPostings(segment, corpus));

/** How much of a term its documents have, before that is saturated. The terms that are asked for are weighed once a corpus. */
class WeighedPostings {
  readonly #segment: SearchSegment;
  /** What one occurrence counts in each field of each document: a row per document, a column per field. */
  readonly #weights: Float64Array;
  readonly #byTerm = new Map<number, Float64Array>();

  constructor(segment: SearchSegment, corpus: Corpus) {
    this.#segment = segment;
    this.#weights = weightsIn(segment, corpus);
  }

  /** One number for each posting of the term of that number. */
  of(term: number): Float64Array {
    const known = this.#byTerm.get(term);
    if (known !== undefined) return known;
    const { postingStarts } = this.#segment;
    const amounts = new Float64Array((postingStarts[term + 1] ?? 0) - (postingStarts[term] ?? 0));
    for (const index of amounts.keys()) amounts[index] = this.#amountAt((postingStarts[term] ?? 0) + index);
    this.#byTerm.set(term, amounts);
    return amounts;
  }

  #amountAt(posting: number): number {
    const { postingCounts, postingDocuments } = this.#segment;
    const row = (postingDocuments[posting] ?? 0) * FIELDS.length;
    let amount = 0;
    for (let field = 0; field < FIELDS.length; field += 1) {
      const count = postingCounts[posting * FIELDS.length + field] ?? 0;
      if (count > 0) amount += count * (this.#weights[row + field] ?? 0);
    }
    return amount;
  }
}

function weightsIn(segment: SearchSegment, corpus: Corpus): Float64Array {
  const weights = new Float64Array(segment.lengths.length);
  for (const [index, field] of FIELDS.entries()) {
    const { weight, lengthNorm } = FIELD_WEIGHTS[field];
    const slope = lengthNorm / (corpus.averageLengths[index] ?? 1);
    for (let cell = index; cell < weights.length; cell += FIELDS.length) {
      weights[cell] = weight / (1 - lengthNorm + slope * (segment.lengths[cell] ?? 0));
    }
  }
  return weights;
}
