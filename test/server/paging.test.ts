import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareIds } from '../../src/catalog/order.ts';
import { pageOf } from '../../src/server/paging.ts';

const keyOf = (key: string): string => key;

/** What a client sees of a list that is `at(page)` when it asks for that page. */
function readAll(at: (page: number) => readonly string[], size: number): readonly string[] {
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page === 0 || cursor !== undefined; page += 1) {
    const { items, nextCursor } = pageOf(at(page), { list: 'x/list', cursor, size, keyOf });
    seen.push(...items);
    cursor = nextCursor;
  }
  return seen;
}

describe('pageOf', () => {
  const keys = fc.uniqueArray(fc.string(), { maxLength: 40 }).map((list) => list.sort(compareIds));
  const size = fc.integer({ min: 1, max: 7 });

  it('gives each item once and in order', () => {
    fc.assert(
      fc.property(keys, size, (list, most) => {
        expect(readAll(() => list, most)).toEqual(list);
      }),
    );
  });

  it('shows each item once that is there all the time, whatever comes and goes between two pages', () => {
    fc.assert(
      fc.property(keys, keys, size, (stays, visits, most) => {
        const visitors = visits.filter((key) => !stays.includes(key));
        const seen = readAll((page) => (page % 2 === 0 ? [...stays, ...visitors].sort(compareIds) : stays), most);
        expect(seen.filter((key) => stays.includes(key))).toEqual(stays);
        expect(new Set(seen).size).toBe(seen.length);
      }),
    );
  });

  it('refuses every cursor that it has not handed out', () => {
    const { nextCursor = '' } = pageOf(['a', 'b'], { list: 'x/list', cursor: undefined, size: 1, keyOf });
    for (const cursor of ['', '0', 'nonsense', ` ${nextCursor}`, `${nextCursor}=`]) {
      expect(() => pageOf(['a'], { list: 'x/list', cursor, size: 1, keyOf })).toThrow(/not one that x\/list/);
    }
    expect(() => pageOf(['a'], { list: 'y/list', cursor: nextCursor, size: 1, keyOf })).toThrow(/not one that y\/list/);
  });
});
