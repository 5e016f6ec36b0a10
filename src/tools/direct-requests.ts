import type { JSONRPCMessage } from '@modelcontextprotocol/client';

import { isJsonObject, type JsonObject } from '../model.ts';
import type { Cancellation } from './deadline.ts';

/** The SDK counts from 0 on the same connection; a few servers keep ids in 32 bits. */
const FIRST_ID = 1_000_000_000;
/** Characters of an answer that is none. */
const LONGEST_SHOWN = 500;

interface Waiting extends Pick<DirectRequest, 'cancellation'> {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: unknown) => void;
}

/** A request as it goes out, less what every one has. */
export interface DirectRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly cancellation: Omit<Cancellation, 'signal'>;
  /** What the era of the connection wants in the `_meta` of each message; undefined where that is nothing. */
  readonly envelope: JsonObject | undefined;
}

/**
 * Calls that share a connection with the SDK's client but go past it. All we take from it in a call is that it matches answers
 * to requests, and for that it validates each message several times: a third of what a gateway costs.
 */
export class DirectRequests {
  readonly #send: (message: JSONRPCMessage) => Promise<void>;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = FIRST_ID;

  constructor(send: (message: JSONRPCMessage) => Promise<void>) {
    this.#send = send;
  }

  /**
   * Sends a request, and a cancellation when that comes.
   *
   * @returns the result as it came, whatever its `resultType`.
   * @throws ProtocolError of the SDK, as the server answered, and its SdkError for an answer of no known form; the reason of the
   * cancellation; an Error where the connection ends.
   */
  request(request: DirectRequest): Promise<JsonObject> {
    const { method, params, cancellation, envelope } = request;
    return new Promise((resolve, reject) => {
      if (cancellation.isCancelled) {
        reject(cancellation.reason);
        return;
      }
      const id = this.#nextId;
      this.#nextId += 1;
      this.#waiting.set(id, { resolve, reject, cancellation });
      cancellation.onCancelled = () => {
        this.#settled(id)?.reject(cancellation.reason);
        this.#cancel(id, request);
      };
      this.#send({ jsonrpc: '2.0', id, method, params: inEnvelope(params, envelope) }).catch((error: unknown) => {
        this.#settled(id)?.reject(error);
      });
    });
  }

  /** Takes an answer to one of these requests. @returns whether it was one. */
  take({ id, method, result, error }: JsonObject): boolean {
    if (method !== undefined || typeof id !== 'number' || id < FIRST_ID) return false;
    const waiting = this.#settled(id);
    if (waiting === undefined) {
      // The answer to what was cancelled meanwhile; or, of an id that was never given out, nobody's.
      return id < this.#nextId;
    }
    if (isJsonObject(result)) waiting.resolve(result);
    else void rejectWith(waiting, { result, error });
    return true;
  }

  /** The connection has ended. @param reason ends the sentence "The connection was lost: …". */
  end(reason: string): void {
    for (const id of this.#waiting.keys()) this.#settled(id)?.reject(new Error(reason));
  }

  /** A request that is about to be settled, and waits no more; undefined where it was before. */
  #settled(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiting !== undefined) waiting.cancellation.onCancelled = undefined;
    return waiting;
  }

  #cancel(id: number, { cancellation, envelope }: DirectRequest): void {
    const params = inEnvelope({ requestId: id, reason: String(cancellation.reason) }, envelope);
    // A connection that cannot be written to has nobody who could go on with the call.
    this.#send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch(() => undefined);
  }
}

/** With the error as the server answered it; an answer of no form that the protocol knows is told as it is. */
async function rejectWith({ reject }: Waiting, { result, error }: JsonObject): Promise<void> {
  // Loaded long since, by whoever has connected.
  const { ProtocolError, SdkError, SdkErrorCode } = await import('@modelcontextprotocol/client');
  if (isJsonObject(error) && typeof error['code'] === 'number' && typeof error['message'] === 'string') {
    reject(ProtocolError.fromError(error['code'], error['message'], error['data']));
    return;
  }
  const what = error === undefined ? `a result that is no object: ${shown(result)}` : shown(error);
  reject(new SdkError(SdkErrorCode.InvalidResult, what));
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, LONGEST_SHOWN);
}

function inEnvelope(params: JsonObject, envelope: JsonObject | undefined): Record<string, unknown> {
  if (envelope === undefined) return { ...params };
  const meta = params['_meta'];
  return { ...params, _meta: { ...envelope, ...(isJsonObject(meta) && meta) } };
}
