/**
 * Every number that ranking depends on, with the measurement behind it: mean nDCG@10 over the five sets of
 * `npm run bench:retrieval`, each value chosen on four sets and looked at on the fifth, rounded where the curve is flat.
 */

/** The parts of an entry that are indexed apart, in the order of every per-field array of the index. */
export const FIELDS = ['name', 'server', 'description', 'tags', 'examples', 'body'] as const;

export type Field = (typeof FIELDS)[number];

interface FieldWeight {
  /** How much one occurrence counts beside one in the description. */
  readonly weight: number;
  /** How far a field longer than the average is discounted: 0 not at all, 1 fully. */
  readonly lengthNorm: number;
}

/**
 * A name says what its entry is (2: −.004); a body mentions much that the entry is not about (0: −.007, 1: −.008), and
 * the longer the more. `examples` are the author's own queries; no public set has them, so they count as description.
 */
export const FIELD_WEIGHTS: Readonly<Record<Field, FieldWeight>> = {
  name: { weight: 3, lengthNorm: 0.9 },
  server: { weight: 3, lengthNorm: 0.9 },
  description: { weight: 1, lengthNorm: 0.55 },
  tags: { weight: 1, lengthNorm: 0.55 },
  examples: { weight: 1, lengthNorm: 0.55 },
  body: { weight: 0.1, lengthNorm: 1 },
};

export const RANKING = {
  /** Saturation of repeated words (BM25's k1). 1.2: −.004, 3: −.004. */
  k1: 2,
  /** Share at which a verb of the same group counts as the word itself (`fetch` for `get`). 0: −.016, .5: −.001. */
  verbSynonym: 0.3,
  /** The score of the query's best sentence is added this many times: long tasks tell their aim in one. 0: −.003. */
  bestSentence: 1,
  /** Two neighbours of the query that are neighbours in a text of the entry add this share of their mean idf. 0: −.003. */
  neighbours: 0.4,
  /** A description that the query covers wholly multiplies the score by 1 + this. 0: −.002, and −.015 on StableToolBench. */
  coverage: 0.3,
  /** How many of the best are looked at again for sentences, neighbours and coverage. 30 and 200 rank the same. */
  reranked: 50,
} as const;

export const SPELLING = {
  /** What a correction counts beside the word itself, by edit distance 1 and 2, and for an unfinished word. */
  oneEdit: 0.4,
  twoEdits: 0.3,
  prefix: 0.4,
  /** The shortest word that may be the beginning of another. */
  prefixFrom: 3,
  /** The shortest words that may have one and two wrong letters. */
  oneEditFrom: 5,
  twoEditsFrom: 9,
  /** Corrections of one word. */
  maxCandidates: 3,
  /**
   * Queries of more distinct words than this are not corrected: they say it again in other words, and what they have
   * that no entry has are mostly names. Correcting them too loses .004 and is the slowest part of a search.
   */
  maxQueryWords: 8,
} as const;

export const LIMITS = {
  /** UTF-16 code units of a body that are indexed. Past them playbooks turn to details: more text ranked no better. */
  body: 2_000,
  /** The same for every other field, against hostile input; the longest public description has 1,024. */
  field: 4_000,
  /** The same for a query. */
  query: 8_000,
} as const;

export const GOOD_MATCH = {
  /**
   * The least strength of the best hit in a catalog of `fullSize` entries and more. Refuses .39 of MetaTool's
   * unanswerable queries; loses 1.9 % of R@5 there, and none on the other sets.
   */
  minStrength: 0.38,
  /**
   * Below this size the least strength falls with the square root of the size, for a catalog of few words knows few of
   * those of a good query. Samples of 1, 3, 10, 30, 60, 100 and all 199 of MetaTool's entries lose 2 % of R@5 at .05,
   * .06, .09, .14, .19, .28 and .40; with .40 throughout, samples of 10 lose 30 %.
   */
  fullSize: 200,
  /** What a stop word counts beside another when the known words of a query are counted. 0 refuses .11 less, 1 .035. */
  stopWord: 0.5,
  /** How many of the best by BM25F are asked for the strength. */
  considered: 5,
  /**
   * Entries that are imagined beside the real ones, none of which has any of the query's words. In a catalog of three
   * every word is common, and idf alone would refuse everything.
   */
  imaginedEntries: 50,
  /** How many hits the answer "no good match" is given, to name tags by. */
  nearest: 10,
  /** Hits below this share of the best score are not listed. R@5: .15 −0, .25 −.002, .4 −.006, .5 −.027. */
  minShareOfBest: 0.25,
} as const;

/**
 * What use teaches. Half of each set's queries were taken for past ones, with what the search as it is lists first for them and is
 * relevant taken for used: `npm run bench:learned`. The curves are flat, and nothing stands or falls with one of these.
 */
export const LEARNING = {
  /**
   * Taken off the number of an entry's past queries that have a term: what one of them had may have been there by chance, and in long
   * tasks mostly is. .4 is as good; 0 loses on long queries.
   */
  discount: 0.7,
  /** An entry's past queries count n / (n + 4), by `LearnedQueries.trustOfField`. 2: +.001, 8: −.001. */
  trust: 4,
  /** How many of the nearest past queries vote for what was used after them. 20: the same. */
  neighbours: 10,
  /** A vote of a past query in the same words, beside having each word of the query in the description once. 1: the same, but −.003 on the smallest set. */
  vote: 0.6,
  /** A vote counts n / (n + 1) when n callers used the entry after that query. */
  voteTrust: 1,
  /**
   * The votes from which an entry answers a query for which the catalog has no words: two callers that asked in these very words, or
   * three that asked in nearly these.
   */
  goodVotes: 0.65,
  /** How like the nearest past query must be for that: 0..1. */
  goodLikeness: 0.8,
} as const;
