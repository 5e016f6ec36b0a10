import { marksOf, summaryOf } from '../server/summary.ts';
import { hasTags } from '../server/tags.ts';
import { parseSearchArguments } from '../server/tool-arguments.ts';
import { type CommonOptions, withRuntime } from './options.ts';
import { bold, dim, print, printJson, remark, table } from './print.ts';
import { toReport } from './report-entry.ts';

export interface ListOptions {
  readonly tag: readonly string[];
  readonly kind?: string;
  readonly json?: boolean;
}

/** Prints every entry of the catalog, retired and draft ones too: a person looks here for what search leaves out. */
export async function listCommand(common: CommonOptions, options: ListOptions): Promise<void> {
  const given = parseSearchArguments({
    ...(options.tag.length === 0 ? {} : { tags: options.tag }),
    ...(options.kind === undefined ? {} : { kind: options.kind }),
  });
  await withRuntime(common, async (runtime) => {
    const snapshot = await runtime.snapshot();
    const entries = snapshot.catalog.entries.filter(
      (entry) => (given.kind === undefined || entry.kind === given.kind) && hasTags(entry, given.tags ?? []),
    );
    if (options.json === true) return printJson(entries.map(toReport));
    if (entries.length === 0) {
      const { length } = snapshot.catalog.entries;
      const all = length === 0 ? '`playbook-mcp doctor` tells where playbooks are looked for' : `${length} in all`;
      return remark(`No such entries (${all}).`);
    }
    print(
      table([
        ['ID', 'KIND', 'SOURCE', 'DESCRIPTION'].map(bold),
        ...entries.map((entry) => [
          entry.id,
          entry.kind,
          entry.source,
          [...marksOf(entry).map((mark) => dim(`[${mark}]`)), summaryOf(entry.description, 100)].join(' '),
        ]),
      ]),
    );
    return remark(dim(`${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}`));
  });
}
