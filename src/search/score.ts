import { type Corpus, oncePerSegment } from './corpus.ts';
import type { ParsedQuery, QueryTerm } from './query.ts';
import type { SearchSegment } from './search-index.ts';
import { FIELDS, FIELD_WEIGHTS, RANKING } from './weights.ts';

/** Calls back with every document of a segment that has a term, and how much it has of it: 0 .. k1 + 1. */
type MatchVisitor = (term: QueryTerm, visit: (document: number, amount: number) => void) => void;

/**
 * BM25F: occurrences are weighted and discounted for length field by field, added up, and only then saturated, so that
 * a word in name and description does not count as two words.
 * @param only 0 for each document that is not to be visited; default all are.
 * @see Zaragoza et al. 2004, Microsoft Cambridge at TREC-13.
 */
export function matchVisitor(segment: SearchSegment, corpus: Corpus, only?: Uint32Array): MatchVisitor {
  const amountOf = postingWeigher(segment, corpus);
  const amounts = new Float64Array(segment.keys.length);
  return ({ variants }, visit) => {
    const touched: number[] = [];
    for (const { term, weight } of variants) {
      const number = segment.lexicon.get(term);
      if (number === undefined) continue;
      const end = segment.postingStarts[number + 1] ?? 0;
      for (let posting = segment.postingStarts[number] ?? 0; posting < end; posting += 1) {
        const document = segment.postingDocuments[posting] ?? 0;
        if (only?.[document] === 0) continue;
        const before = amounts[document] ?? 0;
        if (before === 0) touched.push(document);
        amounts[document] = before + weight * amountOf(posting, document);
      }
    }
    for (const document of touched) {
      const amount = amounts[document] ?? 0;
      amounts[document] = 0;
      visit(document, (amount * (RANKING.k1 + 1)) / (RANKING.k1 + amount));
    }
  };
}

/** The score of every document of a segment; 0 where nothing matches. */
export function scoreSegment(segment: SearchSegment, corpus: Corpus, query: ParsedQuery): Float64Array {
  const scores = new Float64Array(segment.keys.length);
  const visitMatches = matchVisitor(segment, corpus);
  for (const term of query.terms) {
    visitMatches(term, (document, amount) => {
      scores[document] = (scores[document] ?? 0) + term.idf * amount;
    });
  }
  return scores;
}

function postingWeigher(segment: SearchSegment, corpus: Corpus): (posting: number, document: number) => number {
  const { postingCounts } = segment;
  const width = FIELDS.length;
  const weights = weightsIn(segment, corpus);
  return (posting, document) => {
    let amount = 0;
    for (let field = 0; field < width; field += 1) {
      const count = postingCounts[posting * width + field] ?? 0;
      if (count > 0) amount += count * (weights[document * width + field] ?? 0);
    }
    return amount;
  };
}

/** What one occurrence counts in each field of each document: a row per document, a column per field. */
const weightsIn = oncePerSegment((segment, corpus): Float64Array => {
  const weights = new Float64Array(segment.lengths.length);
  for (const [index, field] of FIELDS.entries()) {
    const { weight, lengthNorm } = FIELD_WEIGHTS[field];
    const slope = lengthNorm / (corpus.averageLengths[index] ?? 1);
    for (let cell = index; cell < weights.length; cell += FIELDS.length) {
      weights[cell] = weight / (1 - lengthNorm + slope * (segment.lengths[cell] ?? 0));
    }
  }
  return weights;
});
