import { setTimeout as sleep } from 'node:timers/promises';

import { type DiscoverResult, isSpecType, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';

import type { StdioTransport } from './stdio-transport.ts';

/**
 * A server's process as one client has it: a client that gives up closes its lease, and the process goes on for another. Keeps
 * the answer to `server/discover`, also one that comes after the client has ceased to wait for it.
 */
export class TransportLease implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];

  readonly #inner: StdioTransport;
  readonly #isStarted: boolean;
  #asked: string | number | undefined;
  #discovered: DiscoverResult | undefined;
  readonly #answered: Promise<void>;
  #onAnswered = (): void => undefined;

  /** @param isStarted where another client has had the process before. */
  constructor(inner: StdioTransport, isStarted = false) {
    this.#inner = inner;
    this.#isStarted = isStarted;
    this.#answered = new Promise((resolve) => {
      this.#onAnswered = resolve;
    });
    inner.onmessage = (message, extra) => {
      this.#note(message);
      this.onmessage?.(message, extra);
    };
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => this.onerror?.(error);
  }

  /** Tells the SDK, with `stderr`, that this is stdio. */
  get pid(): number | null {
    return this.#inner.pid;
  }

  get stderr(): null {
    return null;
  }

  /** What the server has answered to `server/discover`; undefined where it has refused, or not answered yet. */
  get discovered(): DiscoverResult | undefined {
    return this.#discovered;
  }

  async start(): Promise<void> {
    if (!this.#isStarted) await this.#inner.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message && 'id' in message && message.method === 'server/discover') this.#asked = message.id;
    await this.#inner.send(message);
  }

  /** Leaves the process to whoever has opened it. */
  async close(): Promise<void> {}

  /** Waits for the answer to `server/discover`, whatever it is, and no longer than that. */
  async answered(longestMs: number): Promise<void> {
    await Promise.race([this.#answered, sleep(longestMs, undefined, { ref: false })]);
  }

  #note(message: JSONRPCMessage): void {
    if (this.#asked === undefined || 'method' in message || message.id !== this.#asked) return;
    if ('result' in message && isSpecType.DiscoverResult(message.result)) this.#discovered = message.result;
    this.#onAnswered();
  }
}
