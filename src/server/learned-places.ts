import type { Entry } from '../model.ts';
import type { DocumentPlace, LearnedHere } from '../search/learned-matches.ts';
import type { LearnedQueries } from '../search/learned.ts';
import { usageIdOf } from '../usage/join.ts';
import { usageKey } from '../usage/usage-key.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * What use has taught, by the documents of a snapshot: nothing of what its caller does not see. A playbook of a workspace is another one in
 * each repository, and what was learned of it without a repository is nobody's.
 */
export function learnedPlaces(
  queries: LearnedQueries,
  { catalog, segments, repo }: Pick<Snapshot, 'catalog' | 'segments' | 'repo'>,
): LearnedHere {
  const documents = new Map<string, DocumentPlace>();
  for (const segment of segments) {
    for (const [document, key] of segment.keys.entries()) documents.set(key, { segment, document });
  }
  const ofRepository = new Map(
    catalog.entries
      .filter(isOfWorkspace)
      .map((entry) => [usageKey({ entry: usageIdOf(entry), source: 'workspace', repo }), entry]),
  );
  const entryOf = (key: string): Entry | undefined => {
    // Logs of other programs may name a playbook by its bare id.
    const entry = catalog.byId.get(key);
    return entry === undefined || isOfWorkspace(entry) ? ofRepository.get(key) : entry;
  };
  const places = queries.keys.map((key) => {
    const entry = entryOf(key);
    return entry === undefined ? undefined : documents.get(usageIdOf(entry));
  });
  return { queries, places };
}

function isOfWorkspace(entry: Entry): boolean {
  return entry.kind === 'playbook' && entry.playbook.source.kind === 'workspace';
}
