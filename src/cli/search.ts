import { findEntries, searchTool } from '../server/search-tool.ts';
import { parseSearchArguments } from '../server/tool-arguments.ts';
import { type CommonOptions, withRuntime } from './options.ts';
import { print, printJson } from './print.ts';
import { toReport } from './report-entry.ts';

export interface SearchOptions {
  readonly words: readonly string[];
  readonly tag: readonly string[];
  readonly kind?: string;
  readonly limit: string;
  readonly json?: boolean;
}

/** Prints what an agent would see, or the hits as JSON with their scores. */
export async function searchCommand(common: CommonOptions, options: SearchOptions): Promise<void> {
  const given = parseSearchArguments({
    query: options.words.join(' '),
    ...(options.tag.length === 0 ? {} : { tags: options.tag }),
    ...(options.kind === undefined ? {} : { kind: options.kind }),
    limit: options.limit,
  });
  await withRuntime(common, async (runtime) => {
    await runtime.learn();
    const snapshot = await runtime.snapshot();
    if (options.json === true) {
      printJson(
        findEntries(snapshot, given)
          .slice(0, given.limit)
          .map(({ entry, score }) => ({ ...toReport(entry), score })),
      );
      return;
    }
    for (const block of searchTool(snapshot, given).content) if (block.type === 'text') print(block.text);
  });
}
