import { expect, it } from 'vitest';

import { readDefinitions, wrapTools } from '../../src/tools/definitions.ts';
import { fake } from './harness.ts';

const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } };

it('wrapTools gives tools in the order of their ids, whatever the order of servers and lists', () => {
  const one = { config: fake('one'), definitions: readDefinitions([{ name: 'b' }, { name: 'B' }, { name: 'a' }]) };
  const two = { config: fake('two'), definitions: readDefinitions([{ name: 'a' }]) };
  const ids = ['one__B', 'one__a', 'one__b', 'two__a'];
  expect(wrapTools([two, one], []).map(({ id }) => id)).toEqual(ids);
  expect(wrapTools([one, two], []).map(({ id }) => id)).toEqual(ids);
});

it('a wrapped tool has what the upstream says of it', () => {
  const annotations = { title: 'Old title', readOnlyHint: true, unknownHint: 1 };
  const definitions = readDefinitions([
    { name: 'a', title: 'A tool', description: 'Does a', inputSchema: schema, annotations },
  ]);
  expect(wrapTools([{ config: fake('s', { tags: ['t'] }), definitions }], [])).toEqual([
    {
      id: 's__a',
      server: 's',
      tool: 'a',
      name: 'A tool',
      description: 'Does a',
      tags: ['t', 'domain:s', 'action:read'],
      inputSchema: schema,
      annotations: { title: 'Old title', readOnlyHint: true },
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  ]);
});

it('the digest is of name, description and schema, not of the order of keys', () => {
  const digestOf = (definition: object): string | undefined =>
    wrapTools([{ config: fake('s'), definitions: readDefinitions([definition]) }], [])[0]?.digest;
  const { type, properties } = schema;
  const before = digestOf({ name: 'a', description: 'x', inputSchema: { type, properties } });
  expect(digestOf({ name: 'a', description: 'x', inputSchema: { properties, type }, title: 'T' })).toBe(before);
  expect(digestOf({ name: 'a', description: 'y', inputSchema: schema })).not.toBe(before);
  expect(digestOf({ name: 'a', description: 'x', inputSchema: { type } })).not.toBe(before);
});

it.each([
  { name: 'no definition at all', listed: ['x', null, 3, {}, { name: '' }], names: [] },
  {
    name: 'a name that comes twice',
    listed: [
      { name: 'a', title: '1' },
      { name: 'a', title: '2' },
    ],
    names: ['a'],
  },
  {
    name: 'odd fields',
    listed: [{ name: 'a', title: 1, description: 2, inputSchema: 'x', annotations: [] }],
    names: ['a'],
  },
])('readDefinitions survives $name', ({ listed, names }) => {
  expect(readDefinitions(listed).map(({ name }) => name)).toEqual(names);
});
