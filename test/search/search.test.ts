import { describe, expect, it } from 'vitest';

import { ask, CATALOG, idsOf } from './seed.ts';
import type { Seed } from './seed.ts';

describe('an exact name', () => {
  const crowd: readonly Seed[] = [
    ...CATALOG,
    { id: 'notes', name: 'Rollback rollback', description: 'Rollback, rollback and rollback.', tags: ['rollback'] },
    { id: 'cleanup', name: 'Tidy up', description: 'Something else entirely.' },
  ];

  it.each([
    { name: 'the id', query: 'deploy/rollback', id: 'deploy/rollback' },
    { name: 'the id with other separators and case', query: 'Deploy rollback', id: 'deploy/rollback' },
    { name: 'the qualified id', query: 'central:deploy/rollback', id: 'deploy/rollback' },
    { name: 'the last part of the id', query: 'rollback', id: 'deploy/rollback' },
    { name: 'a tool as server__tool', query: 'github__create_issue', id: 'github__create_issue' },
    { name: 'a tool in words', query: 'GitHub create issue', id: 'github__create_issue' },
    { name: 'a tool without its server', query: 'createIssue', id: 'github__create_issue' },
    { name: 'an id that its own text does not have', query: 'cleanup', id: 'cleanup' },
    { name: 'a name in words', query: 'tidy up!', id: 'cleanup' },
  ])('comes first: $name', ({ query, id }) => {
    const outcome = ask(crowd, query);
    expect(outcome.isGoodMatch).toBe(true);
    expect(idsOf(outcome)[0]).toBe(id);
  });

  it('puts an id before a name, and a name before the last part of an id', () => {
    const three = [
      { id: 'a/b/sync', name: 'other' },
      { id: 'sync', name: 'x' },
      { id: 'z', name: 'Sync' },
    ];
    expect(idsOf(ask(three, 'sync'))).toEqual(['sync', 'z', 'a/b/sync']);
  });

  it('comes first even where it is deprecated', () => {
    expect(idsOf(ask(crowd, 'deploy/rollback', { weightOf: () => 0.01 }))[0]).toBe('deploy/rollback');
  });

  it('finds an entry that is named by stop words only', () => {
    expect(idsOf(ask([...CATALOG, { id: 'how-to' }], 'how to'))).toEqual(['how-to']);
  });

  it('is not listed where it is not accepted', () => {
    expect(idsOf(ask(CATALOG, 'flag-cleanup', { accept: (key) => key !== 'central:flag-cleanup' }))).not.toContain(
      'flag-cleanup',
    );
  });
});

describe('ranking', () => {
  it.each([
    { name: 'a task in words', query: 'a deployment went wrong and errors rise, roll it back', id: 'deploy/rollback' },
    { name: 'a verb of the same group', query: 'delete the old feature flags', id: 'flag-cleanup' },
    { name: 'an example of its author', query: 'my experiment is over', id: 'flag-cleanup' },
    { name: 'a word of the body only', query: 'container limits', id: 'debug-pod' },
    { name: 'the server of a tool', query: 'list what is on github', id: 'github__list_issues' },
    { name: 'a tag', query: 'experimentation', id: 'flag-cleanup' },
  ])('finds by $name', ({ query, id }) => {
    expect(idsOf(ask(CATALOG, query))[0]).toBe(id);
  });

  it('puts an entry that is about the words before one that mentions them', () => {
    const two = [
      {
        id: 'mentions',
        description: 'Set up a new laptop.',
        body: 'Later, rotate the signing keys. Rotate them well.',
      },
      { id: 'about', description: 'Rotate signing keys.' },
    ];
    expect(idsOf(ask(two, 'rotate signing keys'))[0]).toBe('about');
  });

  it('puts words that stand together before the same words apart', () => {
    const two = [
      { id: 'a-apart', description: 'Load a page, test the balancer' },
      { id: 'b-together', description: 'Test a page, the load balancer' },
    ];
    expect(idsOf(ask(two, 'load balancer'))[0]).toBe('b-together');
  });

  it('finds the aim of a long task by the sentence that tells it', () => {
    const task = `The data is in /root/input and was collected last year by the team in the lab.
      Debug the crashing Kubernetes pod. Write the outcome into a file with one line for each step.`;
    expect(idsOf(ask(CATALOG, task))[0]).toBe('debug-pod');
  });

  it('halves the score of what is weighted by a half', () => {
    const twins = [
      { id: 'a-old', description: 'Rotate signing keys.' },
      { id: 'b-new', description: 'Rotate signing keys.' },
    ];
    const { hits } = ask(twins, 'rotate keys', { weightOf: (key) => (key === 'central:a-old' ? 0.5 : 1) });
    expect(hits.map(({ key }) => key)).toEqual(['central:b-new', 'central:a-old']);
    expect(hits[1]?.score).toBeCloseTo((hits[0]?.score ?? 0) / 2);
  });

  it('filters before it cuts: a filter costs no place', () => {
    const accept = (key: string) => key.includes('github');
    expect(idsOf(ask(CATALOG, 'create an issue in a repository', { accept, limit: 1 }))).toEqual([
      'github__create_issue',
    ]);
    expect(idsOf(ask(CATALOG, 'read a file or an issue', { accept }))).not.toContain('files__read_file');
  });

  it('gives no more than the limit', () => {
    expect(ask(CATALOG, 'issue repository release', { limit: 2 }).hits).toHaveLength(2);
    expect(ask(CATALOG, 'issue repository release').hits.length).toBeGreaterThan(2);
  });
});

describe('configured synonyms', () => {
  const synonyms = { k8s: ['kubernetes'], mr: ['merge request', 'pull request'] };
  const catalog = [
    ...CATALOG,
    { id: 'review', description: 'Review a pull request.' },
    { id: 'k8s-cost', description: 'Cost.' },
  ];

  it.each([
    { name: 'the word for its synonym', query: 'k8s crashing', id: 'debug-pod' },
    { name: 'the synonym for the word', query: 'kubernetes cost', id: 'k8s-cost' },
    { name: 'a word for a phrase', query: 'mr', id: 'review' },
    { name: 'a phrase for another', query: 'merge request', id: 'review' },
  ])('find $name', ({ query, id }) => {
    expect(idsOf(ask(catalog, query, { synonyms }))[0]).toBe(id);
  });

  it('take nothing from a phrase of which only one word is asked for', () => {
    expect(idsOf(ask(catalog, 'merge', { synonyms }))).not.toContain('review');
  });
});

describe('a misspelt word', () => {
  it.each([
    { name: 'a swap', query: 'rollbakc', meant: 'rollback', id: 'deploy/rollback' },
    { name: 'a missing letter', query: 'relese notes', meant: 'release', id: 'deploy/release' },
    { name: 'a letter too many', query: 'flakky', meant: 'flaky', id: 'ci/flaky-test' },
    { name: 'two slips in a long word', query: 'experimantaton', meant: 'experimentation', id: 'flag-cleanup' },
    { name: 'an unfinished word', query: 'kuberne', meant: 'kubernetes', id: 'debug-pod' },
  ])('is searched as the nearest one that some entry has: $name', ({ query, meant, id }) => {
    const outcome = ask(CATALOG, query);
    expect(idsOf(outcome)[0]).toBe(id);
    expect(outcome.corrected).toMatchObject([{ searchedAs: meant }]);
  });

  it.each([
    { name: 'known words', query: 'debug a pod' },
    { name: 'known by a synonym', query: 'erase the flag' },
    { name: 'short words', query: 'pox' },
    { name: 'names with digits', query: 'kubernetes2' },
    { name: 'words of long queries', query: 'one two three four five six seven eight nine relese' },
  ])('is not seen in $name', ({ query }) => {
    expect(ask(CATALOG, query).corrected).toEqual([]);
  });

  it('counts less than the word itself', () => {
    const two = [
      { id: 'a', description: 'Release trains' },
      { id: 'b', description: 'Relese trains' },
    ];
    expect(idsOf(ask(two, 'relese'))).toEqual(['b']);
  });
});
