import type { JsonSchema } from '../model.ts';
import { isJsonObject } from '../model.ts';

const MOST_VALUES = 20;
const MOST_FORMS = 6;
const DEEPEST = 3;

/** What a schema asks for, in a few words: `integer from 1 to 100`, `array of string`, `"open" or "closed"`. */
export function describeSchema(schema: unknown, depth = 0): string {
  if (schema === false) return 'nothing';
  if (!isJsonObject(schema) || depth > DEEPEST) return 'anything';
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return oneOf(schema['enum'].map((value) => JSON.stringify(value)));
  const forms = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(forms))
    return oneOf([...new Set(forms.map((form) => describeSchema(form, depth + 1)))], MOST_FORMS);
  if (typeof schema['$ref'] === 'string') return schema['$ref'].split('/').at(-1) ?? 'anything';
  const types = [schema['type']].flat().filter((type) => typeof type === 'string');
  const meant = types.length > 0 ? types : impliedTypes(schema);
  return meant.length > 0 ? oneOf(meant.map((type) => describeType(type, schema, depth))) : describeShape(schema);
}

/** What a schema without a type can only be meant for. */
function impliedTypes(schema: Readonly<Record<string, unknown>>): readonly string[] {
  if ('pattern' in schema || 'format' in schema || 'minLength' in schema || 'maxLength' in schema) return ['string'];
  if ('minimum' in schema || 'maximum' in schema) return ['number'];
  return 'items' in schema || 'minItems' in schema ? ['array'] : [];
}

function describeType(type: string, schema: Readonly<Record<string, unknown>>, depth: number): string {
  switch (type) {
    case 'array':
      return `array${itemsOf(schema, depth)}${range(schema['minItems'], schema['maxItems'], 'items')}`;
    case 'string':
      return `string${textOf(schema)}${range(schema['minLength'], schema['maxLength'], 'characters')}`;
    case 'number':
    case 'integer':
      return `${type}${range(schema['minimum'], schema['maximum'])}`;
    case 'object':
      return describeShape(schema) === 'anything' ? 'object' : describeShape(schema);
    default:
      return type;
  }
}

function itemsOf(schema: Readonly<Record<string, unknown>>, depth: number): string {
  const items = describeSchema(schema['items'], depth + 1);
  return items === 'anything' ? '' : ` of ${items}`;
}

function textOf({ pattern, format }: Readonly<Record<string, unknown>>): string {
  if (typeof pattern === 'string') return ` like /${pattern}/`;
  return typeof format === 'string' ? ` (${format})` : '';
}

function describeShape({ required }: Readonly<Record<string, unknown>>): string {
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  return names.length === 0 ? 'anything' : `object with ${names.join(', ')}`;
}

function range(least: unknown, most: unknown, unit?: string): string {
  const end = unit === undefined ? '' : ` ${unit}`;
  if (typeof least === 'number' && typeof most === 'number') return ` from ${least} to ${most}${end}`;
  if (typeof least === 'number') return ` of at least ${least}${end}`;
  return typeof most === 'number' ? ` of at most ${most}${end}` : '';
}

/** Joins alternatives, the first few of many. */
function oneOf(alternatives: readonly string[], most = MOST_VALUES): string {
  const shown = alternatives.slice(0, most).join(' or ');
  return alternatives.length > most ? `${shown} or ${alternatives.length - most} more` : shown;
}

/** Names of the properties that a schema declares, in its order; [] where it declares none. */
export function propertyNames(schema: JsonSchema | undefined): readonly string[] {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined;
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

/** What a schema says of one property; undefined where it says nothing. */
export function propertySchema(schema: unknown, name: string): unknown {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined;
  return isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
