import type { GraphPlaybook, GraphReport } from '../../catalog/graph-shape.ts';

/** What the page is given, in a block of JSON: the report without paths of the machine that made it, and the playbooks' texts. */
export interface PageData extends Omit<GraphReport, 'playbooks' | 'dangling'> {
  readonly title: string;
  readonly playbooks: readonly PagePlaybook[];
  readonly dangling: readonly { readonly from: string; readonly written: string; readonly line: number }[];
  /** The entry to begin with. */
  readonly of?: string;
}

export interface PagePlaybook extends Omit<GraphPlaybook, 'path'> {
  /** Markdown, as its author wrote it. */
  readonly body: string;
}
