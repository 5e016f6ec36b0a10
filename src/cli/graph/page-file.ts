import type { GraphReport } from '../../catalog/graph-shape.ts';
import { fillPage, pageTemplate } from '../../server/page.ts';
import type { PageData } from '../graph-page/data.ts';

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
  return fillPage(pageTemplate('graph'), data);
}
