import { describe, expect, it } from 'vitest';
import { buildDuplicateIndex } from '../../../src/catalog/duplicates/duplicate-index.ts';
import { findNearDuplicates } from '../../../src/catalog/duplicates/nearest.ts';
import type { Playbook } from '../../../src/model.ts';
import { tokenize } from '../../../src/search/tokenize.ts';
import { seed, text } from '../../seed.ts';
import { FLAG_CLEANUP, FLAG_CLEANUP_CHANGED, FLAG_CLEANUP_REWRITTEN, OTHERS } from './texts.ts';

const index = buildDuplicateIndex(seed({ ...OTHERS, 'flag-cleanup.md': FLAG_CLEANUP }), tokenize);
const read = (content: string): Playbook => {
  const [playbook] = seed({ 'candidate.md': content });
  if (playbook === undefined) throw new Error('The text is no playbook.');
  return playbook;
};

describe('findNearDuplicates', () => {
  it.each([
    { name: 'a copy', content: FLAG_CLEANUP, expected: ['flag-cleanup exact'] },
    { name: 'a changed copy', content: FLAG_CLEANUP_CHANGED, expected: ['flag-cleanup near'] },
    { name: 'one in other words', content: FLAG_CLEANUP_REWRITTEN, expected: ['flag-cleanup same-purpose'] },
    {
      name: 'one of the same name',
      content: text('Tomatoes.', 'Water.', 'name: deploy'),
      expected: ['deploy same-name'],
    },
    {
      name: 'nothing, for words that the catalog has not',
      content: text('Tomatoes.', 'Zucchini aubergine.'),
      expected: [],
    },
  ])('finds $name', ({ content, expected }) => {
    expect(findNearDuplicates(read(content), index).map(({ item, kind }) => `${item.id} ${kind}`)).toEqual(expected);
  });

  it('leaves out what it is told to, such as the playbook itself', () => {
    expect(findNearDuplicates(read(FLAG_CLEANUP), index, ({ id }) => id === 'flag-cleanup')).toEqual([]);
  });

  it('finds nothing in an empty catalog', () => {
    expect(findNearDuplicates(read(FLAG_CLEANUP), buildDuplicateIndex<Playbook>([], tokenize))).toEqual([]);
  });
});
