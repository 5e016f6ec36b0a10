import type { CallToolResult } from '@modelcontextprotocol/server';
import { PlaybookError } from '../errors.ts';
import { isJsonObject } from '../model.ts';
import { refuseOverfull } from './input-elements.ts';
import { executeTool } from './execute-tool.ts';
import { failure } from './failure.ts';
import { getSchemaTool } from './get-schema-tool.ts';
import { confirmCall } from './confirm.ts';
import type { Answer } from './input-rounds.ts';
import type { Caller, ToolName } from './mcp-server.ts';
import type { Runtime } from './runtime.ts';
import { searchTool } from './search-tool.ts';
import type { Snapshot } from './snapshot.ts';
import {
  type ExecuteArguments,
  type GetSchemaArguments,
  parseExecuteArguments,
  parseGetSchemaArguments,
  parseSearchArguments,
  type SearchArguments,
} from './tool-arguments.ts';

export interface ThreeToolsCall {
  readonly name: ToolName;
  readonly given: unknown;
  readonly caller: Caller;
  /** Gives what the caller sees now. @param asked the `workspace` argument */
  readonly look: (asked: string | undefined) => Promise<Snapshot>;
}

/** Runs one of the three tools on the snapshot at hand; a failure that the caller can mend is a result with `isError`. */
export async function callThreeTools(runtime: Runtime, call: ThreeToolsCall): Promise<Answer> {
  try {
    return await dispatch(runtime, call);
  } catch (error) {
    if (!(error instanceof PlaybookError)) throw error;
    return failure(error);
  }
}

async function dispatch(runtime: Runtime, call: ThreeToolsCall): Promise<Answer> {
  const { name, given } = call;
  refuseOverfull(given, runtime.config.limits.inputElements);
  switch (name) {
    case 'search':
      return search(runtime, parseSearchArguments(given), call);
    case 'get_schema':
      return getSchema(runtime, parseGetSchemaArguments(given), call);
    case 'execute': {
      const args = parseExecuteArguments(given);
      // What came as a text was one element until now.
      if (isJsonObject(given) && given['arguments'] !== args.arguments) {
        refuseOverfull(args.arguments, runtime.config.limits.inputElements);
      }
      return execute(runtime, args, call);
    }
  }
}

async function search(runtime: Runtime, args: SearchArguments, { look }: ThreeToolsCall): Promise<Answer> {
  const searchNow = async (): Promise<CallToolResult> => searchTool(await look(args.workspace), args);
  let answer = await searchNow();
  while (answer._meta?.['playbook-mcp/total'] === 0 && (await runtime.nextFirstListing())) answer = await searchNow();
  return answer;
}

async function getSchema(
  runtime: Runtime,
  args: GetSchemaArguments,
  { caller, look }: ThreeToolsCall,
): Promise<Answer> {
  const unavailable = await unlistedServers(runtime, args.ids, caller);
  return getSchemaTool(await look(args.workspace), args, unavailable);
}

async function execute(runtime: Runtime, args: ExecuteArguments, { caller, look }: ThreeToolsCall): Promise<Answer> {
  await runtime.listServerOf(args.id, { caller, access: caller.access });
  const snapshot = await look(args.workspace);
  const { validators, config } = runtime;
  return executeTool(
    {
      snapshot,
      caller,
      validators,
      resultTokens: config.limits.resultTokens,
      confirm: (pending) =>
        confirmCall(pending, { policy: runtime.confirmPolicyOf(pending.entry.tool), codes: runtime.confirmCodes }),
      callTool: (id, toolArguments) =>
        runtime.callTool(id, toolArguments, { ...caller, workspace: snapshot.workspace }),
    },
    args,
  );
}

/** Why ids are unknown, for those whose server has not listed its tools: each is told in its place, and spoils no other. */
async function unlistedServers(
  runtime: Runtime,
  ids: readonly string[],
  { signal, access }: Caller,
): Promise<ReadonlyMap<string, PlaybookError>> {
  const outcomes = await Promise.allSettled(ids.map((id) => runtime.listServerOf(id, { signal, access })));
  return new Map(
    outcomes.flatMap((outcome, at) => {
      if (outcome.status === 'fulfilled') return [];
      if (!(outcome.reason instanceof PlaybookError)) throw outcome.reason;
      return [[ids[at] ?? '', outcome.reason] as const];
    }),
  );
}
