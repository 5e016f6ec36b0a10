import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { matchesAnyGlob, matchesGlob } from '../../src/tools/globs.ts';

describe('matchesGlob', () => {
  it.each([
    { pattern: '*', text: '', fits: true },
    { pattern: '', text: '', fits: true },
    { pattern: '', text: 'a', fits: false },
    { pattern: 'delete_*', text: 'delete_repo', fits: true },
    { pattern: 'delete_*', text: 'undelete_repo', fits: false },
    { pattern: '*__delete_*', text: 'github__delete_repo', fits: true },
    { pattern: 'a*a', text: 'a', fits: false },
    { pattern: 'a*b*c', text: 'abc', fits: true },
    { pattern: 'a*bc*c', text: 'abc', fits: false },
    { pattern: 'get.all', text: 'getXall', fits: false },
  ])('says $fits for "$pattern" and "$text"', ({ pattern, text, fits }) => {
    expect(matchesGlob(pattern, text)).toBe(fits);
  });

  it('agrees with the regular expression that says the same', () => {
    const few = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
    fc.assert(
      fc.property(few, few, (pattern, text) => {
        const source = pattern.split('*').join('.*');
        expect(matchesGlob(pattern, text)).toBe(new RegExp(`^${source}$`, 's').test(text));
      }),
    );
  });
});

it('matchesAnyGlob is false for no patterns and true where one fits', () => {
  expect(matchesAnyGlob([], 'a')).toBe(false);
  expect(matchesAnyGlob(['b', 'a*'], 'ab')).toBe(true);
});
