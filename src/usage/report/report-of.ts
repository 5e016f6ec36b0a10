import type { Catalog } from '../../catalog/catalog.ts';
import type { Config } from '../../config/index.ts';
import type { StepReport } from '../event.ts';
import type { Folded } from '../fold/fold.ts';
import type { EntryUse } from '../join.ts';
import { reviewUsage } from '../review/review.ts';
import type { ReportData } from './data.ts';
import { toReportData } from './to-report.ts';
import type { UsageCounter } from './usage-counter.ts';

export interface ReportOfOptions {
  readonly title: string;
  readonly catalog: Catalog;
  readonly folded: Folded;
  readonly uses: readonly EntryUse[];
  readonly reports: readonly StepReport[];
  /** The observer of that fold: it leaves out what came too early, the fold does not. */
  readonly counter: UsageCounter;
  readonly thresholds: Config['review'];
  /** Milliseconds since 1970. */
  readonly madeAt: number;
}

/**
 * The data of the page of `report`. Proposals are those of `review` over the whole fold: whoever looks at one week would otherwise be
 * told to retire what was used in the week before.
 */
export function reportOf(options: ReportOfOptions): ReportData {
  const { title, catalog, folded, uses, reports, counter, thresholds, madeAt } = options;
  // Unused time is counted to the last call, as `review` does: what nobody recorded was not unused.
  const now = folded.span?.last;
  const proposals = now === undefined ? [] : reviewUsage({ folded, catalog, uses, reports, now, thresholds });
  return toReportData({ title, madeAt, folded, counter, uses, proposals });
}
