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

/** Reads a store once. */
export async function viewUsage(
  { catalog, workspace }: Pick<Snapshot, 'catalog' | 'workspace'>,
  reader: UsageReader,
  options: Omit<FoldOptions, 'qualify'> = {},
): Promise<UsageView> {
  const repo = workspace === undefined ? null : await repositoryNameOf(workspace);
  const [seen, reports] = [await reader.seenEntries(), await reader.reports()];
  const folded = await foldUsage(reader, { ...options, qualify: qualifierOf(catalog) });
  return { catalog, folded, uses: joinCatalog(folded, catalog, { seen, repo }), reports };
}
