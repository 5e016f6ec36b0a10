import { DEFAULT_TIMEOUT_MS } from './defaults.ts';
import type { ServerEntry } from './schema.ts';
import type { UpstreamConfig } from './types.ts';

const UNIT_MS = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** A server as the tools stage takes it; a `url` without a type is Streamable HTTP. */
export function toUpstream(name: string, entry: ServerEntry): UpstreamConfig {
  const shared = {
    name,
    tags: entry.tags ?? [],
    allow: entry.allow ?? ['*'],
    deny: entry.deny ?? [],
    timeoutMs: entry.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    ...(entry.confirm !== undefined && { confirm: entry.confirm }),
    ...(entry.idleStop !== undefined && { idleStopMs: durationMs(entry.idleStop) }),
    ...(entry.disabled !== undefined && { disabled: entry.disabled }),
  };
  if (entry.url !== undefined) {
    const transport = entry.type === 'sse' ? 'sse' : 'http';
    return { ...shared, transport, url: entry.url, headers: texts(entry.headers) };
  }
  return {
    ...shared,
    transport: 'stdio',
    // The schema lets no entry through that has neither `url` nor `command`.
    command: entry.command ?? '',
    args: entry.args ?? [],
    env: texts(entry.env),
    ...(entry.cwd !== undefined && { cwd: entry.cwd }),
    ...(entry.envFile !== undefined && { envFile: entry.envFile }),
  };
}

/** VS Code writes numbers, and null for a variable that is to be unset; an upstream inherits none of ours, so null is absence. */
function texts(
  values: Readonly<Record<string, string | number | boolean | null>> = {},
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [[key, String(value)] as const])),
  );
}

function durationMs(written: string | number): number {
  if (typeof written === 'number') return written;
  const [, count = '', unit = ''] = /^(\d+)\s*([a-z]+)$/.exec(written) ?? [];
  return Number(count) * (UNIT_MS.get(unit) ?? 1);
}
