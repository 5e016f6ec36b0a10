import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { greatestMean, greatestShare, leastShare } from '../../src/usage/bounds.ts';

const counts = fc
  .tuple(fc.nat(1000), fc.nat(1000))
  .map(([hits, others]) => ({ hits, total: hits + others }))
  .filter(({ total }) => total > 0);

describe('bounds', () => {
  it('lie around the share, and within 0 and 1', () => {
    fc.assert(
      fc.property(counts, ({ hits, total }) => {
        const [least, greatest] = [leastShare(hits, total), greatestShare(hits, total)];
        expect(least).toBeGreaterThanOrEqual(0);
        expect(least).toBeLessThanOrEqual(hits / total + 1e-9);
        expect(greatest).toBeGreaterThanOrEqual(hits / total - 1e-9);
        expect(greatest).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('come closer to the share with ten times the observations', () => {
    fc.assert(
      fc.property(counts, ({ hits, total }) => {
        expect(leastShare(10 * hits, 10 * total)).toBeGreaterThanOrEqual(leastShare(hits, total) - 1e-9);
        expect(greatestShare(10 * hits, 10 * total)).toBeLessThanOrEqual(greatestShare(hits, total) + 1e-9);
      }),
    );
  });

  it('say nothing of no observation', () => {
    expect([leastShare(0, 0), greatestShare(0, 0)]).toEqual([0, 1]);
  });

  it.each([
    { count: 0, exact: 2.996 },
    { count: 1, exact: 4.744 },
    { count: 10, exact: 16.962 },
    { count: 100, exact: 118.079 },
  ])('give the exact Poisson limit of $count within 1 %', ({ count, exact }) => {
    expect(Math.abs(greatestMean(count) / exact - 1)).toBeLessThan(0.01);
  });
});
