import { describe, expect, it } from 'vitest';
import { mustConfirm } from '../../src/tools/risks.ts';

describe('mustConfirm', () => {
  it.each([
    { name: 'says nothing', annotations: {}, tags: [], destructive: false, write: true },
    { name: 'has a name that deletes', annotations: {}, tags: ['action:delete'], destructive: true, write: true },
    { name: 'destroys', annotations: { destructiveHint: true }, tags: [], destructive: true, write: true },
    {
      name: 'deletes what can be restored',
      annotations: { destructiveHint: false },
      tags: ['action:delete'],
      destructive: false,
      write: true,
    },
    {
      name: 'only reads, whatever else it says',
      annotations: { readOnlyHint: true, destructiveHint: true },
      tags: ['action:delete'],
      destructive: false,
      write: false,
    },
  ])('judges a tool that $name', ({ annotations, tags, destructive, write }) => {
    const judged = (['destructive', 'write', 'never'] as const).map((policy) =>
      mustConfirm({ annotations, tags }, policy),
    );
    expect(judged).toEqual([destructive, write, false]);
  });
});
