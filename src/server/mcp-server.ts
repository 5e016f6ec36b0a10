import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type InputRequiredResult,
  isInputRequiredResult,
  type McpRequestContext,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { messageOf } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../model.ts';
import { packageInfo } from './package-root.ts';
import { toolDefinitions } from './tool-definitions.ts';

/** Who is calling, as far as a tool needs to know. */
export interface Caller {
  /** Aborted when the client cancels the call. */
  readonly signal: AbortSignal;
  /** `file:` URLs that a client of the 2025 era declares as its roots; asked for when first needed, [] where it has none. */
  readonly roots: () => Promise<readonly string[]>;
  /** Sends progress of the call; undefined where the client did not ask for it. */
  readonly onProgress: ((progress: Readonly<Record<string, unknown>>) => void) | undefined;
  /** Who that is, for what must not be handed from one caller to another: the authenticated client, else what it calls itself. */
  readonly identity: string;
  /** Whether the client can put a question to its person. */
  readonly canElicit: boolean;
  /** What an earlier round of this call has asked for; both are the client's word, and prove nothing by themselves. */
  readonly answers: Answers;
}

/** What a client sends with a call that was answered by questions before. */
interface Answers {
  /** By the key of the question. */
  readonly responses: Readonly<Record<string, unknown>> | undefined;
  /** The state that went out with the questions. */
  readonly state: string | undefined;
}

/** Answers a call of one of the three tools; failures that the caller can mend are results with `isError`. */
export type CallTool = (name: ToolName, given: unknown, caller: Caller) => Promise<ToolOutcome>;

/** A result, or questions to the client, whose answers come with the same call made again; the SDK asks a 2025 client live. */
export type ToolOutcome = CallToolResult | InputRequiredResult;

const TOOL_NAMES = ['search', 'get_schema', 'execute'] as const;

export type ToolName = (typeof TOOL_NAMES)[number];

export interface McpServerOptions {
  readonly era: McpRequestContext['era'];
  readonly instructions: string;
  readonly callTool: CallTool;
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
  const mcp = new McpServer(
    { name: 'playbook-mcp', title: 'Playbooks', version: packageInfo().version },
    { capabilities: { tools: { listChanged: false } }, instructions: options.instructions },
  );
  mcp.server.setRequestHandler('tools/list', () => {
    options.onListed?.();
    return { tools: [...toolDefinitions] };
  });
  const roots = rootsOf(mcp);
  mcp.server.setRequestHandler('tools/call', async (request, context) => {
    const { name, arguments: given } = request.params;
    if (!isToolName(name)) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Unknown tool: ${name}. Tools here: ${TOOL_NAMES.join(', ')}; what search finds is run by execute.`,
      );
    }
    const result = await options.callTool(name, given, {
      signal: context.mcpReq.signal,
      roots,
      onProgress: progressOf(context),
      ...clientOf(mcp, context, options.era),
    });
    if (isInputRequiredResult(result)) return result;
    // The 2025 wire has no place for structured content that is not an object; the SDK knows how to carry it there.
    return options.era === 'legacy' ? mcp.server.projectCallToolResult(result, undefined) : result;
  });
  return mcp;
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

function clientOf(
  { server }: McpServer,
  { mcpReq, http }: ServerContext,
  era: McpRequestContext['era'],
): Pick<Caller, 'identity' | 'canElicit' | 'answers'> {
  const envelope: JsonObject = { ...mcpReq.envelope };
  const isModern = era === 'modern';
  // oxlint-disable-next-line typescript/no-deprecated -- a 2025 connection has one peer, which introduced itself once
  const info = isModern ? envelope[CLIENT_INFO_META_KEY] : server.getClientVersion();
  // oxlint-disable-next-line typescript/no-deprecated -- the same
  const capabilities = isModern ? envelope[CLIENT_CAPABILITIES_META_KEY] : server.getClientCapabilities();
  return {
    identity: JSON.stringify([http?.authInfo?.clientId, info]),
    canElicit: hasForms(capabilities),
    answers: { responses: mcpReq.inputResponses, state: mcpReq.requestState<string>() },
  };
}

/** A bare `elicitation` means forms, as it did before there were modes. */
function hasForms(capabilities: unknown): boolean {
  const elicitation = isJsonObject(capabilities) ? capabilities['elicitation'] : undefined;
  return isJsonObject(elicitation) && (elicitation['form'] !== undefined || elicitation['url'] === undefined);
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
