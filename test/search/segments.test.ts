import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { mergeSegments } from '../../src/search/merge-segments.ts';
import { search } from '../../src/search/search.ts';
import { buildSegment } from '../../src/search/search-index.ts';
import { toDocument, toSegment } from './seed.ts';

const WORDS = 'deploy deploys rollback release get fetch issue issues pod k8s kubernetes flag the remove delete'.split(
  ' ',
);
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }).map((words) => words.join(' '));
const seeds = fc
  .array(
    fc.record({
      name: text,
      description: text,
      body: text,
      tags: fc.array(fc.constantFrom(...WORDS), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((entries) => entries.map((entry, index) => ({ ...entry, id: `area/entry-${index}` })));
const query = fc
  .array(fc.constantFrom(...WORDS, 'relese', 'kubernetis', 'roll', 'unheard.'), { maxLength: 7 })
  .map((words) => words.join(' '));
const options = { synonyms: { k8s: ['kubernetes'] } };

describe('segments', () => {
  it('give together what one segment with all their documents gives', () => {
    fc.assert(
      fc.property(
        seeds,
        query,
        fc.array(fc.nat({ max: 2 }), { minLength: 12, maxLength: 12 }),
        (entries, asked, places) => {
          const parts = [0, 1, 2].map((part) => toSegment(entries.filter((_, index) => places[index] === part)));
          expect(search(parts, asked, options)).toEqual(search([toSegment(entries)], asked, options));
        },
      ),
    );
  });

  it('merged, less what is gone, give what a segment gives that was built of the rest', () => {
    fc.assert(
      fc.property(
        seeds,
        seeds,
        query,
        fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
        // oxlint-disable-next-line eslint/max-params -- what is drawn arrives one by one
        (old, added, asked, stays) => {
          const fresh = added.map((entry) => ({ ...entry, id: `new/${entry.id}` }));
          const kept = old.filter((_, index) => stays[index]);
          const keys = new Set(kept.map(({ id }) => `central:${id}`));
          const before = toSegment(old);
          const merged = mergeSegments([before, toSegment(fresh)], (key, of) => of === before && !keys.has(key));
          const built = toSegment([...kept, ...fresh]);
          expect(search([merged], asked, options)).toEqual(search([built], asked, options));
          expect(merged.keys).toEqual(built.keys);
          expect(new Set(merged.terms)).toEqual(new Set(built.terms));
          expect(new Set(merged.words)).toEqual(new Set(built.words));
          expect(merged.fieldTotals).toEqual(built.fieldTotals);
        },
      ),
    );
  });

  it('can be merged again and again', () => {
    const one = (id: string, description: string) => toSegment([{ id, description }]);
    const withB = mergeSegments([one('a', 'Deploy.'), one('b', 'Roll back.')], () => false);
    const withoutA = mergeSegments([withB], (key) => key === 'central:a');
    const back = mergeSegments([withoutA, one('a', 'Release.')], () => false);
    expect(search([back], 'release').hits.map(({ key }) => key)).toEqual(['central:a']);
    expect(search([back], 'deploy').hits).toEqual([]);
    expect(search([back], 'roll back').hits.map(({ key }) => key)).toEqual(['central:b']);
  });

  it('rank the same whatever the order of their documents', () => {
    fc.assert(
      fc.property(seeds, query, (entries, asked) => {
        const backwards = toSegment(entries.toReversed());
        expect(search([backwards], asked, options)).toEqual(search([toSegment(entries)], asked, options));
      }),
    );
  });

  it('list each once, best first, and equals by key', () => {
    fc.assert(
      fc.property(seeds, query, (entries, asked) => {
        const { hits } = search([toSegment(entries)], asked, options);
        const sorted = hits.toSorted((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1));
        expect(hits).toEqual(sorted);
        expect(new Set(hits.map(({ key }) => key)).size).toBe(hits.length);
        expect(hits.every(({ score }) => score > 0)).toBe(true);
      }),
    );
  });

  it('answer nothing when there are none, or none with documents', () => {
    const nothing = { hits: [], isGoodMatch: false, nearest: [], corrected: [] };
    expect(search([], 'deploy')).toEqual(nothing);
    expect(search([buildSegment([])], 'deploy')).toEqual(nothing);
  });

  it('take documents that were tokenized long ago', () => {
    const documents = [toDocument({ id: 'a', description: 'Deploy a service.' })];
    buildSegment([...documents, toDocument({ id: 'b', description: 'Something else.' })]);
    expect(search([buildSegment(documents)], 'deploy')).toEqual(
      search([toSegment([{ id: 'a', description: 'Deploy a service.' }])], 'deploy'),
    );
  });
});
