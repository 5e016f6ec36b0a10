import type { Entry } from '../model.ts';
import { toTokens, tokenize } from '../search/tokenize.ts';

/** The words of a query, stop words left out, by whether an entry says them where it matters most: not in its text alone. */
export interface QueryWords {
  readonly has: readonly string[];
  readonly lacks: readonly string[];
}

/** @param examples those of the entry that count */
export function queryWordsOf(query: string, entry: Entry, examples: readonly string[]): QueryWords {
  const { id, name, description, tags } = entry;
  const terms = new Set(tokenize([id, name, description, ...tags, ...examples].join('\n')));
  const words = new Map(toTokens(query).flatMap(({ word, term }) => (term === '' ? [] : [[term, word] as const])));
  const [has, lacks]: [string[], string[]] = [[], []];
  for (const [term, word] of words) (terms.has(term) ? has : lacks).push(word);
  return { has, lacks };
}
