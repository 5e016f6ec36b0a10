import * as fc from 'fast-check';
import snowball from 'snowball-stemmers';
import { expect, it } from 'vitest';

import { stem } from '../../src/search/stem.ts';

const english = snowball.newStemmer('english');

/** What the steps of the algorithm look for, so that most words have one. */
const ENDS =
  'sses ied ies us ss s eedly ingly edly eed ing ed y tional enci anci abli entli izer ization ational ation ator alism aliti alli fulness ousli ousness iveness iviti biliti bli ogi fulli lessli li alize icate iciti ical ful ness ative al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion e ll';

it('gives what the algorithm itself gives, of words that it is not asked about too', () => {
  const letters = fc.string({
    unit: fc.constantFrom(...Array.from('aeioubcdfghlmnprstvwy')),
    minLength: 1,
    maxLength: 7,
  });
  const end = fc.oneof(
    fc.constantFrom(...ENDS.split(' ')),
    fc.string({ unit: fc.constantFrom(...Array.from('abeilnorstyz')) }),
  );
  fc.assert(
    fc.property(letters, end, (start, rest) => {
      const word = start + rest;
      const stems = [word];
      for (let next = english.stem(word); next !== stems.at(-1) && next !== ''; next = english.stem(next))
        stems.push(next);
      expect(stem(word)).toBe(stems.at(-1));
    }),
    { numRuns: 2_000 },
  );
});
