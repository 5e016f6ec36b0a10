import { estimateTokenCount } from 'tokenx';

/**
 * Estimated tokens of a text, as a model would count them. An estimate: exact tokenizers weigh megabytes, and every
 * model has another one.
 */
export function tokenCountOf(text: string): number {
  return estimateTokenCount(text);
}
