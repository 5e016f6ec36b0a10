import * as z from 'zod';

import { timeoutOf } from './defaults.ts';
import type { OAuthEntry, ServerEntry } from './schema.ts';
import type { OAuthConfig, UpstreamConfig } from './types.ts';

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
    timeoutMs: timeoutOf(entry.timeoutMs),
    ...(entry.confirm !== undefined && { confirm: entry.confirm }),
    ...(entry.idleStop !== undefined && { idleStopMs: durationMs(entry.idleStop) }),
    ...(entry.stateless !== undefined && { stateless: entry.stateless }),
    ...(entry.disabled !== undefined && { disabled: entry.disabled }),
    ...(entry.scope !== undefined && { scope: entry.scope }),
  };
  if (entry.url !== undefined) {
    const transport = entry.type === 'sse' ? 'sse' : 'http';
    const oauth = oauthOf(entry);
    return { ...shared, transport, url: entry.url, headers: texts(entry.headers), ...(oauth && { oauth }) };
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

/** `oauth` as Claude Code and Gemini write it, else `auth` as Cursor does; undefined where there is nothing to say. */
function oauthOf({ oauth, auth }: ServerEntry): OAuthConfig | undefined {
  const written = oauth ?? cursorAuthSchema.safeParse(auth).data;
  if (written === undefined) return undefined;
  const { clientId, clientSecret, scopes = [], callbackPort, clientMetadataUrl, issuer } = written;
  const listed = (typeof scopes === 'string' ? scopes.split(/\s+/) : scopes).filter((scope) => scope !== '');
  return {
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(listed.length > 0 && { scopes: listed }),
    ...(callbackPort !== undefined && { callbackPort }),
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    ...(issuer !== undefined && { issuer }),
  };
}

const cursorAuthSchema = z
  .object({
    CLIENT_ID: z.string(),
    CLIENT_SECRET: z.string().exactOptional(),
    scopes: z.array(z.string()).exactOptional(),
  })
  .transform(({ CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, scopes }): OAuthEntry => ({
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(scopes !== undefined && { scopes }),
  }));

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
