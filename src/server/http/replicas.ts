import { hkdfSync, randomBytes, randomUUID, createHash } from 'node:crypto';
import * as z from 'zod';
import type { Env, HttpConfig } from '../../config/index.ts';
import type { Log } from '../../tools/log.ts';
import type { UsagePlace } from '../../usage/place.ts';
import { ReplicaChannel } from '../../usage/replica-channel.ts';
import { UsageSessions } from '../../usage/sessions.ts';
import { SharedState } from '../../usage/shared-state.ts';
import type { ReplicaChanges } from './mcp-endpoint.ts';

/** What replicas must have in common, so that any of them can go on with what another began. */
export interface Replicas {
  /** Key of one purpose: the same at every replica that has the secret, of this process alone without one. */
  readonly key: (purpose: string) => Buffer;
  readonly sessions: UsageSessions;
  readonly changes: ReplicaChanges;
  /** Undefined without a PostgreSQL database. */
  readonly state: SharedState | undefined;
  readonly close: () => Promise<void>;
}

export interface ReplicasOptions {
  readonly config: HttpConfig;
  readonly env: Env;
  /** Where usage is kept: a PostgreSQL database joins the replicas. */
  readonly place: UsagePlace;
  readonly log: Log;
}

const messageSchema = z.object({
  from: z.string(),
  group: z.string(),
  change: z.object({ resources: z.boolean(), prompts: z.boolean(), updated: z.array(z.string()) }),
});

/** Joins this process with the others at the same database, which have the same secret. */
export function joinReplicas({ config, env, place, log }: ReplicasOptions): Replicas {
  const secret = config.secret ?? (env['PLAYBOOK_MCP_SECRET'] || undefined);
  const own = secret ?? randomBytes(32);
  const key: Replicas['key'] = (purpose) => Buffer.from(hkdfSync('sha256', own, '', `playbook-mcp ${purpose}`, 32));
  const sessions = new UsageSessions(secret === undefined ? undefined : sessionId(key('session').toString('hex')));
  if (place.kind === 'sqlite') {
    const changes: ReplicaChanges = { onChange: () => undefined, send: () => undefined };
    return { key, sessions, changes, state: undefined, close: () => Promise.resolve() };
  }
  if (secret === undefined) log('warn', 'Without `http.secret` no replica can go on with what another began.', {});
  const state = new SharedState(place);
  const from = randomUUID();
  const changes: ReplicaChanges = {
    onChange: () => undefined,
    send: (group, change) => channel.send(JSON.stringify({ from, group, change })),
  };
  const hear = (text: string): void => {
    const message = readMessage(text);
    if (message !== undefined && message.from !== from) changes.onChange(message.group, message.change);
  };
  const channel = new ReplicaChannel({ url: place.url, log, onMessage: hear });
  return {
    key,
    sessions,
    changes,
    state,
    close: async () => void (await Promise.all([channel.close(), state.close()])),
  };
}

/** Undefined for what another version, or another program, has said. */
function readMessage(text: string): z.output<typeof messageSchema> | undefined {
  try {
    return messageSchema.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** One caller's calls of a day have one session at every replica; where half an hour passes without one, its readers begin another. */
function sessionId(key: string): (caller: string, time: number) => string {
  return (caller, time) => {
    const day = new Date(time).toISOString().slice(0, 10);
    const hex = createHash('sha256')
      .update(JSON.stringify([key, caller, day]))
      .digest('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
  };
}
