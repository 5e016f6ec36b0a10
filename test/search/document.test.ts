import { describe, expect, it } from 'vitest';

import { FIELDS, LIMITS } from '../../src/search/weights.ts';
import type { Field } from '../../src/search/weights.ts';
import type { SearchDocument } from '../../src/search/document.ts';
import { toDocument } from './seed.ts';

function countOf(document: SearchDocument, term: string, field: Field): number {
  const row = document.terms.indexOf(term);
  return row < 0 ? 0 : (document.counts[row * FIELDS.length + FIELDS.indexOf(field)] ?? 0);
}

describe('toSearchDocument', () => {
  it('counts a term apart in every field', () => {
    const document = toDocument({
      id: 'release',
      server: 'ci',
      description: 'Release it. A release is cut.',
      tags: ['action:release'],
      examples: ['release the app', 'make a release'],
      body: 'Releases are cut from main.',
    });
    expect(FIELDS.map((field) => countOf(document, 'relea', field))).toEqual([1, 0, 2, 1, 2, 1]);
    expect(document.lengths).toEqual([1, 1, 3, 2, 4, 3]);
  });

  it('reads the folders of an id beside the tags', () => {
    expect(countOf(toDocument({ id: 'billing/invoices/resend' }), 'invoic', 'tags')).toBe(1);
  });

  it('cuts a body at its limit', () => {
    const document = toDocument({ id: 'a', body: `${'x '.repeat(LIMITS.body / 2)}beyond` });
    expect(countOf(document, 'x', 'body')).toBe(255);
    expect(document.terms).not.toContain('beyond');
  });

  it('keeps the order of name, description and examples', () => {
    const { runs, terms } = toDocument({
      id: 'a',
      name: 'flag cleanup',
      description: 'Clean a flag',
      examples: ['old flag'],
    });
    expect(runs.map((run) => [...run].map((index) => terms[index]))).toEqual([
      ['flag', 'cleanup'],
      ['clean', 'flag'],
      ['old', 'flag'],
    ]);
  });

  it('remembers how words are spelled, but not those of the body', () => {
    const { words } = toDocument({ id: 'a', name: 'Deployments', description: 'of services', body: 'secrets' });
    expect(words).toEqual(['deployments', 'services']);
  });
});
