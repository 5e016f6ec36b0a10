import { findEntry } from '../catalog/lookup.ts';
import { messageOf, PlaybookError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../model.ts';
import { lackOf } from '../server/ask-client.ts';
import { checkArguments } from '../server/execute-tool.ts';
import type { Caller } from '../server/mcp-server.ts';
import { toolPrefixOf } from '../tools/naming.ts';
import { type CommonOptions, withRuntime } from './options.ts';
import { exitWith, print, printJson, remark } from './print.ts';

export interface ToolsTestOptions {
  readonly id: string;
  /** A JSON object, as written. */
  readonly arguments: string;
  readonly json?: boolean;
}

/**
 * Calls a wrapped tool as an agent would, but for asking: whoever types this means it. Exits 1 where the result is an error,
 * 5 where the server cannot be reached.
 *
 * @throws PlaybookError `cli/usage`, `tools/invalid-arguments`, those of `findEntry` and of the call.
 */
export async function toolsTestCommand(common: CommonOptions, options: ToolsTestOptions): Promise<void> {
  const args = parseArguments(options.arguments);
  await withRuntime({ ...common, listsUpstreams: false }, async (runtime) => {
    // A person waits for a slow server as long as it takes; `listServerOf` then tells why there is nothing to call.
    const owner = runtime.upstreams.status().find(({ name }) => options.id.startsWith(toolPrefixOf(name)));
    if (owner !== undefined && owner.toolCount === undefined) await runtime.upstreams.probe(owner.name);
    const caller = callerAtTheKeyboard();
    await runtime.listServerOf(options.id, { caller });
    const snapshot = await runtime.snapshot();
    const entry = findEntry(snapshot.catalog, options.id);
    if (entry.kind !== 'tool') {
      throw new PlaybookError('cli/usage', `${entry.id} is a playbook.`, {
        hint: `Read it: playbook-mcp show ${entry.id}`,
      });
    }
    await checkArguments(runtime.validators, entry, args);
    const result = await runtime.callTool(entry.id, args, { ...caller, workspace: snapshot.workspace });
    if (result.isError === true) exitWith(1);
    if (options.json === true) return printJson(result);
    const content: readonly unknown[] = Array.isArray(result['content']) ? result['content'] : [];
    for (const block of content) print(textOf(block));
    return content.length === 0 ? printJson(result['structuredContent'] ?? result) : undefined;
  });
}

function parseArguments(written: string): JsonObject {
  try {
    const value: unknown = JSON.parse(written);
    if (isJsonObject(value)) return value;
  } catch (error) {
    throw new PlaybookError('cli/usage', `--arguments is not JSON: ${messageOf(error)}`, { hint: USAGE, cause: error });
  }
  throw new PlaybookError('cli/usage', '--arguments is not a JSON object.', { hint: USAGE });
}

const NOT_HERE = 'The tool wants a person to open an address, and there is nobody at a terminal.';
const LOGIN_HINT = 'Where its server needs authorization: playbook-mcp tools login <server>.';
const USAGE = `Such as: --arguments '{"path": "/tmp"}'`;

/** Ctrl-C cancels the call, so that the server hears of it before this process ends. */
function callerAtTheKeyboard(): Caller {
  const cancellation = new AbortController();
  process.once('SIGINT', () => cancellation.abort());
  return {
    signal: cancellation.signal,
    roots: () => Promise.resolve([]),
    meta: {},
    identity: () => 'command line',
    client: null,
    principal: undefined,
    user: undefined,
    access: undefined,
    input: undefined,
    lacks: (question) => lackOf(question, {}),
    // This command ends by itself, so a tool that asks is told that nobody answers; an address can be opened by whoever reads it.
    ask: async ({ method, params: { mode, url } }) => {
      if (mode === 'url' && process.stderr.isTTY) {
        remark(`Open this address in a browser: ${String(url)}`);
        return { action: 'accept' };
      }
      if (mode === 'url') throw new PlaybookError('tools/unauthorized', NOT_HERE, { hint: LOGIN_HINT });
      throw new PlaybookError('tools/undeclared', `The tool asks for ${method}, and there is nobody here to ask.`);
    },
    onProgress: (progress) => {
      if (process.stderr.isTTY) remark(`… ${JSON.stringify(progress)}`);
    },
  };
}

function textOf(block: unknown): string {
  if (!isJsonObject(block)) return JSON.stringify(block);
  const { type, text, data, mimeType } = block;
  if (typeof text === 'string') return text;
  if (typeof data === 'string')
    return `[${String(type)}, ${String(mimeType)}, ${Buffer.byteLength(data, 'base64')} bytes]`;
  return JSON.stringify(block, undefined, 2);
}
