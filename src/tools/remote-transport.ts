/* oxlint-disable unicorn/prefer-add-event-listener -- a transport of the SDK is no event target */
import { setTimeout as sleep } from 'node:timers/promises';

import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';

import { cancelledBy, ResultTap } from './result-tap.ts';

const FAREWELL_MS = 1000;
/** How long a cancellation waits for what it cancels: a server that answers without a stream says nothing before the result. */
const OVERTAKING_MS = 250;

/** A transport of the SDK, as far as it is wrapped here. */
export interface RemoteInner extends Transport {
  /** Tells the server that its session is over. */
  terminateSession?(): Promise<void>;
}

/** A connection over HTTP by a transport of the SDK, whose results are taken past the SDK's validation. */
export class RemoteTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];

  readonly #inner: RemoteInner;
  readonly #tap = new ResultTap();
  /** Requests that the server has not begun to answer, each until it has. */
  readonly #underway = new Map<string | number, Promise<void>>();

  constructor(inner: RemoteInner) {
    this.#inner = inner;
    inner.onmessage = (message, extra) => this.onmessage?.(this.#tap.received(message), extra);
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => this.onerror?.(error);
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream === true;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#inner.setSupportedProtocolVersions?.(versions);
  }

  async start(): Promise<void> {
    await this.#inner.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.#tap.sent(message);
    const abandon = (): void => this.#tap.abandoned(message);
    // Since 2026-07-28 the end of its stream cancels a request.
    options?.requestSignal?.addEventListener('abort', abandon, { once: true });
    try {
      await this.#send(message, options);
    } catch (error) {
      abandon();
      throw error;
    }
  }

  /** Each message is an HTTP request of its own: a cancellation that came before the call would cancel nothing. */
  async #send(message: JSONRPCMessage, options: TransportSendOptions | undefined): Promise<void> {
    if (!('method' in message)) return this.#inner.send(message, options);
    if ('id' in message) {
      const sending = this.#inner.send(message, options);
      this.#underway.set(message.id, sending);
      return sending.finally(() => this.#underway.delete(message.id));
    }
    const cancelled = cancelledBy(message);
    const before = cancelled === undefined ? undefined : this.#underway.get(cancelled);
    if (before !== undefined) {
      await Promise.race([Promise.allSettled([before]), sleep(OVERTAKING_MS, undefined, { ref: false })]);
    }
    return this.#inner.send(message, options);
  }

  /** Tells the server that the session is over, where it has one, without waiting long for an answer. */
  async close(): Promise<void> {
    // A server that is gone cannot be told; the SDK has reported it to `onerror`.
    const told = this.#inner.terminateSession?.().catch(() => undefined);
    await Promise.race([told, sleep(FAREWELL_MS, undefined, { ref: false })]);
    await this.#inner.close();
  }
}
