import {
  type AuthInfo,
  createMcpHandler,
  type McpHttpHandler,
  type McpRequestContext,
  type McpServer,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { messageOf } from '../../errors.ts';
import { type Caller, createMcpServer } from '../mcp-server.ts';
import { openSurface } from '../open-surface.ts';
import { type CallOrigin, callRecorded } from '../recorded-calls.ts';
import type { Runtime } from '../runtime.ts';
import type { UsageSessions } from '../../usage/sessions.ts';

export interface EndpointOptions {
  readonly runtime: Runtime;
  readonly instructions: string;
  readonly sessions: UsageSessions;
  /** See `McpServerOptions.stateKey`: one request is answered by one instance, and its rounds by several. */
  readonly stateKey: Uint8Array;
  readonly onError: (error: Error) => void;
}

/** One handler for both eras; clients of 2025 are served statelessly, each request by itself. */
export function createEndpoint(options: EndpointOptions): McpHttpHandler {
  return createMcpHandler((context) => instanceFor(context, options), {
    onerror: options.onError,
    // The body has been read within the limit before.
    maxSubscriptions: MOST_SUBSCRIPTIONS,
  });
}

/** A subscription costs a connection and 20 KB; beyond, clients are told to come back. */
const MOST_SUBSCRIPTIONS = 10_000;

function instanceFor({ era, authInfo }: McpRequestContext, options: EndpointOptions): McpServer {
  const { runtime, instructions, sessions, stateKey } = options;
  const user = authInfo?.extra?.['name'];
  const originOf = ({ identity }: Pick<Caller, 'identity'>): CallOrigin => ({
    session: sessions.at(identity(), Date.now()),
    ...(typeof user === 'string' && { user }),
  });
  return createMcpServer({
    era,
    instructions,
    stateKey,
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

/** Answers one request. */
export function answer(handler: McpHttpHandler, { request, body, authInfo }: ReadRequest): Promise<Response> {
  return handler.fetch(request, {
    ...(body !== undefined && { parsedBody: body }),
    ...(authInfo !== undefined && { authInfo }),
  });
}

/** Reads the JSON of a request; a refusal where it is none. A body of another type is left for the handler to refuse. */
export async function readBody(request: Request): Promise<{ readonly body: unknown } | Response> {
  if (request.method !== 'POST' || !/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) {
    return { body: undefined };
  }
  try {
    const body: unknown = JSON.parse(await request.text());
    return { body };
  } catch (error) {
    const problem = { code: ProtocolErrorCode.ParseError, message: `Parse error: ${messageOf(error)}` };
    return Response.json({ jsonrpc: '2.0', error: problem, id: null }, { status: 400 });
  }
}
