import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  isInputRequiredResult,
  type McpRequestContext,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { messageOf } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../model.ts';
import type { GivenInput } from '../tools/provider.ts';
import { type AskClient, canBeAsked, lackOf } from './ask-client.ts';
import type { Answer, InputRounds, InputRoundsOptions } from './input-rounds.ts';
import { packageInfo } from './package-root.ts';
import {
  answerSurface,
  cacheHints,
  type FollowChanges,
  type Reader,
  refuseCursor,
  SKILLS_EXTENSION,
  type Surface,
} from './surface.ts';
import { tellChanges } from './tell-changes.ts';
import { toolDefinitions, toolsWithTarget } from './tool-definitions.ts';

/** Who is calling, as far as a tool needs to know. */
export interface Caller extends AskClient, Reader {
  /** Sends progress of the call; undefined where the client did not ask for it. */
  readonly onProgress: ((progress: Readonly<Record<string, unknown>>) => void) | undefined;
  /** The answers that the client brings to what an earlier round of this call asked; undefined in the first. */
  readonly input: GivenInput | undefined;
}

/** Answers a call of one of the three tools; failures that the caller can mend are results with `isError`. */
export type CallTool = (name: ToolName, given: unknown, caller: Caller) => Promise<Answer>;

/** Characters of a client's name that are kept: it may send another one with each request. */
const LONGEST_CLIENT = 200;

const TOOL_NAMES = ['search', 'get_schema', 'execute'] as const;

export type ToolName = (typeof TOOL_NAMES)[number];

export interface McpServerOptions {
  readonly era: McpRequestContext['era'];
  readonly instructions: string;
  readonly callTool: CallTool;
  /** What answers all but tools; loaded by the first request that needs it. */
  readonly surface: () => Promise<Surface>;
  /** Follows what is listed, for an instance that lives as long as the client's connection; undefined for others. */
  readonly followChanges?: FollowChanges;
  /** Whether the instance lives as long as the client's connection, so that a call may wait for the client's next one. */
  readonly holdsCalls: boolean;
  /** See `InputRoundsOptions.onCancelled`. */
  readonly onCancelled?: InputRoundsOptions['onCancelled'];
  /** What signs the state of rounds, 32 bytes or more, where another instance may have to read it; one of its own where absent. */
  readonly stateKey?: Uint8Array;
  /** Whether `execute` must name its id in a header too; only HTTP has headers, and clients send it since 2026-07-28. */
  readonly hasTargetHeader?: boolean;
  /** Called when the static answers are out: the time to load what calls will need. */
  readonly onListed?: () => void;
}

/**
 * One MCP server instance for one connection (or one HTTP request), of either era.
 *
 * The tools are handled on the protocol level: their definitions are constants, and their arguments are validated where
 * they are used, with messages that name every field.
 */
export function createMcpServer(options: McpServerOptions): McpServer {
  const { era, followChanges, surface } = options;
  const isModern = era === 'modern';
  // A later client that has no connection of its own listens on a stream that its transport serves.
  const isFollowed = isModern || followChanges !== undefined;
  const mcp = new McpServer(
    { name: 'playbook-mcp', title: 'Playbooks', version: packageInfo().version },
    {
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: isFollowed, subscribe: isFollowed },
        prompts: { listChanged: isFollowed },
        completions: {},
        extensions: { [SKILLS_EXTENSION]: { directoryRead: true } },
      },
      cacheHints,
      instructions: options.instructions,
      requestState: { verify: async (state, context) => (await rounds()).verify(state, context) },
    },
  );
  const rounds = inputRounds(mcp, options);
  const tools = isModern && options.hasTargetHeader === true ? toolsWithTarget : toolDefinitions;
  mcp.server.setRequestHandler('tools/list', ({ params }) => {
    refuseCursor(params?.cursor);
    options.onListed?.();
    return { tools: [...tools] };
  });
  // What the SDK compares headers with; it looks where tools of its own would be registered.
  if (tools === toolsWithTarget)
    mcp.toolInputSchemaJson = (name) => tools.find((tool) => tool.name === name)?.inputSchema;
  const roots = rootsOf(mcp);
  mcp.server.setRequestHandler('tools/call', async (request, context) => {
    const { name, arguments: given } = request.params;
    if (!isToolName(name)) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Unknown tool: ${name}. Tools here: ${TOOL_NAMES.join(', ')}; what search finds is run by execute.`,
      );
    }
    const result = await (
      await rounds()
    ).run({
      context,
      call: { name, given },
      onProgress: progressOf(context),
      lacks: (question) => lackOf(question, capabilitiesOf(mcp, context)),
      canBeAsked: canBeAsked(capabilitiesOf(mcp, context)),
      run: (caller) =>
        options.callTool(name, given, {
          ...caller,
          roots,
          meta: context.mcpReq._meta ?? {},
          identity: () => identityOf(mcp, context),
          client: clientNameOf(mcp, context),
          principal: principalOf(context),
          user: userOf(context),
          access: accessOf(context),
        }),
    });
    if (isModern || isInputRequiredResult(result)) return result;
    // The 2025 wire has no place for structured content that is not an object; the SDK knows how to carry it there.
    return mcp.server.projectCallToolResult(result, undefined);
  });
  answerSurface(mcp, {
    surface,
    isModern,
    readerOf: (context) => ({
      signal: context.mcpReq.signal,
      roots,
      client: clientNameOf(mcp, context),
      meta: context.mcpReq._meta ?? {},
      identity: () => identityOf(mcp, context),
      principal: principalOf(context),
      user: userOf(context),
      access: accessOf(context),
    }),
  });
  if (followChanges !== undefined) tellChanges(mcp, { isModern, surface, roots, followChanges });
  return mcp;
}

/** Loaded by the first call: the static answers need nothing of it. */
function inputRounds(
  { server }: McpServer,
  { era, holdsCalls, onCancelled, stateKey }: McpServerOptions,
): () => Promise<InputRounds> {
  let loaded: Promise<InputRounds> | undefined;
  return () => {
    loaded ??= import('./input-rounds.ts').then(({ InputRounds: Rounds }) => {
      const rounds = new Rounds({ era, holdsCalls, onCancelled, ...(stateKey && { stateKey }) });
      const { onclose } = server;
      server.onclose = () => {
        onclose?.();
        rounds.close();
      };
      return rounds;
    });
    return loaded;
  };
}

function identityOf(mcp: McpServer, context: ServerContext): string {
  return JSON.stringify([principalOf(context), clientInfoOf(mcp, context)]);
}

function principalOf({ http }: ServerContext): string | undefined {
  return http?.authInfo?.clientId;
}

function userOf({ http }: ServerContext): string | undefined {
  const name = http?.authInfo?.extra?.['name'];
  return typeof name === 'string' ? name : undefined;
}

function accessOf({ http }: ServerContext): Reader['access'] {
  return http?.authInfo?.scopes;
}

function clientNameOf(mcp: McpServer, context: ServerContext): string | null {
  const info = clientInfoOf(mcp, context);
  return isJsonObject(info) && typeof info['name'] === 'string' ? info['name'].slice(0, LONGEST_CLIENT) : null;
}

/** How the client introduces itself: with each request since 2026-07-28, once a connection before. */
function clientInfoOf({ server }: McpServer, { mcpReq }: ServerContext): unknown {
  const envelope: JsonObject = mcpReq.envelope ?? {};
  // oxlint-disable-next-line typescript/no-deprecated -- a 2025 connection has one peer, which introduced itself once
  return envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
}

/** What the client has declared: with each request since 2026-07-28, once a connection before. */
function capabilitiesOf({ server }: McpServer, { mcpReq }: ServerContext): JsonObject {
  const envelope: JsonObject = mcpReq.envelope ?? {};
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY];
  if (isJsonObject(declared)) return declared;
  // oxlint-disable-next-line typescript/no-deprecated -- a 2025 connection has one peer, and this is where its capabilities are
  return server.getClientCapabilities() ?? {};
}

function isToolName(name: string): name is ToolName {
  return TOOL_NAMES.some((known) => known === name);
}

/** Asks a client of the 2025 era for its roots, once a connection; the later era has no such request. */
function rootsOf(mcp: McpServer): () => Promise<readonly string[]> {
  let asked: Promise<readonly string[]> | undefined;
  return () => {
    asked ??= askForRoots(mcp);
    return asked;
  };
}

/** A client that declares roots but never answers must not hold up a search. */
const ROOTS_TIMEOUT_MS = 2_000;

async function askForRoots({ server }: McpServer): Promise<readonly string[]> {
  // oxlint-disable-next-line typescript/no-deprecated -- a 2025 connection has one peer, and this is where its capabilities are
  if (server.getClientCapabilities()?.roots === undefined) return [];
  try {
    // oxlint-disable-next-line typescript/no-deprecated -- the only way to learn the workspace of a 2025 client
    const { roots } = await server.listRoots(undefined, { timeout: ROOTS_TIMEOUT_MS });
    return roots.map(({ uri }) => uri);
  } catch (error) {
    // The 2026 era refuses the request; so may a client: both have no roots for us.
    process.emitWarning(`The client's roots are unknown: ${messageOf(error)}`);
    return [];
  }
}

function progressOf(context: ServerContext): Caller['onProgress'] {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress) => {
    void context.mcpReq.notify({
      method: 'notifications/progress',
      params: { progress: 0, ...progress, progressToken },
    });
  };
}
