import type { RuntimeOptions } from '../server/runtime-options.ts';
import type { Runtime } from '../server/runtime.ts';
import { PlaybookError } from '../errors.ts';
import { remark } from './print.ts';

/** Flags that every command takes, as commander reads them. */
export interface CommonOptions {
  readonly playbooks: readonly string[];
  readonly workspace: readonly string[];
  readonly config?: string;
  readonly starter: boolean;
}

/** What the common flags and this process say to the runtime, but for its log. */
export function runtimeOptions(options: CommonOptions): Omit<RuntimeOptions, 'log'> {
  return {
    flags: { playbooks: options.playbooks, workspaces: options.workspace, starter: options.starter },
    ...(options.config === undefined ? {} : { configPath: options.config }),
    env: process.env,
    cwd: process.cwd(),
  };
}

interface ListingOptions {
  /** False for a command that starts servers itself, or none. */
  readonly listsUpstreams?: boolean;
  /** See `RuntimeOptions.connectTimeoutMs`. */
  readonly connectTimeoutMs?: number | undefined;
  /** See `RuntimeOptions`. */
  readonly isSearched?: boolean;
  /** See `RuntimeOptions.fetchSources`; `missing` by default, `never` for none. */
  readonly fetchSources?: RuntimeOptions['fetchSources'] | 'never';
}

/**
 * Opens the runtime for a command that ends by itself: upstream servers are listed first, and closed after.
 * Diagnostics are not logged: a command that cares prints them.
 */
export async function withRuntime(
  {
    listsUpstreams = true,
    isSearched = true,
    connectTimeoutMs,
    fetchSources = 'missing',
    ...options
  }: CommonOptions & ListingOptions,
  use: (runtime: Runtime) => Promise<void>,
): Promise<void> {
  const server = await import('../server/runtime.ts');
  const runtime = await server.Runtime.open({
    ...runtimeOptions(options),
    log: (_level, message, { isProgress }) => {
      if (isProgress === true && process.stderr.isTTY) remark(message);
    },
    isSearched,
    ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }),
    ...(fetchSources === 'never' ? {} : { fetchSources }),
  });
  try {
    if (listsUpstreams) await listMissing(runtime);
    await use(runtime);
  } finally {
    await runtime.close();
  }
}

async function listMissing(runtime: Runtime): Promise<void> {
  const missing = runtime.upstreams
    .status()
    .filter(({ state, toolCount }) => toolCount === undefined && state !== 'disabled');
  if (missing.length === 0) return;
  if (process.stderr.isTTY)
    remark(`Listing the tools of ${missing.map(({ name }) => name).join(', ')} for the first time…`);
  await runtime.upstreams.listMissing();
}

/** Milliseconds of a flag that is given in seconds. @throws PlaybookError `cli/usage`. */
export function secondsToMs(written: string): number {
  const seconds = Number(written);
  if (Number.isFinite(seconds) && seconds > 0) return seconds * 1000;
  throw new PlaybookError('cli/usage', `"${written}" is not a number of seconds.`, { hint: 'Give one such as 10.' });
}
