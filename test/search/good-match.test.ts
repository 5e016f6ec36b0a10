import { describe, expect, it } from 'vitest';

import { ask, CATALOG, idsOf } from './seed.ts';
import type { Seed } from './seed.ts';

const ONE: readonly Seed[] = [{ id: 'deploy/rollback', description: 'Roll back a release after a bad deployment.' }];

/** Many entries about something else. */
const SONGS: readonly Seed[] = Array.from({ length: 500 }, (_, index) => ({
  id: `song-${index}`,
  description: `Play song ${index}.`,
}));

describe('no good match', () => {
  it.each([
    { name: 'words that no entry has', query: 'quantum chromodynamics homework' },
    { name: 'one word that no entry has', query: 'zebra' },
    {
      name: 'a long question about something else',
      query: 'Which painter was born in the same year as the composer of the opera about the barber, and why?',
    },
    { name: 'stop words', query: 'how do I do this?' },
    { name: 'no words', query: '?! …' },
    { name: 'an empty query', query: '' },
    { name: 'a property of every object', query: 'hasOwnProperty' },
    { name: 'pasted data', query: 'iVBORw0KGgo'.repeat(2_000) },
  ])('is the answer to $name', ({ query }) => {
    expect(ask(CATALOG, query)).toMatchObject({ hits: [], isGoodMatch: false });
  });

  it('tells what came nearest, apart from the hits', () => {
    const outcome = ask(
      [...CATALOG, ...SONGS],
      'Which painter was born in the year of the opera, and which composer wrote the libretto after a deployment?',
    );
    expect(outcome).toMatchObject({ hits: [], isGoodMatch: false });
    expect(outcome.nearest.map(({ key }) => key)).toContain('central:deploy/rollback');
  });
});

describe('a good match', () => {
  it.each([
    { name: 'one of its words', query: 'rollback' },
    { name: 'two of its words', query: 'release deployment' },
    { name: 'a question in other words', query: 'How do I get back to the last release?' },
    { name: 'a misspelt word', query: 'deploymnet' },
  ])('is found in a catalog of one by $name', ({ query }) => {
    expect(idsOf(ask(ONE, query))).toEqual(['deploy/rollback']);
  });

  it('is found by a word that every entry has', () => {
    const all = Array.from({ length: 30 }, (_, index) => ({
      id: `e${index}`,
      description: `Deploy service ${index}.`,
    }));
    expect(ask(all, 'deploy').hits).toHaveLength(30);
  });

  it('does not depend on how large the rest of the catalog is', () => {
    expect(idsOf(ask([...ONE, ...SONGS], 'roll back the release'))[0]).toBe('deploy/rollback');
  });

  it('does not bring along what shares one of its many words', () => {
    const ids = idsOf(ask(CATALOG, 'find out why a test fails now and then and make it stable'));
    expect(ids).toEqual(['ci/flaky-test']);
  });

  it('is found around pasted data', () => {
    const pasted = 'aGVsbG8gd29ybGQ+/x'.repeat(100);
    expect(idsOf(ask(CATALOG, `debug the kubernetes pod\n${pasted}`))[0]).toBe('debug-pod');
  });
});
