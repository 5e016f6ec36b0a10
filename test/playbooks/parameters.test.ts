import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Parameter } from '../../src/model.ts';
import { coerceStrings, toJsonSchema } from '../../src/playbooks/parameters.ts';

const parameters: readonly Parameter[] = [
  { name: 'flag', type: 'string', description: 'key', isRequired: true, pattern: '^[a-z-]+$' },
  { name: 'keep', type: 'string', isRequired: false, enum: ['treatment', 'control'], default: 'treatment' },
  { name: 'hosts', type: 'array', isRequired: false, enum: ['a', 'b'] },
  { name: 'count', type: 'integer', isRequired: true },
];

describe('the JSON Schema of parameters', () => {
  it('has their types, bounds and defaults, and allows no others', () => {
    expect(toJsonSchema(parameters)).toEqual({
      type: 'object',
      properties: {
        flag: { type: 'string', description: 'key', pattern: '^[a-z-]+$' },
        keep: { type: 'string', enum: ['treatment', 'control'], default: 'treatment' },
        hosts: { type: 'array', items: { type: ['string', 'number', 'boolean'], enum: ['a', 'b'] } },
        count: { type: 'integer' },
      },
      required: ['flag', 'count'],
      additionalProperties: false,
    });
  });

  it('has no `required` where nothing is', () => {
    expect(toJsonSchema([])).toEqual({ type: 'object', properties: {}, additionalProperties: false });
  });

  it('is one that a 2020-12 validator compiles and applies', () => {
    const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(toJsonSchema(parameters));
    expect(validate({ flag: 'new-checkout', count: 2, hosts: ['a'] })).toBe(true);
    expect(validate({ flag: 'New', count: 2 })).toBe(false);
    expect(validate({ flag: 'x', count: 2, hosts: ['c'] })).toBe(false);
    expect(validate({ flag: 'x', count: 2, other: 1 })).toBe(false);
  });
});

describe('values that are all text', () => {
  it.each([
    { name: 'a number', type: 'number', text: ' 1.5e2 ', value: 150 },
    { name: 'a negative integer', type: 'integer', text: '-3', value: -3 },
    { name: 'a fraction for an integer', type: 'integer', text: '1.5', value: '1.5' },
    { name: 'nothing for a number', type: 'number', text: '', value: '' },
    { name: 'hexadecimal for a number', type: 'number', text: '0x10', value: '0x10' },
    { name: 'a number too large', type: 'number', text: '1e999', value: '1e999' },
    { name: 'true', type: 'boolean', text: 'True', value: true },
    { name: 'no', type: 'boolean', text: 'no', value: false },
    { name: 'another word for a boolean', type: 'boolean', text: 'maybe', value: 'maybe' },
    { name: 'a JSON list', type: 'array', text: '["a, b", 1]', value: ['a, b', 1] },
    { name: 'a comma list', type: 'array', text: 'a, b ,', value: ['a', 'b'] },
    { name: 'a broken JSON list', type: 'array', text: '[a, b', value: ['[a', 'b'] },
    { name: 'a text that looks like a number', type: 'string', text: '404', value: '404' },
  ] as const)('become what their type says: $name', ({ type, text, value }) => {
    expect(coerceStrings([{ name: 'p', type, isRequired: true }], { p: text })).toEqual({ p: value });
  });

  it('leave alone what is no text and what is not declared', () => {
    const args = { count: 3, other: '5', hosts: ['a'] };
    expect(coerceStrings(parameters, args)).toEqual(args);
  });

  it('give back every number that was written as text', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const [coerced] = Object.values(
          coerceStrings([{ name: 'p', type: 'number', isRequired: true }], { p: String(number) }),
        );
        expect(coerced).toBe(Number(String(number)));
      }),
    );
  });
});
