import { editDistance } from '../config/nearest.ts';
import { OUR_KEYS } from './schema.ts';

/** Longer words may have a second wrong letter before they are like others that mean something else. */
const LONG_WORD = 8;

/** The field of a playbook that an unknown key of its front matter misspells; undefined where it is like none, or is one itself. */
export function fieldMeantBy(key: string): string | undefined {
  if (OUR_KEYS.has(key) || key.length > 2 * LONG_WORD) return undefined;
  const most = key.length >= LONG_WORD ? 2 : 1;
  return [...OUR_KEYS].find((field) => editDistance(key.toLowerCase(), field.toLowerCase()) <= most);
}
