import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildCatalog, type Catalog } from '../../src/catalog/catalog.ts';
import { buildGraph, closureOf, closureTokens, cyclesOf, orphansOf, rootsOf } from '../../src/catalog/graph.ts';
import { resolveReferences } from '../../src/catalog/references.ts';
import { tokenCountOf } from '../../src/catalog/tokens.ts';
import type { PlaybookEntry } from '../../src/model.ts';
import { seed, source, text } from '../seed.ts';

const idsOf = (entries: readonly PlaybookEntry[]): readonly string[] => entries.map(({ id }) => id);

function playbook(catalog: Catalog, id: string): PlaybookEntry {
  const entry = catalog.byId.get(id);
  if (entry?.kind !== 'playbook') throw new Error(`${id} is no playbook.`);
  return entry;
}

describe('resolveReferences', () => {
  const catalog = buildCatalog({
    playbooks: [
      ...seed(
        {
          'run-tests.md': text('Ours.'),
          'a.md': text('A.', '[t](run-tests.md) [[only-there]] playbook://starter:run-tests'),
        },
        source('ours'),
      ),
      ...seed(
        { 'run-tests.md': text('Theirs.'), 'deep/only-there.md': text('There.'), 'b.md': text('B.', '[t](run-tests)') },
        source('starter'),
      ),
      ...seed(
        {
          'skill/SKILL.md': text('S.', '[f](references/forms.md) [x](missing.md) [up](../run-tests.md)'),
          'skill/references/forms.md': 'F',
        },
        source('more'),
      ),
      ...seed({ 'flat.md': text('Flat.', '[script](scripts/run.sh) [gone](gone.md)') }, source('flats')),
    ],
    tools: [],
  });

  it('looks in the own source first, then anywhere, then by name', () => {
    const { playbooks, dangling } = resolveReferences(catalog, playbook(catalog, 'a').playbook);
    expect(idsOf(playbooks)).toEqual(['run-tests', 'deep/only-there', 'starter:run-tests']);
    expect(dangling).toEqual([]);
    expect(idsOf(resolveReferences(catalog, playbook(catalog, 'b').playbook).playbooks)).toEqual(['starter:run-tests']);
  });

  it('tells supporting files from playbooks and from what is not there', () => {
    const { playbooks, files, dangling } = resolveReferences(catalog, playbook(catalog, 'skill').playbook);
    expect({ playbooks: idsOf(playbooks), files, dangling: dangling.map(({ written }) => written) }).toEqual({
      playbooks: ['run-tests'],
      files: ['references/forms.md'],
      dangling: ['missing.md'],
    });
  });

  it('never leads from what the organisation wrote to what an untrusted repository ships', () => {
    const repository = source('workspace', { kind: 'workspace', isTrusted: false });
    const mixed = buildCatalog({
      playbooks: [
        ...seed({ 'helper.md': text('Theirs.'), 'own.md': text('Own.', '[[helper]] [[central-one]]') }, repository),
        ...seed({ 'central-one.md': text('Central.', '[[helper]]') }, source('platform')),
      ],
      tools: [],
    });
    const fromCentral = resolveReferences(mixed, playbook(mixed, 'central-one').playbook);
    expect({ playbooks: fromCentral.playbooks, dangling: fromCentral.dangling.length }).toEqual({
      playbooks: [],
      dangling: 1,
    });
    const fromTheirs = resolveReferences(mixed, playbook(mixed, 'own').playbook);
    expect(idsOf(fromTheirs.playbooks)).toEqual(['helper', 'central-one']);
  });

  it('takes any file but markdown beside a flat playbook for a supporting file', () => {
    const { files, dangling } = resolveReferences(catalog, playbook(catalog, 'flat').playbook);
    expect({ files, dangling: dangling.map(({ written }) => written) }).toEqual({
      files: ['scripts/run.sh'],
      dangling: ['gone.md'],
    });
  });
});

describe('the graph', () => {
  const catalog = buildCatalog({
    playbooks: seed({
      'big.md': text('Big.', '[m](middle.md)'),
      'middle.md': text('Middle.', '[s](small.md) [b](small.md#again)'),
      'small.md': text('Small.', 'Small body.'),
      'x.md': text('X.', '[[y]]'),
      'y.md': text('Y.', '[[x]]'),
      'lone.md': text('Lone.'),
    }),
    tools: [],
  });
  const graph = buildGraph(catalog);

  it('finds roots, orphans and cycles', () => {
    expect({
      roots: idsOf(rootsOf(graph)),
      orphans: idsOf(orphansOf(graph)),
      cycles: cyclesOf(graph).map(idsOf),
    }).toEqual({
      roots: ['big'],
      orphans: ['lone'],
      cycles: [['x', 'y']],
    });
  });

  it('counts the tokens of a closure once for each playbook', () => {
    expect(idsOf(closureOf(catalog, playbook(catalog, 'big')))).toEqual(['big', 'middle', 'small']);
    const bodies = ['big', 'middle', 'small'].map((id) => tokenCountOf(playbook(catalog, id).playbook.body));
    expect(closureTokens(catalog, playbook(catalog, 'big'))).toBe(bodies.reduce((a, b) => a + b));
    expect(idsOf(closureOf(catalog, playbook(catalog, 'x')))).toEqual(['x', 'y']);
  });

  const links = fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 40 });

  it('has parents that mirror its children, and cycles that agree with reachability', () => {
    fc.assert(
      fc.property(links, (pairs) => {
        const files = Object.fromEntries(
          Array.from({ length: 12 }, (_, i) => [
            `p${i}.md`,
            text(
              `P${i}.`,
              pairs
                .filter(([from, to]) => from === i && to !== i)
                .map(([, to]) => `[[p${to}]]`)
                .join(' '),
            ),
          ]),
        );
        const random = buildCatalog({ playbooks: seed(files), tools: [] });
        const { nodes, children, parents } = buildGraph(random);
        for (const node of nodes) {
          for (const child of children.get(node) ?? []) expect(parents.get(child)).toContain(node);
          for (const parent of parents.get(node) ?? []) expect(children.get(parent)).toContain(node);
        }
        const inCycle = new Set(cyclesOf({ nodes, children, parents }).flat());
        for (const node of nodes) {
          const leadsBack = (children.get(node) ?? []).some((child) => closureOf(random, child).includes(node));
          expect(inCycle.has(node)).toBe(leadsBack);
        }
      }),
      { numRuns: 60 },
    );
  });
});
