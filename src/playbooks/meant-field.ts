import { editDistance } from '../config/nearest.ts';
import { isJsonObject, type JsonObject, type Playbook } from '../model.ts';
import { PARAMETER_KEYS, VALIDATION_KEYS } from './parameter-schema.ts';
import { DEPRECATION_KEYS, OUR_KEYS } from './schema.ts';
import type { FieldPath } from './tree-paths.ts';

/** Longer words may have a second wrong letter before they are like others that mean something else. */
const LONG_WORD = 8;

/** The field of a playbook that an unknown key of its front matter misspells; undefined where it is like none, or is one itself. */
export function fieldMeantBy(key: string): string | undefined {
  return meantAmong(OUR_KEYS, key);
}

/** A key that has no meaning where it stands, and the one that was meant. */
export interface MisspelledKey {
  readonly path: FieldPath;
  readonly meant: string;
}

/** Misspelled keys of the maps inside a front matter, given as texts: parameters in any spelling, `deprecated`, `metadata`. */
export function misspelledKeysWithin(fields: JsonObject): readonly MisspelledKey[] {
  const parameters = ['parameters', 'inputs', 'arguments'].flatMap((list) => {
    const items: unknown = fields[list];
    return Array.isArray(items) ? items.flatMap((item: unknown, index) => inParameter(item, [list, index])) : [];
  });
  return [
    ...parameters,
    ...misspelledIn(fields['deprecated'], ['deprecated'], DEPRECATION_KEYS),
    ...misspelledIn(fields['metadata'], ['metadata'], METADATA_KEYS),
  ];
}

const METADATA_KEYS: ReadonlySet<string> = new Set(['tags']);

/** Whether a key of `metadata` may be misspelled, told without reading the front matter again. */
export function mayMisspellMetadata({ extra: { metadata } }: Pick<Playbook, 'extra'>): boolean {
  return isJsonObject(metadata) && Object.keys(metadata).some((key) => meantAmong(METADATA_KEYS, key) !== undefined);
}

function inParameter(item: unknown, path: FieldPath): readonly MisspelledKey[] {
  const validation = isJsonObject(item) ? item['validation'] : undefined;
  return [
    ...misspelledIn(item, path, PARAMETER_KEYS),
    ...misspelledIn(validation, [...path, 'validation'], VALIDATION_KEYS),
  ];
}

function misspelledIn(value: unknown, path: FieldPath, known: ReadonlySet<string>): readonly MisspelledKey[] {
  if (!isJsonObject(value)) return [];
  return Object.keys(value).flatMap((key) => {
    const meant = meantAmong(known, key);
    return meant === undefined || Object.hasOwn(value, meant) ? [] : [{ path: [...path, key], meant }];
  });
}

function meantAmong(known: ReadonlySet<string>, key: string): string | undefined {
  if (known.has(key) || key.length > 2 * LONG_WORD) return undefined;
  const most = key.length >= LONG_WORD ? 2 : 1;
  const written = key.toLowerCase();
  return [...known].find((field) => {
    const meant = field.toLowerCase();
    return Math.abs(meant.length - written.length) <= most && editDistance(written, meant) <= most;
  });
}
