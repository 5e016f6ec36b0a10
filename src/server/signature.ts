import type { JsonSchema } from '../model.ts';
import { isJsonObject } from '../model.ts';

const LONGEST_SIGNATURE = 90;

/**
 * The arguments of a schema in one glance: `(title*, body, labels[])`, `*` for required, `[]` for arrays.
 * '' where there are none; required ones first, and `…` where the rest would be too long for a line.
 */
export function signatureOf(schema: JsonSchema): string {
  if (!isJsonObject(schema) || !isJsonObject(schema['properties'])) return '';
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  const names = Object.entries(schema['properties']).map(([name, property]) => ({
    label: `${name}${isArraySchema(property) ? '[]' : ''}${required.has(name) ? '*' : ''}`,
    isRequired: required.has(name),
  }));
  if (names.length === 0) return '';
  const labels = [...names.filter((each) => each.isRequired), ...names.filter((each) => !each.isRequired)];
  const shown: string[] = [];
  let length = 0;
  for (const { label, isRequired } of labels) {
    length += label.length + 2;
    if (length > LONGEST_SIGNATURE && !isRequired) return `(${[...shown, '…'].join(', ')})`;
    shown.push(label);
  }
  return `(${shown.join(', ')})`;
}

function isArraySchema(property: unknown): boolean {
  return isJsonObject(property) && property['type'] === 'array';
}
