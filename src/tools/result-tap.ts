import type { JSONRPCMessage } from '@modelcontextprotocol/client';

import type { JsonObject } from '../model.ts';
import { isJsonObject } from '../model.ts';

/** Methods whose results must reach us as they came. */
const TAPPED_METHODS: ReadonlySet<string> = new Set([
  'tools/call',
  'tools/list',
  'prompts/get',
  'prompts/list',
  'resources/read',
]);
const RAW_KEY = 'playbook-mcp/raw-result';

/**
 * Takes results past the SDK, which refuses a whole result for one content block that it does not know, and a whole list for
 * one odd tool. On the way in, a result to one of our requests is put, untouched, inside the smallest result that the SDK
 * accepts; `rawResult` takes it out again. It also spares the SDK from validating megabytes of image.
 */
export class ResultTap {
  readonly #pending = new Set<string | number>();

  /** To be told of each message before it is sent. */
  sent(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message && TAPPED_METHODS.has(message.method)) this.#pending.add(message.id);
    // A cancelled request may never be answered.
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) this.#pending.delete(cancelled);
  }

  /** To be told of a message that is not waited for any more, though nothing was sent to say so. */
  abandoned(message: JSONRPCMessage): void {
    if ('id' in message && message.id !== undefined) this.#pending.delete(message.id);
  }

  /** The message to hand on in place of one that was received. */
  received(message: JSONRPCMessage): JSONRPCMessage {
    if (!('id' in message) || message.id === undefined || 'method' in message) return message;
    if (!this.#pending.delete(message.id) || !('result' in message)) return message;
    const { resultType = 'complete' } = message.result;
    // An unfinished result is the SDK's to carry on with, or to refuse.
    if (resultType !== 'complete') return message;
    const raw = {
      resultType,
      ttlMs: 0,
      cacheScope: 'private',
      content: [],
      tools: [],
      prompts: [],
      messages: [],
      contents: [],
      _meta: { [RAW_KEY]: message.result },
    };
    return { jsonrpc: '2.0', id: message.id, result: raw };
  }
}

/** The id of the request that a message cancels; undefined where it is no cancellation. */
export function cancelledBy(message: JSONRPCMessage): string | number | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined;
  const id = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** The result as the upstream sent it, given what came through the SDK. */
export function rawResult(result: JsonObject): JsonObject {
  const meta = result['_meta'];
  const raw = isJsonObject(meta) ? meta[RAW_KEY] : undefined;
  return isJsonObject(raw) ? raw : result;
}
