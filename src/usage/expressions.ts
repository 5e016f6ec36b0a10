import { type QueryTally, termsOf } from './fold/query-tally.ts';

/** Terms that came together less often may have met by chance. */
const FEWEST_TOGETHER = 10;
/**
 * An expression is used of many things. Where one other word is in so large a share of its queries, and so many times more often than
 * elsewhere, the terms are the name of one thing, and each of them tells.
 */
const SHARE_OF_COMPANION = 0.2;
const LIFT_OF_COMPANION = 2;

/** The second term of each expression by its first. */
export type Expressions = ReadonlyMap<string, string>;

/** What follows a term in most queries, if anything does, and by how many more these are than the others. */
interface Follower {
  term: string;
  lead: number;
}

/** Queries that have both terms, and those of them that have another term too. */
interface Together {
  queries: number;
  readonly companions: Map<string, number>;
}

/**
 * Finds neighbouring terms that say one thing: the first is nearly always followed by the second, whatever is asked about.
 * @param frequencies Queries that have each term.
 * @see Manning & Schütze 1999, Foundations of statistical natural language processing, chapter 5 (collocations).
 */
export function findExpressions(queries: readonly QueryTally[], frequencies: ReadonlyMap<string, number>): Expressions {
  const followers = likelyFollowers(queries, frequencies);
  const together = countTogether(queries, followers);
  const expressions = new Map<string, string>();
  for (const [first, { queries: count, companions }] of together) {
    const second = followers.get(first)?.term;
    if (second === undefined || count < FEWEST_TOGETHER || 2 * count <= (frequencies.get(first) ?? 0)) continue;
    const isOfOneThing = [...companions].some(
      ([term, having]) =>
        having > SHARE_OF_COMPANION * count &&
        having / count > (LIFT_OF_COMPANION * (frequencies.get(term) ?? 0)) / queries.length,
    );
    if (!isOfOneThing) expressions.set(first, second);
  }
  return expressions;
}

/** @see Boyer & Moore 1991, MJRTY: what follows in most queries is found without counting all that ever does. */
function likelyFollowers(
  queries: readonly QueryTally[],
  frequencies: ReadonlyMap<string, number>,
): ReadonlyMap<string, Follower> {
  const followers = new Map<string, Follower>();
  for (const query of queries) {
    const terms = termsOf(query);
    for (let at = 0; at < terms.length; at += 1) {
      const term = terms[at] ?? '';
      const next = terms[at + 1] ?? '';
      const known = followers.get(term);
      if (known === undefined) {
        if ((frequencies.get(term) ?? 0) >= FEWEST_TOGETHER) followers.set(term, { term: next, lead: 1 });
      } else if (known.term === next) known.lead += 1;
      else if (known.lead > 0) known.lead -= 1;
      else followers.set(term, { term: next, lead: 1 });
    }
  }
  for (const [term, { term: next, lead }] of followers) if (next === '' || lead === 0) followers.delete(term);
  return followers;
}

function countTogether(
  queries: readonly QueryTally[],
  followers: ReadonlyMap<string, Follower>,
): ReadonlyMap<string, Together> {
  const together = new Map<string, Together>();
  for (const query of queries) {
    const terms = termsOf(query);
    for (let at = 0; at + 1 < terms.length; at += 1) {
      const first = terms[at] ?? '';
      const second = terms[at + 1] ?? '';
      if (followers.get(first)?.term !== second) continue;
      const counts = together.get(first) ?? { queries: 0, companions: new Map<string, number>() };
      together.set(first, counts);
      counts.queries += 1;
      for (const term of terms) {
        if (term !== first && term !== second) counts.companions.set(term, (counts.companions.get(term) ?? 0) + 1);
      }
    }
  }
  return together;
}
