import { describe, expect, it } from 'vitest';
import { findExpressions } from '../../src/usage/expressions.ts';
import { newQueryTally, termsOf } from '../../src/usage/fold/query-tally.ts';

const SUBJECTS = [
  'invoice',
  'token',
  'replica',
  'cohort',
  'bucket',
  'ledger',
  'coupon',
  'parcel',
  'webhook',
  'carrier',
];

function expressionsIn(texts: readonly string[]): readonly string[] {
  const queries = texts.map((text) => newQueryTally(text, 0));
  const frequencies = new Map<string, number>();
  for (const term of queries.flatMap(termsOf)) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  return [...findExpressions(queries, frequencies)].map((pair) => pair.join(' '));
}

describe('findExpressions', () => {
  it('finds terms that come together whatever is asked about', () => {
    const texts = SUBJECTS.flatMap((subject) => [`speed up ${subject}`, `${subject} speed up`, `audit ${subject}`]);
    expect(expressionsIn(texts)).toEqual(['speed up']);
  });

  it('leaves the two words of one thing', () => {
    const texts = SUBJECTS.flatMap((subject) => [
      `stripe webhook drift ${subject}`,
      `audit ${subject}`,
      `port ${subject}`,
    ]);
    expect(expressionsIn(texts)).toEqual([]);
  });

  it('leaves terms that came together a few times only', () => {
    expect(expressionsIn(SUBJECTS.slice(0, 4).map((subject) => `speed up ${subject}`))).toEqual([]);
  });
});
