import { describe, expect, it } from 'vitest';
import { buildCatalog } from '../../src/catalog/catalog.ts';
import { closestIds } from '../../src/catalog/closest.ts';
import { findEntry, resolveAddress } from '../../src/catalog/lookup.ts';
import { PlaybookError } from '../../src/errors.ts';
import { seed, text, tool } from '../seed.ts';

const catalog = buildCatalog({
  playbooks: seed({
    'deploy/rollback.md': text('Roll back.'),
    'deploy/forms/SKILL.md': text('Forms.'),
    'deploy/forms/references/forms.md': 'The form.',
    'deploy/forms/inner/SKILL.md': text('A skill within a skill.'),
    'billing/refund.md': text('Refund.'),
    'sales/refund.md': text('Refund too.'),
  }),
  tools: [tool('github__create_issue')],
});

function thrownBy(run: () => unknown): PlaybookError {
  try {
    run();
  } catch (error) {
    if (error instanceof PlaybookError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}

describe('findEntry', () => {
  it.each([
    { name: 'a bare id', id: 'deploy/rollback', found: 'deploy/rollback' },
    { name: 'a qualified id', id: 'central:deploy/rollback', found: 'deploy/rollback' },
    { name: 'a name that only one entry has', id: 'rollback', found: 'deploy/rollback' },
    { name: 'a name in other case', id: 'Rollback', found: 'deploy/rollback' },
    { name: 'a tool', id: 'github__create_issue', found: 'github__create_issue' },
  ])('finds $name', ({ id, found }) => {
    expect(findEntry(catalog, id).id).toBe(found);
  });

  it('names every entry of an ambiguous name', () => {
    const error = thrownBy(() => findEntry(catalog, 'refund'));
    expect(error.code).toBe('catalog/ambiguous-id');
    expect(error.hint).toContain('billing/refund, sales/refund');
  });

  it.each([
    { name: 'a typo', id: 'deploy/rolback', closest: 'deploy/rollback' },
    { name: 'another folder', id: 'ops/rollback', closest: 'deploy/rollback' },
    { name: 'another separator', id: 'github_create_issue', closest: 'github__create_issue' },
    { name: 'a part', id: 'create_issue2', closest: 'github__create_issue' },
  ])('names the closest ids for $name', ({ id, closest }) => {
    const error = thrownBy(() => findEntry(catalog, id));
    expect(error.code).toBe('catalog/unknown-id');
    expect(error.hint).toContain(closest);
  });

  it('names nothing where nothing is near', () => {
    expect(thrownBy(() => findEntry(catalog, 'zzzzzzzzzz')).hint).toBe('Call search to find what there is.');
  });
});

describe('resolveAddress', () => {
  it.each([
    { name: 'an id', address: 'deploy/rollback', expected: { kind: 'entry' } },
    { name: 'a uri', address: 'playbook://deploy/rollback', expected: { kind: 'entry' } },
    { name: 'a section', address: 'deploy/rollback#done-when', expected: { kind: 'section', heading: 'done-when' } },
    {
      name: 'a section of a qualified id',
      address: 'central:deploy/rollback#a',
      expected: { kind: 'section', heading: 'a' },
    },
    {
      name: 'a supporting file',
      address: 'deploy/forms/references/forms.md',
      expected: { kind: 'file', file: 'references/forms.md' },
    },
    {
      name: 'a nested skill rather than a file of the outer one',
      address: 'deploy/forms/inner',
      expected: { kind: 'entry' },
    },
    {
      name: 'an escape as a file, for the reader to refuse',
      address: 'deploy/forms/../../etc/passwd',
      expected: { kind: 'file' },
    },
  ])('resolves $name', ({ address, expected }) => {
    expect(resolveAddress(catalog, address)).toMatchObject(expected);
  });
});

describe('closest ids', () => {
  const many = Array.from({ length: 3_000 }, (_, i) => `module-${i % 40}/some-playbook-about-${i}`);

  it.each([
    {
      name: 'a typo among thousands',
      wanted: 'module-1/some-playbok-about-41',
      expected: 'module-1/some-playbook-about-41',
    },
    { name: 'a last segment alone', wanted: 'some-playbook-abuot-77', expected: 'module-37/some-playbook-about-77' },
  ])('are found for $name', ({ wanted, expected }) => {
    expect(closestIds(many, wanted)).toContain(expected);
  });

  it('are not looked for where the text is no id', () => {
    expect(closestIds(many, 'x'.repeat(200_000))).toEqual([]);
  });
});
