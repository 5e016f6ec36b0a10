import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildCatalog, type Catalog } from '../src/catalog/catalog.ts';
import { buildGraph, closureOf } from '../src/catalog/graph.ts';
import { resolveReferences } from '../src/catalog/references.ts';
import type { PlaybookEntry } from '../src/model.ts';
import { outlineOf } from '../src/playbooks/sections.ts';
import { search } from '../src/search/search.ts';
import { buildSegment, type SearchSegment } from '../src/search/search-index.ts';
import { loadPlaybooks } from '../src/server/load.ts';
import { source } from './seed.ts';

const folder = fileURLToPath(new URL('../playbooks', import.meta.url));

let catalog: Catalog;
let loaded: Awaited<ReturnType<typeof loadPlaybooks>>;
let segment: SearchSegment;
let entries: readonly PlaybookEntry[];

beforeAll(async () => {
  loaded = await loadPlaybooks([source('starter', { folders: [folder] })]);
  catalog = buildCatalog({ playbooks: loaded.playbooks, tools: [] });
  segment = buildSegment(loaded.documents);
  entries = catalog.entries.filter((entry) => entry.kind === 'playbook');
});

describe('the starter playbooks', () => {
  it('are a graph of at least twenty, three levels deep, without a dangling reference', () => {
    expect(loaded.diagnostics).toEqual([]);
    expect(entries.length).toBeGreaterThanOrEqual(20);
    expect(entries.flatMap(({ playbook }) => resolveReferences(catalog, playbook).dangling)).toEqual([]);
    const { children } = buildGraph(catalog);
    const isDeep = (entry: PlaybookEntry, levels: number): boolean =>
      levels === 0 || (children.get(entry) ?? []).some((child) => isDeep(child, levels - 1));
    expect(entries.some((entry) => isDeep(entry, 3))).toBe(true);
    expect(Math.max(...entries.map((entry) => closureOf(catalog, entry).length))).toBeGreaterThan(5);
  });

  it('each say when to use them, carry a domain and an action, and tell how their result is verified', () => {
    const lacking = entries.filter(
      ({ description, tags, playbook }) =>
        !/\buse (when|to|before|after|right|for|if|instead|as|on|at|the moment)\b/i.test(description) ||
        !tags.some((tag) => tag.startsWith('domain:')) ||
        !tags.some((tag) => tag.startsWith('action:')) ||
        !outlineOf(playbook.body).some(({ slug }) => slug === 'done-when'),
    );
    expect(lacking.map(({ id }) => id)).toEqual([]);
  });

  it('use every parameter that they declare', () => {
    const unused = entries.flatMap(({ id, playbook }) =>
      playbook.parameters
        .filter(({ name }) => !new RegExp(`\\{\\{ ?${name} ?\\}\\}`).test(playbook.body))
        .map(({ name }) => `${id}: ${name}`),
    );
    expect(unused).toEqual([]);
  });

  it('are each found in the first three by every one of their examples', () => {
    const lost = entries.flatMap(({ qualifiedId, playbook }) =>
      playbook.examples.filter(
        (example) =>
          !search([segment], example)
            .hits.slice(0, 3)
            .some(({ key }) => key === qualifiedId),
      ),
    );
    expect(entries.every(({ playbook }) => playbook.examples.length > 0)).toBe(true);
    expect(lost).toEqual([]);
  });

  it('are counted right in the README', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    expect(readme).toContain(`${entries.length} playbooks that it brings`);
  });
});
