import { threadFile } from '../../server/package-root.ts';
import { viewUsage, type UsageView } from '../../server/usage-view.ts';
import { readUsage } from '../../usage/open.ts';
import { usagePlaceOf } from '../../usage/place.ts';
import { usageSetting } from './setting.ts';
import { type CommonOptions, withRuntime } from '../options.ts';
import { momentOf } from '../moment.ts';
import { remark } from '../print.ts';
import type { FoldObserver } from '../../usage/fold/fold.ts';
import type { Config } from '../../config/index.ts';

/** `--since` and `--until`, as written. */
export interface RangeOptions {
  readonly since?: string;
  readonly until?: string;
}

/** What a command tells of usage is made from. */
export interface ConfiguredView extends UsageView {
  readonly config: Config;
}

/** Opens the catalog and the store for a command that tells what was recorded. @throws PlaybookError `cli/usage`, and as `readUsage`. */
export async function withUsage(
  common: CommonOptions,
  { since, until, now, observer }: RangeOptions & { readonly now: number; readonly observer?: FoldObserver },
  use: (view: ConfiguredView) => Promise<void>,
): Promise<void> {
  // Told before figures that may be those of another store.
  await usageSetting(common);
  const options = {
    observer,
    since: since === undefined ? undefined : momentOf(since, now),
    until: until === undefined ? undefined : momentOf(until, now),
  };
  // Tools are known from the cache; nothing is started to tell what was used.
  await withRuntime({ ...common, listsUpstreams: false, isSearched: false }, async (runtime) => {
    const readerFile = threadFile('usage-reader');
    const reader = await readUsage(usagePlaceOf(runtime.config, process.env), { tell: remark, readerFile });
    try {
      await use({ ...(await viewUsage(runtime.snapshot(), reader, options)), config: runtime.config });
    } finally {
      await reader.close();
    }
  });
}
