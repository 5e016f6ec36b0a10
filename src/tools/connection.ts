import type { Client, StandardSchemaV1 } from '@modelcontextprotocol/client';

import type { JsonObject } from '../model.ts';
import type { Era } from './definition-cache.ts';
import { isJsonObject } from '../model.ts';
import type { RemoteTransport } from './remote-transport.ts';
import { rawResult } from './result-tap.ts';
import type { StdioTransport } from './stdio-transport.ts';

/** The SDK wants some limit; ours are kept by the signals that we pass. */
const NO_LIMIT_MS = 2 ** 31 - 1;
const MOST_LIST_PAGES = 1000;
const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo';
/** Keys of `_meta` that belong to one hop: each connection sets its own. */
const HOP_KEYS: ReadonlySet<string> = new Set([
  'progressToken',
  'io.modelcontextprotocol/protocolVersion',
  'io.modelcontextprotocol/clientInfo',
  'io.modelcontextprotocol/clientCapabilities',
  'io.modelcontextprotocol/logLevel',
]);

/** One call on a connection; it has no limit of its own but `signal`. */
export interface ConnectionCall {
  /** The tool's own name. */
  readonly tool: string;
  readonly args: JsonObject;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: JsonObject) => void;
  /** The caller's `_meta`. */
  readonly meta: JsonObject;
}

/** What `connect` has established. */
interface ConnectionParts {
  readonly client: Client;
  readonly transport: StdioTransport | RemoteTransport;
  readonly eraFoundAt: number | undefined;
}

/** An established connection to an upstream, shared by all calls; see `connect`. */
export class Connection {
  /** When the server was asked for its era, in milliseconds since 1970; undefined where an earlier verdict was trusted. */
  readonly eraFoundAt: number | undefined;
  readonly #client: Client;
  readonly #transport: StdioTransport | RemoteTransport;
  readonly #progressListeners = new Map<string, (progress: JsonObject) => void>();
  #callCount = 0;

  constructor({ client, transport, eraFoundAt }: ConnectionParts) {
    this.#client = client;
    this.#transport = transport;
    this.eraFoundAt = eraFoundAt;
    // The SDK's own handling loses progress that arrives together with the result.
    client.setNotificationHandler('notifications/progress', ({ params: { progressToken, ...progress } }) => {
      this.#progressListeners.get(String(progressToken))?.(progress);
    });
  }

  get era(): Era {
    return this.#client.getProtocolEra() === 'modern' ? 'modern' : 'legacy';
  }

  /** Every tool that the server lists, page after page, as it defines them. @throws the SDK's errors. */
  async listTools(signal: AbortSignal): Promise<readonly unknown[]> {
    const tools: unknown[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MOST_LIST_PAGES; page += 1) {
      const result = await this.#request('tools/list', cursor === undefined ? {} : { cursor }, signal);
      if (Array.isArray(result['tools'])) tools.push(...result['tools']);
      const next = result['nextCursor'];
      // A server that hands out the same cursor again would be asked for ever.
      if (typeof next !== 'string' || next === cursor) break;
      cursor = next;
    }
    return tools;
  }

  /** The server's own result, less what belongs to this hop of the way. @throws the SDK's errors. */
  async callTool({ tool, args, signal, onProgress, meta }: ConnectionCall): Promise<JsonObject> {
    this.#callCount += 1;
    const progressToken = `call-${this.#callCount}`;
    const handedOn = Object.fromEntries(Object.entries(meta).filter(([key]) => !HOP_KEYS.has(key)));
    this.#progressListeners.set(progressToken, onProgress);
    try {
      const params = { name: tool, arguments: args, _meta: { ...handedOn, progressToken } };
      return withoutHop(await this.#request('tools/call', params, signal));
    } finally {
      this.#progressListeners.delete(progressToken);
    }
  }

  /** Ends the connection and the server's processes; calls that are waiting fail. */
  async close(): Promise<void> {
    await this.#client.close();
    // The client has let go of a transport that closed by itself, whose process group may still be ending.
    await this.#transport.close();
  }

  async #request(method: string, params: Record<string, unknown>, signal: AbortSignal): Promise<JsonObject> {
    return rawResult(await this.#client.request({ method, params }, anyObject, { signal, timeout: NO_LIMIT_MS }));
  }
}

const anyObject: StandardSchemaV1<unknown, JsonObject> = {
  '~standard': {
    version: 1,
    vendor: 'playbook-mcp',
    validate: (value) => (isJsonObject(value) ? { value } : { issues: [{ message: 'the result is not an object' }] }),
  },
};

function withoutHop(result: JsonObject): JsonObject {
  const { resultType: _, _meta: meta, ...rest } = result;
  if (meta === undefined) return rest;
  if (!isJsonObject(meta) || !(SERVER_INFO_KEY in meta)) return { ...rest, _meta: meta };
  const { [SERVER_INFO_KEY]: _serverInfo, ...kept } = meta;
  return Object.keys(kept).length === 0 ? rest : { ...rest, _meta: kept };
}
