import type { Env } from '../config/index.ts';
import { readUsage } from '../usage/open.ts';
import { usagePlaceOf } from '../usage/place.ts';
import { reportOf, type ReportOfOptions } from '../usage/report/report-of.ts';
import { UsageCounter } from '../usage/report/usage-counter.ts';
import type { ReportData } from '../usage/report/data.ts';
import { threadFile } from './package-root.ts';
import { fillPage, pageTemplate } from './page.ts';
import type { Runtime } from './runtime.ts';
import { viewUsage } from './usage-view.ts';

/** The page as it is made, and what was put into it. */
export interface UsagePage {
  readonly html: string;
  readonly data: ReportData;
}

/** The page of the usage, made of what was read of a store. */
export function toUsagePage(options: Omit<ReportOfOptions, 'title'>): UsagePage {
  const data = reportOf({ ...options, title: 'Usage of playbooks and tools' });
  return { html: fillPage(pageTemplate('report'), data), data };
}

/** The page of all that is recorded, read now. @throws PlaybookError `usage/newer`, `usage/unavailable`. */
export async function usagePage(runtime: Runtime, env: Env): Promise<UsagePage> {
  const counter = new UsageCounter(undefined);
  const reader = await readUsage(usagePlaceOf(runtime.config, env), { readerFile: threadFile('usage-reader') });
  try {
    const view = await viewUsage(runtime.snapshot(), reader, { observer: counter });
    return toUsagePage({ ...view, counter, thresholds: runtime.config.review, madeAt: Date.now() });
  } finally {
    await reader.close();
  }
}
