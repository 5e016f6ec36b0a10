import { createHash } from 'node:crypto';

import { isJsonObject } from '../model.ts';

/** SHA-256 of a JSON value, hex: the same for objects that differ only in the order of their keys. */
export function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(value)), 'utf8')
    .digest('hex');
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value).toSorted();
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key])]));
}
