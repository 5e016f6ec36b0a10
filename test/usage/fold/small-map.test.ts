import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SmallMap } from '../../../src/usage/fold/small-map.ts';

describe('a small map', () => {
  const keys = [{ key: 0 }, { key: 1 }, { key: 2 }, { key: 3 }];

  it('holds what a Map holds, in its order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...keys), fc.nat())), (pairs) => {
        const small = new SmallMap<{ key: number }, number>();
        const plain = new Map<{ key: number }, number>();
        for (const [key, value] of pairs) {
          small.set(key, value);
          plain.set(key, value);
        }
        expect([...small]).toEqual([...plain]);
        expect(small.keys()).toEqual([...plain.keys()]);
        expect(small.values()).toEqual([...plain.values()]);
        for (const key of keys) expect(small.get(key)).toBe(plain.get(key));
      }),
    );
  });
});
