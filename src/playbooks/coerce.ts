import type { ParameterType } from '../model.ts';

interface TypeReading {
  /** The value that a text means; the text itself where it has no such reading. */
  readonly coerce: (text: string) => unknown;
  readonly includes: (value: unknown) => boolean;
}

const READINGS: Readonly<Record<ParameterType, TypeReading>> = {
  string: { coerce: (text) => text, includes: (value) => typeof value === 'string' },
  number: { coerce: coerceNumber, includes: (value) => typeof value === 'number' },
  integer: { coerce: coerceNumber, includes: Number.isInteger },
  boolean: { coerce: (text) => coerceBoolean(text) ?? text, includes: (value) => typeof value === 'boolean' },
  array: { coerce: coerceArray, includes: Array.isArray },
};

/** A text as a value of a type; the text itself where it has no such reading. */
export function coerceText(type: ParameterType, text: string): unknown {
  const { coerce, includes } = READINGS[type];
  const value = coerce(text);
  return includes(value) ? value : text;
}

/** Whether a value is of a parameter's type. */
export function isOfType(type: ParameterType, value: unknown): boolean {
  return READINGS[type].includes(value);
}

/** True or false for the words that YAML and people use for them, in any case; undefined for all others. */
export function coerceBoolean(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (['true', 'yes', 'on'].includes(word)) return true;
  if (['false', 'no', 'off'].includes(word)) return false;
  return undefined;
}

/** The parts of a comma list, trimmed, without blank ones. */
export function splitCommas(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function coerceNumber(text: string): number | string {
  const trimmed = text.trim();
  // `Number` alone would also take the empty text for 0, and hexadecimal and `Infinity` for numbers.
  const number = NUMBER.test(trimmed) ? Number(trimmed) : Number.NaN;
  return Number.isFinite(number) ? number : text;
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
