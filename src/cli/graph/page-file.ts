import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GraphReport } from '../../catalog/graph-shape.ts';
import { packageInfo } from '../../server/package-root.ts';
import { DATA_MARK, type PageData } from '../graph-page/data.ts';

export interface PageOptions {
  readonly title: string;
  /** A playbook's markdown, by its id. */
  readonly bodyOf: (id: string) => string;
  readonly of?: string | undefined;
}

/** The report as one self-contained page: the built template with the data in it. */
export function toPage(report: GraphReport, { title, bodyOf, of }: PageOptions): string {
  const data: PageData = {
    ...report,
    title,
    playbooks: report.playbooks.map(({ path: _path, ...playbook }) => ({ ...playbook, body: bodyOf(playbook.id) })),
    dangling: report.dangling.map(({ from, written, line }) => ({ from, written, line })),
    ...(of === undefined ? {} : { of }),
  };
  const template = readFileSync(join(packageInfo().root, 'dist', 'graph-page.html'), 'utf8');
  const at = template.indexOf(DATA_MARK);
  if (at === -1) throw new Error('dist/graph-page.html has no place for its data.');
  return template.slice(0, at) + toDataBlock(data) + template.slice(at + DATA_MARK.length);
}

/** Without `<` no text of a playbook can end the block or begin a comment. */
function toDataBlock(data: PageData): string {
  return `<script type="application/json" id="data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;
}
