import type { JsonObject, Parameter, ParameterType } from '../model.ts';

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
  const typeOf = new Map(parameters.map((parameter) => [parameter.name, parameter.type]));
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const type = typeOf.get(name);
      return [name, type === undefined || typeof value !== 'string' ? value : coerceText(type, value)];
    }),
  );
}

/** A text as a value of a type; the text itself where it has no such reading. */
export function coerceText(type: ParameterType, text: string): unknown {
  switch (type) {
    case 'string':
      return text;
    case 'number':
    case 'integer':
      return coerceNumber(type, text);
    case 'boolean':
      return coerceBoolean(text) ?? text;
    case 'array':
      return coerceArray(text);
  }
}

/** True or false for the words that YAML and people use for them, in any case; undefined for all others. */
export function coerceBoolean(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (['true', 'yes', 'on'].includes(word)) return true;
  if (['false', 'no', 'off'].includes(word)) return false;
  return undefined;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function coerceNumber(type: 'number' | 'integer', text: string): number | string {
  const trimmed = text.trim();
  // `Number` alone would also take the empty text for 0, and hexadecimal and `Infinity` for numbers.
  if (!NUMBER.test(trimmed)) return text;
  const number = Number(trimmed);
  return Number.isFinite(number) && (type === 'number' || Number.isInteger(number)) ? number : text;
}

function coerceArray(text: string): readonly unknown[] {
  const parsed = text.trim().startsWith('[') ? parseJson(text) : undefined;
  return Array.isArray(parsed) ? parsed : splitCommas(text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The parts of a comma list, trimmed, without blank ones. */
export function splitCommas(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Whether a value is of a parameter's type. */
export function isOfType(type: ParameterType, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
  }
}
