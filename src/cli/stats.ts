import { PlaybookError } from '../errors.ts';
import { summarizeUsage } from '../usage/summary.ts';
import type { UsageSummary } from '../usage/summary-rows.ts';
import type { CommonOptions } from './options.ts';
import { print, printJson, remark } from './print.ts';
import { listEntries } from './stats/lists.ts';
import { entryTable, groupTable, statsText } from './stats/text.ts';
import { type RangeOptions, withUsage } from './usage/view.ts';

interface StatsOptions extends RangeOptions {
  /** One of `GROUPINGS`; checked by the command line. */
  readonly by?: string;
  readonly top: string;
  readonly json?: boolean;
}

/** Tells who uses what, what is never used, what fails, and what people look for in vain. @throws PlaybookError `cli/usage`. */
export async function statsCommand(common: CommonOptions, options: StatsOptions): Promise<void> {
  const top = wholeNumber(options.top);
  await withUsage(common, { ...options, now: Date.now() }, async ({ folded, uses, config }) => {
    const summary = summarizeUsage(folded, uses);
    if (options.json === true) return printJson(toJson(summary));
    if (summary.span === null) return remark(nothingYet(options, config.usage.store));
    const isRange = options.since !== undefined || options.until !== undefined;
    print(options.by === undefined ? statsText(summary, top, isRange) : byGroup(summary, options.by, top));
  });
}

function toJson(summary: UsageSummary): object {
  const { neverUsed, notChosen, failing, slow } = listEntries(summary);
  const ids = (rows: UsageSummary['entries']): readonly string[] => rows.map(({ entry }) => entry);
  return {
    ...summary,
    neverUsed: ids(neverUsed),
    notChosen: ids(notChosen),
    failing: ids(failing),
    slow: ids(slow),
  };
}

function byGroup(summary: UsageSummary, by: string, top: number): string {
  if (by === 'entry') return entryTable(summary.entries, top);
  const groups = new Map(
    Object.entries({
      tag: summary.tags,
      source: summary.sources,
      owner: summary.owners,
      client: summary.clients,
      repo: summary.repos,
    }),
  ).get(by);
  return groups === undefined || groups.length === 0 ? `No ${by} is known.` : groupTable(groups, top);
}

function nothingYet({ since, until }: StatsOptions, store: string): string {
  if (store === 'off') return 'No event: recording is off (`usage.store` of the configuration).';
  return since === undefined && until === undefined
    ? 'No event yet: usage is recorded from the first call of an agent on; `playbook-mcp usage status` tells where.'
    : 'No event in that time; `playbook-mcp usage status` tells what there is.';
}

/** @throws PlaybookError `cli/usage`. */
function wholeNumber(written: string): number {
  if (/^[1-9]\d{0,5}$/.test(written)) return Number(written);
  throw new PlaybookError('cli/usage', `"${written}" is not a number of rows.`, { hint: 'Give one such as --top 20.' });
}
