import type { Catalog } from '../catalog/catalog.ts';
import { repositoryNameOf } from '../files/repository-name.ts';
import type { StepReport, UsageReader } from '../usage/event.ts';
import { type Folded, type FoldOptions, foldUsage } from '../usage/fold/fold.ts';
import { type EntryUse, joinCatalog, qualifierOf } from '../usage/join.ts';
import type { Snapshot } from './snapshot.ts';

/** What was recorded, joined with the catalog as it is now: all that `stats`, `review` and the report are made from. */
export interface UsageView {
  readonly catalog: Catalog;
  readonly folded: Folded;
  readonly uses: readonly EntryUse[];
  readonly reports: readonly StepReport[];
}

/** Reads a store once, beginning while the catalog is loaded. */
export async function viewUsage(
  loading: Promise<Pick<Snapshot, 'catalog' | 'workspace'>>,
  reader: UsageReader,
  options: Omit<FoldOptions, 'qualify'> = {},
): Promise<UsageView> {
  const qualify = loading.then((loaded) => qualifierOf(loaded.catalog));
  const [{ catalog, workspace }, folded] = await Promise.all([loading, foldUsage(reader, { ...options, qualify })]);
  const repo = workspace === undefined ? null : await repositoryNameOf(workspace);
  const [seen, reports] = [await reader.seenEntries(), await reader.reports()];
  return { catalog, folded, uses: joinCatalog(folded, catalog, { seen, repo }), reports };
}
