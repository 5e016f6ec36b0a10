import type { Catalog } from '../../catalog/catalog.ts';
import type { Config } from '../../config/index.ts';
import type { UsageReader } from '../event.ts';
import { foldUsage } from '../fold/fold.ts';
import { joinCatalog, qualifierOf } from '../join.ts';
import { reviewUsage } from '../review/review.ts';
import type { ReportData } from './data.ts';
import { toReportData } from './to-report.ts';
import { UsageCounter } from './usage-counter.ts';

export interface ReadReportOptions {
  readonly title: string;
  readonly catalog: Catalog;
  /** See `JoinOptions.repo`. */
  readonly repo: string | null;
  readonly thresholds: Config['review'];
  /** Milliseconds since 1970, as all that follow. */
  readonly now: number;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/**
 * The data of the page of `report`, in one pass over the events. Only what happens from `since` on is counted, but all is read: whoever
 * looks at one week would otherwise be told to retire what was used in the week before.
 */
export async function readReport(reader: UsageReader, options: ReadReportOptions): Promise<ReportData> {
  const { title, catalog, repo, thresholds, now, since, until } = options;
  const counter = new UsageCounter(since);
  const folded = await foldUsage(reader, { until, qualify: qualifierOf(catalog), observer: counter });
  const [seen, reports] = await Promise.all([reader.seenEntries(), reader.reports()]);
  const uses = joinCatalog(folded, catalog, { seen, repo });
  const proposals =
    folded.span === undefined
      ? []
      : reviewUsage({ folded, catalog, uses, reports, now: Math.min(now, until ?? now), thresholds });
  return toReportData({ title, now, folded, counter, uses, proposals });
}
