import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packCounts, unpackCounts } from '../../../src/usage/report/entry-counts.ts';
import { numbersToText, textToNumbers } from '../../../src/usage/report/numbers-text.ts';

describe('numbers as text', () => {
  it('gives back any whole numbers', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.nat(200), fc.nat(), fc.nat(Number.MAX_SAFE_INTEGER))), (numbers) => {
        expect(textToNumbers(numbersToText(numbers))).toEqual(numbers);
      }),
    );
  });

  it('takes one character below 60, and needs no escape in JSON or HTML', () => {
    const text = numbersToText(Array.from({ length: 5000 }, (_, at) => at));
    expect(numbersToText([59])).toHaveLength(1);
    expect(numbersToText([60])).toHaveLength(2);
    expect(JSON.stringify(text)).toBe(`"${text}"`);
    expect(text).not.toMatch(/[<&\s]/);
  });
});

describe('counts of entries', () => {
  const LAST_DAY = 20_000;
  const counts = fc.dictionary(
    fc.nat(40).map(String),
    fc.dictionary(fc.nat(400).map(String), fc.integer({ min: 1, max: 5000 })),
  );

  it('come back by client, entry and day', () => {
    fc.assert(
      fc.property(fc.array(counts, { maxLength: 3 }), (clients) => {
        const packed = packCounts(clients.map(toDayCounts), LAST_DAY);
        const cells = unpackCounts(packed).map(({ client, entry, bucket, count }) =>
          [client, entry, bucket, count].join(),
        );
        const expected = clients.flatMap((entries, client) =>
          Object.entries(entries).flatMap(([entry, days]) =>
            Object.entries(days).map(([back, count]) => [client, entry, back, count].join()),
          ),
        );
        expect(packed.bucketDays).toBe(1);
        expect(cells.sort()).toEqual(expected.sort());
      }),
    );
  });

  it('are told by weeks or four weeks where days take too much room, with the same sum', () => {
    const days = Array.from({ length: 400 }, (_, at) => [LAST_DAY - 399 + at, 1]).flat();
    const many = new Map(Array.from({ length: 1000 }, (_, entry) => [entry, days] as const));
    const packed = packCounts([many], LAST_DAY);
    expect(packed.bucketDays).toBeGreaterThan(1);
    expect(packed.texts.join('').length).toBeLessThan(620_000);
    const cells = unpackCounts(packed);
    expect(cells.reduce((sum, { count }) => sum + count, 0)).toBe(1000 * 400);
    expect(cells[0]).toEqual({ client: 0, entry: 0, bucket: 0, count: packed.bucketDays });
  });

  function toDayCounts(entries: Readonly<Record<string, Readonly<Record<string, number>>>>): Map<number, number[]> {
    return new Map(
      Object.entries(entries).map(([entry, days]) => {
        const ascending = Object.entries(days).map(([back, count]) => [LAST_DAY - Number(back), count] as const);
        return [Number(entry), ascending.sort(([a], [b]) => a - b).flat()];
      }),
    );
  }
});
