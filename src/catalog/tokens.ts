import { estimateTokenCount } from 'tokenx';

/** Characters that are counted at once where only a limit matters: a megabyte takes a third of a second. */
const CHUNK = 100_000;
/** The estimate of a single character is at most this. */
const MOST_PER_CHARACTER = 2;

/**
 * Estimated tokens of a text, as a model would count them. An estimate: exact tokenizers weigh megabytes, and every
 * model has another one.
 */
export function tokenCountOf(text: string): number {
  return estimateTokenCount(text);
}

/** Whether a text has more tokens than the limit; stops counting where that is clear. */
export function exceedsTokens(text: string, limit: number): boolean {
  if (text.length * MOST_PER_CHARACTER <= limit) return false;
  let count = 0;
  for (let start = 0; start < text.length && count <= limit; start += CHUNK) {
    count += tokenCountOf(text.slice(start, start + CHUNK));
  }
  return count > limit;
}
