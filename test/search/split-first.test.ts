import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { splitFirst } from '../../src/search/split-first.ts';

const compare = (a: number, b: number): number => b - a;

describe('splitFirst', () => {
  it('gives what sorting all gives first, and everything else as the rest', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(1_000), { maxLength: 300 }), fc.nat(150), (items, count) => {
        const { first, rest } = splitFirst(items, count, compare);
        expect(first).toEqual(items.toSorted(compare).slice(0, count));
        expect([...first, ...rest].toSorted(compare)).toEqual(items.toSorted(compare));
      }),
    );
  });
});
