import type { ComparedText } from './fingerprint.ts';
import { contentDigest } from '../../playbooks/digest.ts';

/** A body shorter than this says too little to be a copy of another by itself; its description must be the same too. */
const SHORT_BODY = 80;

/** What two playbooks have in common whose bodies are the same but for blanks and case. */
export function bodyDigest({ description, body }: Pick<ComparedText, 'description' | 'body'>): string {
  const folded = fold(body);
  const text = folded.length < SHORT_BODY ? `${fold(description)}\n${folded}` : folded;
  return contentDigest(text);
}

/** What two playbooks have in common whose names differ in case and separators only. */
export function foldedName({ name }: Pick<ComparedText, 'name'>): string {
  return name
    .toLowerCase()
    .replace(/[\s_-]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Single spaces stay as they are: replacing each one takes longer than all else here. */
const BLANKS = /\s{2,}|[^\S ]/g;

function fold(text: string): string {
  return text.replace(BLANKS, ' ').trim().toLowerCase();
}
