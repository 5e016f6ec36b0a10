import type { ErrorObject } from 'ajv';

import { isJsonObject, type JsonObject, type JsonSchema } from '../model.ts';
import { type ArgumentProblem, toProblems } from './argument-problems.ts';

/** Objects that a schema may consist of: ajv takes a third of a second for these, and four seconds for 4,000 nested properties. */
export const MOST_PARTS = 1000;

/** Whether compiling a schema would hold up everybody else. */
export function isTooLarge(schema: JsonSchema): boolean {
  const left: unknown[] = [schema];
  for (let count = 0; left.length > 0;) {
    const part = left.pop();
    if (typeof part !== 'object' || part === null) continue;
    if (isJsonObject(part)) count += 1;
    if (count > MOST_PARTS) return true;
    for (const value of Object.values(part)) left.push(value);
  }
  return false;
}

/** What can be told of arguments without compiling their schema: fields that are missing, and values of another type. */
export function checkTopLevel(schema: JsonSchema, args: unknown): readonly ArgumentProblem[] {
  if (!isJsonObject(schema)) return [];
  if (!isJsonObject(args)) return toProblems([toError('type', '', { schema, data: args })]);
  const { required, properties } = schema;
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const missing = names
    .filter((name) => !Object.hasOwn(args, name))
    .map((name) => toError('required', '', { schema, data: args, params: { missingProperty: name } }));
  const declared = isJsonObject(properties) ? properties : {};
  const mistyped = Object.entries(args).flatMap(([name, data]) => {
    const property = Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (!isJsonObject(property) || hasType(data, property['type'])) return [];
    return [toError('type', `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, { schema: property, data })];
  });
  return toProblems([...missing, ...mistyped]);
}

/** Whether a value is of the type, or one of the types, that a schema names. */
function hasType(value: unknown, type: unknown): boolean {
  if (Array.isArray(type)) return type.some((each) => hasType(value, each));
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'integer':
      return Number.isInteger(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      return true;
  }
}

interface Fault {
  readonly schema: JsonObject;
  readonly data: unknown;
  readonly params?: JsonObject;
}

/** The error that ajv would report. */
function toError(keyword: string, instancePath: string, { schema, data, params = {} }: Fault): ErrorObject {
  const own: unknown = schema[keyword];
  return {
    keyword,
    instancePath,
    schemaPath: `#/${keyword}`,
    params: { ...params },
    schema: own,
    parentSchema: schema,
    data,
  };
}
