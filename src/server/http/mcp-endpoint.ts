import {
  type AuthInfo,
  createMcpHandler,
  type McpHttpHandler,
  type McpRequestContext,
  type McpServer,
} from '@modelcontextprotocol/server';
import { messageOf } from '../../errors.ts';
import { followListed } from '../listed-changes.ts';
import { type Caller, createMcpServer } from '../mcp-server.ts';
import { openSurface } from '../open-surface.ts';
import { type CallOrigin, callRecorded } from '../recorded-calls.ts';
import type { Runtime } from '../runtime.ts';
import type { Access, ChangeFollower, ListedChange } from '../surface.ts';
import { visibilityOf } from '../visibility.ts';
import type { UsageSessions } from '../../usage/sessions.ts';

export interface EndpointOptions {
  readonly runtime: Runtime;
  /** As they are now. */
  readonly instructions: () => string;
  readonly sessions: UsageSessions;
  /** See `McpServerOptions.stateKey`: one request is answered by one instance, and its rounds by several. */
  readonly stateKey: Uint8Array;
  readonly onError: (error: Error) => void;
  readonly changes: ReplicaChanges;
}

/** A subscription costs a connection and some 20 KB; beyond, clients are told so. */
const MOST_SUBSCRIPTIONS = 10_000;

/**
 * The endpoint of the protocol: one handler for both eras (clients of 2025 are served statelessly, each request by itself), and of
 * those one for all callers that see the same, since a handler tells all of its subscribers what has changed.
 */
export class Endpoint {
  readonly #options: EndpointOptions;
  readonly #groups = new Map<string, McpHttpHandler>();
  readonly #ending = new AbortController();

  constructor(options: EndpointOptions) {
    this.#options = options;
    options.changes.onChange = (group, change) => tell(this.#groups.get(group), change);
  }

  /** Answers one request. */
  answer({ request, body, authInfo }: ReadRequest): Promise<Response> {
    return this.#groupOf(authInfo?.scopes).fetch(request, {
      ...(body !== undefined && { parsedBody: body }),
      ...(authInfo !== undefined && { authInfo }),
    });
  }

  /** Ends every exchange, and every subscription. */
  async close(): Promise<void> {
    this.#ending.abort();
    await Promise.all([...this.#groups.values()].map((handler) => handler.close()));
  }

  #groupOf(access: Access): McpHttpHandler {
    const { runtime, onError, changes } = this.#options;
    const { key, scopes } = visibilityOf(runtime.config, access);
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const handler = createMcpHandler((context) => instanceFor(context, this.#options), {
      onerror: onError,
      maxSubscriptions: MOST_SUBSCRIPTIONS,
    });
    this.#groups.set(key, handler);
    // A scope that is configured later is none of theirs.
    const follower: ChangeFollower = {
      roots: () => Promise.resolve([]),
      access: scopes,
      tell: (change) => {
        tell(handler, change);
        changes.send(key, change);
      },
    };
    followListed(runtime, follower, this.#ending.signal).catch((error: unknown) => onError(toError(error)));
    return handler;
  }
}

/** Hands changes to the other replicas, and gets theirs. */
export interface ReplicaChanges {
  /** Told what another replica has seen change, for callers of a group. */
  onChange: (group: string, change: ListedChange) => void;
  readonly send: (group: string, change: ListedChange) => void;
}

function tell(handler: McpHttpHandler | undefined, { resources, prompts, updated }: ListedChange): void {
  if (resources) handler?.notify.resourcesChanged();
  if (prompts) handler?.notify.promptsChanged();
  for (const uri of updated) handler?.notify.resourceUpdated(uri);
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(messageOf(thrown));
}

function instanceFor({ era }: McpRequestContext, options: EndpointOptions): McpServer {
  const { runtime, instructions, sessions, stateKey } = options;
  const originOf = ({ identity, user }: Pick<Caller, 'identity' | 'user'>): CallOrigin => ({
    session: sessions.at(identity(), Date.now()),
    ...(user !== undefined && { user }),
  });
  return createMcpServer({
    era,
    instructions: instructions(),
    stateKey,
    hasTargetHeader: runtime.config.http.targetHeader,
    // An instance lives as long as its request.
    holdsCalls: false,
    callTool: (name, given, caller) => callRecorded(runtime, { name, given, caller }, originOf(caller)),
    surface: () => Promise.resolve(openSurface(runtime, originOf)),
  });
}

/** A request of the protocol that has been read. */
export interface ReadRequest {
  readonly request: Request;
  /** The JSON that it brought; undefined where it brought none. */
  readonly body: unknown;
  readonly authInfo: AuthInfo | undefined;
}
