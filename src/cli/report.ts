import { toUsagePage } from '../server/usage-page.ts';
import { UsageCounter } from '../usage/report/usage-counter.ts';
import { momentOf } from './moment.ts';
import type { CommonOptions } from './options.ts';
import { writeOutput } from './output.ts';
import { remark } from './print.ts';
import { type RangeOptions, withUsage } from './usage/view.ts';

interface ReportOptions extends RangeOptions {
  readonly out?: string;
  readonly open?: boolean;
}

/** Where a page goes that nobody gave a name. */
const DEFAULT_PAGE = 'playbook-usage.html';

/**
 * Writes the page of the usage to a file or stdout.
 * @throws PlaybookError `cli/usage`, `files/unwritable`, and as `readUsage`.
 */
export async function reportCommand(common: CommonOptions, { since, until, out, open }: ReportOptions): Promise<void> {
  const now = Date.now();
  const counter = new UsageCounter(since === undefined ? undefined : momentOf(since, now));
  const range = { now, observer: counter, ...(until !== undefined && { until }) };
  await withUsage(common, range, async ({ config, ...view }) => {
    const { html, data } = toUsagePage({ ...view, counter, thresholds: config.review, madeAt: now });
    if (data.span === undefined) remark('Nothing was recorded in this time: the page says what to do.');
    await writeOutput(html, { out, open, pageName: DEFAULT_PAGE, isPrivate: true });
  });
}
