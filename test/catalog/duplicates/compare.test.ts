import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareFingerprints } from '../../../src/catalog/duplicates/compare.ts';
import { toFingerprint } from '../../../src/catalog/duplicates/fingerprint.ts';
import { longestPassage } from '../../../src/catalog/duplicates/passage.ts';

const rarityOf = (term: number): number => 1 + (term % 5);
const terms = fc.array(fc.nat(12), { maxLength: 40 }).map((list) => Uint32Array.from(list));
const fingerprints = terms.map((list) => toFingerprint(list, rarityOf));

/** The weights of common subsequences of the distinct terms, by trying each. */
function heaviestCommon(a: readonly number[], b: readonly number[]): number {
  const [head, ...rest] = a;
  if (head === undefined) return 0;
  const place = b.indexOf(head);
  const without = heaviestCommon(rest, b);
  return place === -1 ? without : Math.max(without, rarityOf(head) + heaviestCommon(rest, b.slice(place + 1)));
}

describe('compareFingerprints', () => {
  it('is the same either way, between 0 and 1', () => {
    fc.assert(
      fc.property(fingerprints, fingerprints, (a, b) => {
        const forth = compareFingerprints(a, b);
        const back = compareFingerprints(b, a);
        for (const key of ['vocabularyRatio', 'orderedRatio', 'passageRatio'] as const) {
          expect(forth[key]).toBeCloseTo(back[key], 10);
          expect(forth[key]).toBeGreaterThanOrEqual(0);
          expect(forth[key]).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('finds all of the vocabulary and of the passages in a text itself', () => {
    fc.assert(
      fc.property(
        fingerprints.filter(({ terms: { length } }) => length >= 3),
        (a) => {
          expect(compareFingerprints(a, a)).toMatchObject({ passageRatio: 1 });
          expect(compareFingerprints(a, a).vocabularyRatio).toBeCloseTo(1, 10);
        },
      ),
    );
  });

  it('weighs the heaviest terms that both bring up in the same order, as trying every choice does', () => {
    fc.assert(
      fc.property(terms, terms, (a, b) => {
        const [x, y] = [toFingerprint(a, rarityOf), toFingerprint(b, rarityOf)];
        const smaller = Math.min(x.totalRarity, y.totalRarity);
        const expected = heaviestCommon([...new Set(a)], [...new Set(b)]);
        expect(compareFingerprints(x, y).orderedRatio * (smaller + 30)).toBeCloseTo(expected, 6);
      }),
      { numRuns: 60 },
    );
  });
});

describe('longestPassage', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 }).map((list) => list.join(' '));

  it('is as long as the longest common run of words, and stands in both', () => {
    fc.assert(
      fc.property(words, words, (a, b) => {
        const runs = a.split(' ').flatMap((_, start, all) => all.map((__, end) => all.slice(start, end + 1).join(' ')));
        const common = runs.filter((run) => run !== '' && ` ${b} `.includes(` ${run} `));
        const longest = Math.max(0, ...common.map((run) => run.split(' ').length));
        const passage = longestPassage(a, b, () => true);
        expect(passage?.wordCount ?? 0).toBe(longest >= 5 ? longest : 0);
        if (passage !== undefined) expect(` ${b} `).toContain(` ${passage.text} `);
      }),
    );
  });

  it('passes over what is boilerplate', () => {
    const [a, b] = [
      'one two three four five six. x alpha beta gamma delta epsilon',
      'one two three four five six. y alpha beta gamma delta epsilon',
    ];
    expect(longestPassage(a ?? '', b ?? '', (text) => !text.startsWith('one'))?.text).toBe(
      'alpha beta gamma delta epsilon',
    );
  });
});
