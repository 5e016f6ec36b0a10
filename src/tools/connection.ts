import type { Client, Implementation, StandardSchemaV1 } from '@modelcontextprotocol/client';

import type { JsonObject } from '../model.ts';
import { DECLARED_CAPABILITIES } from './declared-capabilities.ts';
import type { Cancellation } from './deadline.ts';
import type { Era } from './definition-cache.ts';
import { isJsonObject } from '../model.ts';
import { nextRoundOf, retryParams } from './input-required.ts';
import type { GivenInput } from './provider.ts';
import type { RemoteTransport } from './remote-transport.ts';
import { rawResult } from './result-tap.ts';
import type { RunningCall, RunningCalls } from './running-calls.ts';
import { StdioTransport } from './stdio-transport.ts';

/** The SDK wants some limit; ours are kept by the signals that we pass. */
const NO_LIMIT_MS = 2 ** 31 - 1;
const MOST_LIST_PAGES = 1000;
const CATCH_UP_MS = 1000;
/** Rounds in which a server asks for nothing but roots. */
const MOST_ROUNDS = 10;
const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo';
/** Keys of `_meta` that belong to one hop: each connection sets its own. */
const HOP_KEYS: ReadonlySet<string> = new Set([
  'progressToken',
  'io.modelcontextprotocol/protocolVersion',
  'io.modelcontextprotocol/clientInfo',
  'io.modelcontextprotocol/clientCapabilities',
  'io.modelcontextprotocol/logLevel',
]);

/** The requests that a server may answer with questions, and that run as long as they need. */
export type CallMethod = 'tools/call' | 'prompts/get' | 'resources/read';

/** One call on a connection; it has no limit of its own but `cancellation`. */
export interface ConnectionCall extends RunningCall {
  readonly method: CallMethod;
  /** Less `_meta`. */
  readonly params: JsonObject;
  readonly cancellation: Cancellation;
  readonly onProgress: (progress: JsonObject) => void;
  /** The caller's `_meta`. */
  readonly meta: JsonObject;
  readonly input: GivenInput | undefined;
}

/** What `connect` has established. */
interface ConnectionParts {
  readonly clientInfo: Implementation;
  readonly client: Client;
  readonly calls: RunningCalls;
  readonly transport: StdioTransport | RemoteTransport;
  readonly eraFoundAt: number | undefined;
}

/** An established connection to an upstream, shared by all calls; see `connect`. */
export class Connection {
  /** When the server was asked for its era, in milliseconds since 1970; undefined where an earlier verdict was trusted. */
  readonly eraFoundAt: number | undefined;
  readonly #client: Client;
  readonly #calls: RunningCalls;
  readonly #transport: StdioTransport | RemoteTransport;
  readonly #progressListeners = new Map<string, (progress: JsonObject) => void>();
  /** What a server of 2026-07-28 wants to hear with each request; undefined where it is of an earlier revision. */
  readonly #envelope: JsonObject | undefined;
  #callCount = 0;

  constructor({ client, calls, transport, eraFoundAt, clientInfo }: ConnectionParts) {
    this.#client = client;
    if (client.getProtocolEra() === 'modern') this.#envelope = envelopeOf(client, clientInfo);
    this.#calls = calls;
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

  /** What the server says about itself as a whole; undefined where it says nothing. */
  get instructions(): string | undefined {
    return this.#client.getInstructions();
  }

  get hasResources(): boolean {
    return this.#client.getServerCapabilities()?.resources !== undefined;
  }

  /** Every tool that the server lists, page after page, as it defines them. @throws the SDK's errors. */
  async listTools(signal: AbortSignal): Promise<readonly unknown[]> {
    return this.#list('tools', signal);
  }

  /** As `listTools`; [] where the server has no prompts. */
  async listPrompts(signal: AbortSignal): Promise<readonly unknown[]> {
    return this.#client.getServerCapabilities()?.prompts === undefined ? [] : this.#list('prompts', signal);
  }

  /**
   * The server's own result, less what belongs to this hop of the way; or, of a server of 2026-07-28, its `input_required`.
   * @throws the SDK's errors.
   */
  async call(call: ConnectionCall): Promise<JsonObject> {
    this.#callCount += 1;
    const progressToken = `call-${this.#callCount}`;
    this.#progressListeners.set(progressToken, call.onProgress);
    this.#calls.add(call);
    try {
      return await this.#call(call, progressToken);
    } finally {
      this.#calls.delete(call);
      this.#progressListeners.delete(progressToken);
    }
  }

  /**
   * Waits until a server of the 2025 era has taken in what it was sent, and we what it had to say until then: a question about a
   * call that was cancelled meanwhile must not be put to the next one. Not for long; never rejects.
   */
  async catchUp(): Promise<void> {
    if (this.era === 'modern') return;
    const signal = AbortSignal.timeout(CATCH_UP_MS);
    await this.#calls.refuseDuring(Promise.allSettled([this.#request('ping', {}, signal)]));
  }

  /** How the server's process ended by itself, as the end of a sentence; undefined where it has not, or is none of ours. */
  async exit(): Promise<string | undefined> {
    if (!('lastMoment' in this.#transport)) return undefined;
    await this.#transport.lastMoment();
    return this.#transport.exit;
  }

  /** Ends the connection and the server's processes; calls that are waiting fail. */
  async close(): Promise<void> {
    await this.#client.close();
    // The client has let go of a transport that closed by itself, whose process group may still be ending.
    await this.#transport.close();
  }

  async #list(what: 'tools' | 'prompts', signal: AbortSignal): Promise<readonly unknown[]> {
    const items: unknown[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MOST_LIST_PAGES; page += 1) {
      const result = await this.#request(`${what}/list`, cursor === undefined ? {} : { cursor }, signal);
      const listed = result[what];
      if (Array.isArray(listed)) items.push(...listed);
      const next = result['nextCursor'];
      // A server that hands out the same cursor again would be asked for ever.
      if (typeof next !== 'string' || next === cursor) break;
      cursor = next;
    }
    return items;
  }

  async #call(call: ConnectionCall, progressToken: string): Promise<JsonObject> {
    const { method, cancellation, meta, input, roots } = call;
    if (this.era === 'legacy') await this.#calls.renewRoots(this.#client, roots);
    const handedOn = Object.fromEntries(Object.entries(meta).filter(([key]) => !HOP_KEYS.has(key)));
    const params = { ...call.params, _meta: { ...handedOn, progressToken } };
    let given = input;
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const result = await this.#send(method, { ...params, ...retryParams(given, roots) }, cancellation);
      if (this.#envelope === undefined || isComplete(result)) return withoutHop(result);
      const next = nextRoundOf(await unfinished(result));
      if (next === undefined) return withoutHop(result);
      if (next.kind === 'questions') return next.result;
      given = next.input;
    }
    throw new Error('it asks for the roots again and again');
  }

  /** As `#request`, by the shortest way that the transport has. */
  #send(method: string, params: Record<string, unknown>, cancellation: Cancellation): Promise<JsonObject> {
    if (!(this.#transport instanceof StdioTransport)) return this.#request(method, params, cancellation.signal);
    return this.#transport.direct.request({ method, params, cancellation, envelope: this.#envelope });
  }

  async #request(method: string, params: Record<string, unknown>, signal: AbortSignal): Promise<JsonObject> {
    const options = { signal, timeout: NO_LIMIT_MS, allowInputRequired: true };
    return rawResult(await this.#client.request({ method, params }, anyObject, options));
  }
}

const anyObject: StandardSchemaV1<unknown, JsonObject> = {
  '~standard': {
    version: 1,
    vendor: 'playbook-mcp',
    validate: (value) => (isJsonObject(value) ? { value } : { issues: [{ message: 'the result is not an object' }] }),
  },
};

/** @see MCP 2026-07-28, the `_meta` of requests. */
function envelopeOf(client: Client, clientInfo: Implementation): JsonObject {
  return {
    'io.modelcontextprotocol/protocolVersion': client.getNegotiatedProtocolVersion(),
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': DECLARED_CAPABILITIES,
  };
}

/** A result that asks for input, less what belongs to the hop. @throws SdkError for one of any other type, as the SDK does. */
async function unfinished(result: JsonObject): Promise<JsonObject> {
  const { resultType, inputRequests, requestState } = result;
  const hasState = typeof requestState === 'string';
  const asks = isJsonObject(inputRequests) && Object.keys(inputRequests).length > 0;
  if (resultType === 'input_required' && (asks || hasState)) {
    return { resultType, ...(asks && { inputRequests }), ...(hasState && { requestState }) };
  }
  const { SdkError, SdkErrorCode } = await import('@modelcontextprotocol/client');
  throw resultType === 'input_required'
    ? new SdkError(SdkErrorCode.InvalidResult, 'it asks for input and does not say for which')
    : new SdkError(
        SdkErrorCode.UnsupportedResultType,
        `its result is of the unknown type ${JSON.stringify(resultType)}`,
      );
}

function isComplete({ resultType }: JsonObject): boolean {
  return resultType === undefined || resultType === 'complete';
}

function withoutHop(result: JsonObject): JsonObject {
  const { resultType: _, _meta: meta, ...rest } = result;
  if (meta === undefined) return rest;
  if (!isJsonObject(meta) || !(SERVER_INFO_KEY in meta)) return { ...rest, _meta: meta };
  const { [SERVER_INFO_KEY]: _serverInfo, ...kept } = meta;
  return Object.keys(kept).length === 0 ? rest : { ...rest, _meta: kept };
}
