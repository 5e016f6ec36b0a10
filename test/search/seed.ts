import { toSearchDocument, type SearchDocument, type SearchSource } from '../../src/search/document.ts';
import { buildSegment, type SearchSegment } from '../../src/search/search-index.ts';
import { search, type SearchOptions, type SearchOutcome } from '../../src/search/search.ts';

/** An entry as a test writes it: its id, and what matters to the test. */
export type Seed = Partial<SearchSource> & { readonly id: string };

export function toDocument(seed: Seed): SearchDocument {
  return toSearchDocument({
    key: `central:${seed.id}`,
    name: seed.id.split('/').at(-1) ?? seed.id,
    description: '',
    tags: [],
    body: '',
    examples: [],
    ...seed,
  });
}

export function toSegment(seeds: readonly Seed[]): SearchSegment {
  return buildSegment(seeds.map(toDocument));
}

export function ask(seeds: readonly Seed[], query: string, options?: SearchOptions): SearchOutcome {
  return search([toSegment(seeds)], query, options);
}

/** The ids of the hits, best first. */
export function idsOf({ hits }: SearchOutcome): readonly string[] {
  return hits.map(({ key }) => key.replace(/^central:/, ''));
}

/** A small catalog of the usual kind. */
export const CATALOG: readonly Seed[] = [
  {
    id: 'deploy/rollback',
    description: 'Roll back a release to the previous version. Use when errors rise after a deployment.',
    tags: ['domain:deploy', 'action:rollback'],
  },
  {
    id: 'deploy/release',
    description: 'Cut a release and deploy it to production, with notes for the customers.',
    tags: ['domain:deploy', 'action:release'],
  },
  {
    id: 'flag-cleanup',
    description: 'Remove a concluded feature flag and its dead branch.',
    tags: ['domain:experimentation', 'action:cleanup'],
    examples: ['experiment X is over, clean it up'],
  },
  {
    id: 'debug-pod',
    description: 'Debug a Kubernetes pod that keeps crashing.',
    body: 'Look at the events of the namespace, then at the limits of the container.',
  },
  { id: 'ci/flaky-test', description: 'Find out why a test fails now and then, and make it stable or remove it.' },
  {
    id: 'github__create_issue',
    name: 'create_issue',
    server: 'github',
    description: 'Create an issue in a repository.',
  },
  {
    id: 'github__list_issues',
    name: 'list_issues',
    server: 'github',
    description: 'List the issues of a repository.',
  },
  { id: 'files__read_file', name: 'read_file', server: 'files', description: 'Read the complete text of a file.' },
];
