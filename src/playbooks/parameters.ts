import type { JsonObject, Parameter } from '../model.ts';
import { coerceText } from './coerce.ts';

/**
 * The JSON Schema (2020-12) of a playbook's or command's arguments: `type`, `properties` in declared order, `required`
 * (only where there is any) and `additionalProperties: false`.
 */
export function toJsonSchema(parameters: readonly Parameter[]): JsonObject {
  const required = parameters.filter((parameter) => parameter.isRequired).map((parameter) => parameter.name);
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, propertyOf(parameter)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function propertyOf(parameter: Parameter): JsonObject {
  const { type, description, enum: choices, pattern } = parameter;
  const bounds = { ...(choices !== undefined && { enum: choices }), ...(pattern !== undefined && { pattern }) };
  return {
    type,
    ...(description !== undefined && { description }),
    // An array's items are joined into one line of text: what has no one-line form has no place among them.
    ...(type === 'array' ? { items: { type: ['string', 'number', 'boolean'], ...bounds } } : bounds),
    ...(parameter.default !== undefined && { default: parameter.default }),
  };
}

/**
 * The same arguments with each text turned into its parameter's type, for callers whose values are all text.
 * A text that has no such reading stays as it is, so that validation can report it.
 */
export function coerceStrings(parameters: readonly Parameter[], args: JsonObject): JsonObject {
  const typeByName = new Map(parameters.map((parameter) => [parameter.name, parameter.type]));
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const type = typeByName.get(name);
      return [name, type === undefined || typeof value !== 'string' ? value : coerceText(type, value)];
    }),
  );
}

/** A parameter's value as it stands in a text or on a command line: strings as they are, all else as JSON. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
