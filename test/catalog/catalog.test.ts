import { describe, expect, it } from 'vitest';
import { buildCatalog } from '../../src/catalog/catalog.ts';
import { findEntry } from '../../src/catalog/lookup.ts';
import { seed, source, text, tool } from '../seed.ts';

const platform = source('platform');
const starter = source('starter');
const repository = source('workspace', { kind: 'workspace', label: 'workspace:shop', isTrusted: false });

const idsOf = (catalog: ReturnType<typeof buildCatalog>): readonly string[] => catalog.entries.map(({ id }) => id);

describe('buildCatalog', () => {
  it('gives the bare id to the most specific source and keeps the other callable by its prefix', () => {
    const catalog = buildCatalog({
      playbooks: [
        ...seed({ 'deploy/rollback.md': text('Ours.') }, platform),
        ...seed({ 'deploy/rollback.md': text('Theirs.') }, starter),
      ],
      tools: [],
    });
    expect(idsOf(catalog)).toEqual(['deploy/rollback', 'starter:deploy/rollback']);
    expect(catalog.byId.get('deploy/rollback')?.description).toBe('Ours.');
    expect(catalog.byId.get('platform:deploy/rollback')?.description).toBe('Ours.');
    expect(catalog.byId.get('starter:deploy/rollback')?.description).toBe('Theirs.');
    expect(catalog.entries[0]).toMatchObject({ shadows: ['starter:deploy/rollback'] });
    expect(catalog.diagnostics).toMatchObject([{ rule: 'shadowed', path: '/starter/deploy/rollback.md' }]);
  });

  it('never lets an untrusted workspace win a bare id that somebody else wants', () => {
    const catalog = buildCatalog({
      playbooks: [
        ...seed({ 'release.md': text('From the repository.'), 'own.md': text('Only here.') }, repository),
        ...seed({ 'release.md': text('From the platform.') }, platform),
      ],
      tools: [],
    });
    expect(catalog.byId.get('release')?.description).toBe('From the platform.');
    expect(catalog.byId.get('workspace:release')?.description).toBe('From the repository.');
    expect(catalog.byId.get('own')?.source).toBe('workspace:shop');
  });

  it('lets an untrusted playbook neither take a name that a trusted one is called by nor make it ambiguous', () => {
    const catalog = buildCatalog({
      playbooks: [
        ...seed({ 'rollback.md': text('Evil.'), 'b/zed.md': text('Other.') }, repository),
        ...seed({ 'ops/rollback.md': text('Ours.'), 'a/zed.md': text('Zed.') }, platform),
      ],
      tools: [],
    });
    expect(findEntry(catalog, 'rollback').id).toBe('ops/rollback');
    expect(findEntry(catalog, 'zed').id).toBe('a/zed');
    expect(catalog.byId.get('workspace:rollback')?.description).toBe('Evil.');
  });

  it('keeps the ids of a configured server free, listed yet or not', () => {
    const catalog = buildCatalog({
      playbooks: seed({ 'github__echo.md': text('Not a tool.') }, repository),
      tools: [],
      toolPrefixes: ['github__'],
    });
    expect(catalog.byId.has('github__echo')).toBe(false);
    expect(catalog.byId.get('workspace:github__echo')?.kind).toBe('playbook');
  });

  it('lets a trusted workspace win', () => {
    const trusted = { ...repository, isTrusted: true };
    const catalog = buildCatalog({
      playbooks: [
        ...seed({ 'release.md': text('From the repository.') }, trusted),
        ...seed({ 'release.md': text('From the platform.') }, platform),
      ],
      tools: [],
    });
    expect(catalog.byId.get('release')?.description).toBe('From the repository.');
  });

  it('lets no playbook take the id of a tool', () => {
    const catalog = buildCatalog({
      playbooks: seed({ 'github__create_issue.md': text('Not the tool.') }, platform),
      tools: [tool('github__create_issue')],
    });
    expect(catalog.byId.get('github__create_issue')?.kind).toBe('tool');
    expect(catalog.byId.get('platform:github__create_issue')?.kind).toBe('playbook');
    expect(catalog.diagnostics).toMatchObject([{ rule: 'shadowed' }]);
  });

  it('orders entries by kind and id whatever order they come in', () => {
    const files = { 'b.md': text('B.'), 'a.md': text('A.'), 'Z.md': text('Z.') };
    const tools = [tool('x__b'), tool('x__a')];
    const forward = buildCatalog({ playbooks: seed(files), tools });
    const backward = buildCatalog({ playbooks: seed(files).toReversed(), tools: tools.toReversed() });
    expect(idsOf(forward)).toEqual(['Z', 'a', 'b', 'x__a', 'x__b']);
    expect(idsOf(backward)).toEqual(idsOf(forward));
  });

  it('retires entries by configuration', () => {
    const catalog = buildCatalog({
      playbooks: [],
      tools: [tool('github__old')],
      retired: new Map([['github__old', { replacedBy: 'github__new', reason: 'unused' }]]),
    });
    expect(catalog.byId.get('github__old')).toMatchObject({
      status: 'retired',
      deprecation: { replacedBy: 'github__new' },
    });
  });
});
