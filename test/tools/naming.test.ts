import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { nameTools, type ToolName } from '../../src/tools/naming.ts';

function nameOf(server: string, tool: string, others: readonly ToolName[] = []): string {
  return nameTools([{ server, tool }, ...others])[0] ?? '';
}

describe('nameTools', () => {
  it.each([
    { name: 'plain names', server: 'github', tool: 'create_issue', id: 'github__create_issue' },
    { name: 'characters that ids do not have', server: 'my.wiki', tool: 'pages/read', id: 'my_wiki__pages_read' },
    { name: 'letters of other scripts', server: 'вики', tool: 'find', id: '______find' },
  ])('joins $name', ({ server, tool, id }) => {
    expect(nameOf(server, tool)).toBe(id);
  });

  it('cuts a long id and ends it in a hash of both names', () => {
    const id = nameOf('server', 'x'.repeat(100));
    expect(id).toMatch(/^server__x{47}_[0-9a-f]{8}$/);
    expect(nameOf('server', `${'x'.repeat(99)}y`)).not.toBe(id);
  });

  it('leaves the id to the tool that needed no change, and gives the others a hash', () => {
    const exact = { server: 'a_b', tool: 'c' };
    expect(nameOf('a_b', 'c', [{ server: 'a.b', tool: 'c' }])).toBe('a_b__c');
    expect(nameOf('a.b', 'c', [exact])).toMatch(/^a_b__c_[0-9a-f]{8}$/);
    expect(nameOf('a', 'b__c', [{ server: 'a__b', tool: 'c' }])).toMatch(/^a__b__c_[0-9a-f]{8}$/);
  });

  const toolNames = fc.uniqueArray(
    fc.record({
      server: fc.string({ unit: fc.constantFrom('a', '_', '.', 'é'), maxLength: 40 }),
      tool: fc.string({ unit: fc.constantFrom('b', '_', '-', ' '), minLength: 1, maxLength: 40 }),
    }),
    { selector: ({ server, tool }) => `${server}\0${tool}`, maxLength: 30 },
  );

  it('gives every tool an id of its own that hosts accept', () => {
    fc.assert(
      fc.property(toolNames, (tools) => {
        const ids = nameTools(tools);
        expect(new Set(ids).size).toBe(tools.length);
        for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      }),
    );
  });

  it('gives the same ids whatever the order', () => {
    fc.assert(
      fc.property(toolNames, (tools) => {
        expect(nameTools(tools.toReversed()).toReversed()).toEqual(nameTools(tools));
      }),
    );
  });
});
