import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { JsonSchema } from '../../src/model.ts';
import { compileValidator, type ArgumentProblem } from '../../src/tools/validate.ts';

function problemsOf(schema: JsonSchema, args: unknown): readonly ArgumentProblem[] {
  const validator = compileValidator(schema);
  if (validator.kind === 'unusable') throw new Error(validator.reason);
  return validator.validate(args);
}

/** `path message (expected)` of every problem. */
function linesOf(schema: JsonSchema, args: unknown): readonly string[] {
  return problemsOf(schema, args).map(({ path, message, expected }) => `${path} ${message} (${expected})`);
}

const issue = {
  type: 'object',
  properties: {
    title: { type: 'string', minLength: 1 },
    state: { enum: ['open', 'closed'] },
    count: { type: 'integer', minimum: 1, maximum: 100 },
    labels: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
  },
  required: ['title'],
  additionalProperties: false,
};

describe('compileValidator', () => {
  it('names every field at fault at once, with what was expected and the name that was meant', () => {
    const args = { titel: 'x', state: 'ajar', count: 101, labels: [{ name: 'ok' }, { name: 7 }, {}] };
    expect(linesOf(issue, args)).toEqual([
      'title is required; did you mean it by "titel"? (string of at least 1 characters)',
      'titel is unknown; did you mean "title"? (one of title, state, count, labels)',
      'state is not a value that it can have ("open" or "closed")',
      'count must be <= 100 (integer from 1 to 100)',
      'labels[1].name is a number (string)',
      'labels[2].name is required (string)',
    ]);
  });

  it('finds nothing wrong with arguments that fit', () => {
    expect(problemsOf(issue, { title: 'x', count: 3, labels: [] })).toEqual([]);
  });

  it.each([
    { name: 'a list', args: [], message: 'is an array' },
    { name: 'null', args: null, message: 'is null' },
    { name: 'a text', args: '{}', message: 'is a string' },
  ])('blames the whole where the arguments are $name', ({ args, message }) => {
    expect(problemsOf(issue, args)).toEqual([{ path: '', message, expected: 'object with title' }]);
  });

  it.each([
    { name: 'true', schema: true, args: 3, lines: [] },
    { name: 'an empty schema', schema: {}, args: [], lines: [] },
    { name: 'false', schema: false, args: {}, lines: [' cannot be given here (nothing)'] },
    {
      name: 'draft-07 with tuples and definitions',
      schema: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        properties: { at: { items: [{ type: 'number' }, { $ref: '#/definitions/unit' }] } },
        definitions: { unit: { const: 'km' } },
      },
      args: { at: ['x', 'mi'] },
      lines: ['at[0] is a string (number)', 'at[1] is not a value that it can have ("km")'],
    },
    {
      name: 'draft-07 that does not say so',
      schema: { properties: { at: { items: [{ type: 'number' }] } } },
      args: { at: ['x'] },
      lines: ['at[0] is a string (number)'],
    },
    {
      name: 'draft 2020-12 with a recursive $ref',
      schema: {
        $defs: { node: { type: 'object', properties: { name: { type: 'string' }, child: { $ref: '#/$defs/node' } } } },
        $ref: '#/$defs/node',
      },
      args: { child: { child: { name: 1 } } },
      lines: ['child.child.name is a number (string)'],
    },
    {
      name: 'a dialect that nobody knows',
      schema: { $schema: 'https://example.com/dialect', required: ['a'], 'x-extra': 1 },
      args: {},
      lines: ['a is required (anything)'],
    },
    {
      name: 'draft-04 with an id',
      schema: { id: 'http://x.test/y', required: ['a'] },
      args: {},
      lines: ['a is required (anything)'],
    },
    {
      name: 'a condition',
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      schema: { if: { properties: { kind: { const: 'a' } } }, then: { required: ['b'] } },
      args: { kind: 'a' },
      lines: ['b is required (anything)'],
    },
    {
      name: 'fields that depend on each other',
      schema: { dependentRequired: { user: ['password'] } },
      args: { user: 'x' },
      lines: ['password is required (anything)'],
    },
    {
      name: 'names of fields',
      schema: { propertyNames: { pattern: '^[a-z]+$' } },
      args: { ok: 1, 'not ok': 2 },
      lines: ['["not ok"] has a name that no field may have (string like /^[a-z]+$/)'],
    },
    {
      name: 'unevaluatedProperties',
      schema: { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
      args: { a: 1, b: 2 },
      lines: ['b is unknown (no field of another name)'],
    },
    {
      name: 'a format',
      schema: { properties: { at: { type: 'string', format: 'date' } } },
      args: { at: 'x' },
      lines: [],
    },
    {
      name: 'a format that nobody knows',
      schema: { properties: { at: { format: 'gitref' } } },
      args: { at: 1 },
      lines: [],
    },
  ])('reads $name', ({ schema, args, lines }) => {
    expect(linesOf(schema, args)).toEqual(lines);
  });

  it.each([
    { name: 'a type that does not exist', schema: { type: 'strng' }, reason: /strng/ },
    { name: 'a reference to another place', schema: { $ref: 'https://example.com/x' }, reason: /example\.com/ },
    {
      name: 'a pattern that is none',
      schema: { properties: { a: { pattern: '(?P<year>\\d+' } } },
      reason: /Invalid regular expression/,
    },
  ])('is unusable, and says why, for $name', ({ schema, reason }) => {
    expect(compileValidator(schema)).toMatchObject({ kind: 'unusable', reason: expect.stringMatching(reason) });
  });

  it('keeps two schemas with the same $id apart', () => {
    const first = compileValidator({ $id: 'https://x.test/args', required: ['a'] });
    const second = compileValidator({ $id: 'https://x.test/args', required: ['b'] });
    expect([first, second].map((validator) => validator.kind === 'usable' && validator.validate({})[0]?.path)).toEqual([
      'a',
      'b',
    ]);
  });

  it('never throws, whatever the arguments', () => {
    const validator = compileValidator(issue);
    fc.assert(
      fc.property(fc.anything(), (args) => {
        expect(validator.kind === 'usable' && validator.validate(args)).toBeInstanceOf(Array);
      }),
    );
  });
});

describe('alternatives', () => {
  const shape = {
    oneOf: [
      { properties: { kind: { const: 'circle' }, radius: { type: 'number' } }, required: ['kind', 'radius'] },
      { $ref: '#/$defs/square' },
    ],
    $defs: {
      square: { properties: { kind: { const: 'square' }, side: { type: 'number' } }, required: ['kind', 'side'] },
    },
  };

  it.each([
    {
      name: 'the faults of the form that a field tells',
      schema: shape,
      args: { kind: 'circle', radius: 'x' },
      lines: ['radius is a string (number)'],
    },
    {
      name: 'the faults of the form that a field tells, by reference',
      schema: shape,
      args: { kind: 'square' },
      lines: ['side is required (number)'],
    },
    {
      name: 'the faults of the only form of the right type',
      schema: { properties: { a: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] } } },
      args: { a: ['x', 2] },
      lines: ['a[1] is a number (string)'],
    },
    {
      name: 'all forms where none comes near',
      schema: { properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } } },
      args: { a: 5 },
      lines: ['a fits none of the forms that it can have (string or null)'],
    },
    {
      name: 'that several forms fit',
      schema: { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      args: { a: 1, b: 2 },
      lines: [' fits more than one of the forms that it can have (object with a or object with b)'],
    },
  ])('tell $name', ({ schema, args, lines }) => {
    expect(linesOf(schema, args)).toEqual(lines);
  });
});

describe('a schema of thousands of properties', () => {
  const nested = { type: 'object', properties: { a: { type: 'string' }, b: { type: ['integer', 'null'] } } };
  const properties = Object.fromEntries(Array.from({ length: 4000 }, (_, i) => [`p${i}`, nested]));
  const large = { type: 'object', properties: { ...properties, 'a/b': { type: 'integer' } }, required: ['p0', 'p1'] };

  it('is checked for missing fields and types at its top level, and says so', () => {
    const validator = compileValidator(large);
    expect(validator).toMatchObject({ kind: 'usable', omission: expect.stringContaining('more than 1000 parts') });
    expect(linesOf(large, { p0: {}, p2: 'x', 'a/b': 1.5, other: 1 })).toEqual([
      'p1 is required (object)',
      'p2 is a string (object)',
      '["a/b"] is a number with a fraction (integer)',
    ]);
    expect(linesOf(large, { p0: { b: null }, p1: {} })).toEqual([]);
    expect(linesOf(large, [])).toEqual([' is an array (object with p0, p1)']);
  });

  it('is told in the words in which any other is', () => {
    const small = { ...large, properties: { p0: nested, p1: nested, p2: nested, 'a/b': { type: 'integer' } } };
    for (const args of [
      { p0: {}, p2: 'x' },
      { p0: 1, p1: null, 'a/b': 'x' },
    ]) {
      expect(linesOf(large, args)).toEqual(linesOf(small, args));
    }
  });
});

describe('patterns', () => {
  it('that take exponential time end soon, and count as fitting', () => {
    const schema = { properties: { a: { pattern: '^(a+)+$' }, b: { pattern: '^[\\w-.]+$' } } };
    expect(problemsOf(schema, { a: `${'a'.repeat(50)}!` })).toEqual([]);
    expect(problemsOf(schema, { a: 'b', b: 'ok-1.2' }).map(({ path }) => path)).toEqual(['a']);
  });

  it('share one budget, so that many hopeless texts take no longer than one', { timeout: 10_000 }, () => {
    const schema = { items: { pattern: '^(a|a)*$' } };
    expect(
      problemsOf(
        schema,
        Array.from({ length: 1000 }, () => `${'a'.repeat(50)}!`),
      ),
    ).toEqual([]);
  });

  it.each([
    { name: 'is itself', schema: { $ref: '#' } },
    {
      name: 'consists of parts that are it',
      schema: { allOf: [{ $ref: '#/$defs/x' }], $defs: { x: { anyOf: [{ allOf: [{ $ref: '#/$defs/x' }] }, {}] } } },
    },
  ])('does not check by a schema that $name, on which no check would end', ({ schema }) => {
    expect(compileValidator(schema)).toEqual({ kind: 'unusable', reason: 'it refers to itself without end' });
  });

  it('leaves arguments to the server that are nested deeper than can be looked at', () => {
    const tree = { type: 'object', properties: { child: { $ref: '#' } } };
    let args: object = {};
    for (let depth = 0; depth < 100_000; depth += 1) args = { child: args };
    expect(problemsOf(tree, args)).toEqual([]);
  });
});
