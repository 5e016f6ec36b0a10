import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exceedsTokens, mostTokensOf, tokenCountOf } from '../../src/catalog/tokens.ts';

const PIECES = [
  ..."a Ab abcdefgh ABCDEFGHI 123 4 . ... ,; - _ ' é ß ä ж αά 漢 カナ 한글 。 「 🚀 👍🏽 ❤️ — “ ą 1️⃣".split(' '),
  ' ',
  '  ',
  '\n',
  '\n ',
  '\t',
  '\r',
  '\u00a0',
  '\u2028',
  '\ud83d',
];
const texts = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

describe('mostTokensOf', () => {
  it('is never below the estimate', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(mostTokensOf(text)).toBeGreaterThanOrEqual(tokenCountOf(text));
      }),
    );
  });

  it('is little above the estimate for prose', () => {
    const text = 'Roll back a bad release of one service, then check its error rate for ten minutes.\n'.repeat(50);
    expect(mostTokensOf(text) / tokenCountOf(text)).toBeLessThan(1.4);
  });
});

describe('exceedsTokens', () => {
  it('says what counting says', () => {
    fc.assert(
      fc.property(texts, fc.nat(40), (text, limit) => {
        expect(exceedsTokens(text, limit)).toBe(tokenCountOf(text) > limit);
      }),
    );
  });
});
