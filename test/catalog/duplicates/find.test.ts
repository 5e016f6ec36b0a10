import { describe, expect, it } from 'vitest';
import { buildCatalog, type Catalog } from '../../../src/catalog/catalog.ts';
import { findDuplicates, type DuplicatePair } from '../../../src/catalog/duplicates/find.ts';
import { findEntry } from '../../../src/catalog/lookup.ts';
import { tokenize } from '../../../src/search/tokenize.ts';
import { seed, source, text } from '../../seed.ts';
import { FLAG_CLEANUP, FLAG_CLEANUP_CHANGED, FLAG_CLEANUP_REWRITTEN, OTHERS } from './texts.ts';

const catalogOf = (files: Readonly<Record<string, string>>): Catalog =>
  buildCatalog({ playbooks: seed({ ...OTHERS, ...files }), tools: [] });
const find = (catalog: Catalog): readonly DuplicatePair[] => findDuplicates(catalog, { tokenize });
const brief = ({ a, b, kind }: DuplicatePair): string => `${a.id} ${kind} ${b.id}`;

describe('findDuplicates', () => {
  it('finds nothing among playbooks that each say something of their own', () => {
    expect(find(catalogOf({ 'flag-cleanup.md': FLAG_CLEANUP }))).toEqual([]);
  });

  it.each([
    {
      name: 'exact where bodies differ in blanks and case only',
      copy: FLAG_CLEANUP.replace(/\n\n/g, '\n\n\n').replace('Remove every', 'REMOVE  every'),
      kind: 'exact',
    },
    { name: 'near where words were changed', copy: FLAG_CLEANUP_CHANGED, kind: 'near' },
    {
      name: 'same-purpose where it says the same steps in other words',
      copy: FLAG_CLEANUP_REWRITTEN,
      kind: 'same-purpose',
    },
    {
      name: 'same-name where only the name is the same',
      copy: text('Grow tomatoes.', 'Water them.', 'name: Flag_Cleanup'),
      kind: 'same-name',
    },
  ])('is $name', ({ copy, kind }) => {
    const pairs = find(catalogOf({ 'flag-cleanup.md': FLAG_CLEANUP, 'x.md': copy }));
    expect(pairs.map(brief)).toEqual([`flag-cleanup ${kind} x`]);
    expect(pairs[0]?.overlapRatio === 1).toBe(kind === 'exact');
  });

  it('puts the most alike first, and leaves out what has less in common than asked for', () => {
    const catalog = catalogOf({
      'flag-cleanup.md': FLAG_CLEANUP,
      'b-changed.md': FLAG_CLEANUP_CHANGED,
      'c-copy.md': FLAG_CLEANUP,
    });
    const ratios = find(catalog).map(({ overlapRatio }) => overlapRatio);
    expect(ratios).toEqual([...ratios].sort((a, b) => b - a));
    expect(ratios).toHaveLength(3);
    expect(findDuplicates(catalog, { tokenize, minOverlapRatio: 1 }).map(brief)).toEqual(['c-copy exact flag-cleanup']);
  });

  it('finds only the pairs of one playbook where that is asked for', () => {
    const catalog = catalogOf({
      'flag-cleanup.md': FLAG_CLEANUP,
      'copy.md': FLAG_CLEANUP,
      'other/deploy.md': OTHERS['deploy.md'] ?? '',
    });
    const of = findEntry(catalog, 'other/deploy');
    expect(of.kind === 'playbook' && findDuplicates(catalog, { tokenize, of }).map(brief)).toEqual([
      'deploy exact other/deploy',
    ]);
  });

  it('shows the longest passage that both have, with its line in each file', () => {
    const [pair] = find(catalogOf({ 'flag-cleanup.md': FLAG_CLEANUP, 'x.md': FLAG_CLEANUP_CHANGED }));
    const lines = [FLAG_CLEANUP, FLAG_CLEANUP_CHANGED].map((file) => file.split('\n'));
    const firstWords = pair?.passage?.text.split(/\s+/).slice(0, 3).join(' ') ?? 'nothing';
    expect(lines[0]?.[(pair?.passage?.lineInA ?? 0) - 1]).toContain(firstWords);
    expect(lines[1]?.[(pair?.passage?.lineInB ?? 0) - 1]).toContain(firstWords);
  });

  it('takes no account of a passage that many playbooks have', () => {
    const licence =
      'Licensed to whom it may concern under terms that nobody reads: redistribution of these instructions in any form, with or without modification, is permitted provided that this notice stays where it is, that no endorsement is implied, and that the warranty disclaimer below reaches every recipient of a derived work.';
    const files = Object.entries(OTHERS).map(([path, content]) => [path, `${content}\n${licence}\n${licence}\n`]);
    expect(find(buildCatalog({ playbooks: seed(Object.fromEntries(files)), tools: [] }))).toEqual([]);
  });

  it('leaves out what somebody has retired or deprecated', () => {
    const catalog = buildCatalog({
      playbooks: seed({
        'a.md': FLAG_CLEANUP,
        'b.md': FLAG_CLEANUP.replace('---\n', '---\nstatus: deprecated\n'),
        'c.md': FLAG_CLEANUP,
      }),
      tools: [],
      retired: new Map([['c', {}]]),
    });
    expect(find(catalog)).toEqual([]);
  });

  it('survives texts of one repeated word, of no words, and a thousand copies', () => {
    const thousand = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`c${i}.md`, FLAG_CLEANUP]));
    expect(find(buildCatalog({ playbooks: seed(thousand), tools: [] })).length).toBeGreaterThanOrEqual(999);
    const odd = {
      'a.md': text('A.', 'word '.repeat(50_000)),
      'b.md': text('B.', 'word '.repeat(40_000)),
      'c.md': text('!', '…'),
    };
    expect(() => find(catalogOf(odd))).not.toThrow();
  });
});

describe('which to keep', () => {
  const keepOf = (catalog: Catalog, evidence: object = {}): DuplicatePair['keep'] | undefined =>
    findDuplicates(catalog, { tokenize, ...evidence })[0]?.keep;
  const two = { 'a.md': FLAG_CLEANUP, 'b.md': FLAG_CLEANUP };

  it.each([
    {
      name: 'the one that others refer to',
      catalog: catalogOf({ ...two, 'r.md': text('Ends an experiment.', 'See [[b]].') }),
      keep: { id: 'b', reason: 'One playbook refers to it, none to the other one.' },
    },
    {
      name: 'the active one before a draft',
      catalog: catalogOf({ ...two, 'a.md': FLAG_CLEANUP.replace('---\n', '---\nstatus: draft\n') }),
      keep: { id: 'b', reason: 'It is active, and the other one is a draft.' },
    },
    {
      name: 'the more complete one',
      catalog: catalogOf({ ...two, 'b.md': FLAG_CLEANUP.replace('---\n', '---\nowner: growth\ntags: [flags]\n') }),
      keep: { id: 'b', reason: 'It is more complete: it has tags and an owner.' },
    },
    {
      name: 'the first by id where nothing tells them apart',
      catalog: catalogOf(two),
      keep: { id: 'a', reason: 'Nothing tells the two apart, so it is the first by id.' },
    },
  ])('is $name', ({ catalog, keep }) => {
    expect(keepOf(catalog)).toEqual(keep);
  });

  it('is the one in use, whoever counts it, and else the one that has been there for longer', () => {
    const catalog = catalogOf(two);
    expect(keepOf(catalog, { useOf: (id: string) => (id === 'b' ? 3 : 1) })).toEqual({
      id: 'b',
      reason: 'It was executed 3 times, the other one once.',
    });
    expect(keepOf(catalog, { firstSeenOf: (id: string) => (id === 'b' ? 1 : 2) })?.id).toBe('b');
  });

  it('is never the text of a repository that nobody trusts', () => {
    const repository = source('workspace', { kind: 'workspace', isTrusted: false });
    const catalog = buildCatalog({
      playbooks: [...seed({ 'a.md': FLAG_CLEANUP }, repository), ...seed({ 'z.md': FLAG_CLEANUP }, source('central'))],
      tools: [],
    });
    expect(keepOf(catalog)?.id).toBe('z');
  });
});
