import { basename } from 'node:path';
import { repositoryNameOf } from '../files/repository-name.ts';
import { fillPage, pageTemplate } from '../server/page.ts';
import { openUsage } from '../usage/open.ts';
import { readReport } from '../usage/report/read-report.ts';
import { momentOf } from './moment.ts';
import { type CommonOptions, withRuntime } from './options.ts';
import { writeOutput } from './output.ts';
import { remark } from './print.ts';

interface ReportOptions {
  readonly since?: string;
  readonly until?: string;
  readonly out?: string;
  readonly open?: boolean;
}

/** Where a page goes that nobody gave a name. */
const DEFAULT_PAGE = 'playbook-usage.html';

/**
 * Writes the page of the usage to a file or stdout.
 * @throws PlaybookError `cli/usage`, `files/unwritable`, and as `openUsage`.
 */
export async function reportCommand(common: CommonOptions, { since, until, out, open }: ReportOptions): Promise<void> {
  const now = Date.now();
  const range = {
    since: since === undefined ? undefined : momentOf(since, now),
    until: until === undefined ? undefined : momentOf(until, now),
  };
  await withRuntime({ ...common, listsUpstreams: false }, async (runtime) => {
    const { catalog, workspace } = await runtime.snapshot();
    const repo = workspace === undefined ? null : await repositoryNameOf(workspace);
    const reader = await openUsage(runtime.config, process.env);
    try {
      const where = workspace === undefined ? '' : `, seen from ${basename(workspace.directory)}`;
      const data = await readReport(reader, {
        title: `Usage of playbooks and tools${where}`,
        catalog,
        repo,
        thresholds: runtime.config.review,
        now,
        ...range,
      });
      if (data.span === undefined) remark('Nothing was recorded in this time: the page says what to do.');
      await writeOutput(fillPage(pageTemplate('report'), data), { out, open, pageName: DEFAULT_PAGE, isPrivate: true });
    } finally {
      await reader.close();
    }
  });
}
