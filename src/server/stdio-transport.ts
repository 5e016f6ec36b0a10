import { PassThrough } from 'node:stream';
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** Held open until the connection ends, so nobody waits for its answer. */
const ENDLESS_METHOD = 'subscriptions/listen';

/**
 * The process's stdin and stdout, knowing which requests are not answered yet: a shell that pipes requests in and closes
 * the pipe still gets its answers.
 */
export class OwingStdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  /** Never ends by itself: the SDK would drop what is running as soon as the client has said its last word. */
  readonly #stdin = new PassThrough();
  readonly #wire = new StdioServerTransport(this.#stdin);
  readonly #owed = new Set<RequestId>();
  #onPaid: (() => void) | undefined;

  async start(): Promise<void> {
    this.#wire.onclose = () => {
      this.#owed.clear();
      this.#onPaid?.();
      this.onclose?.();
    };
    this.#wire.onerror = (error) => this.onerror?.(error);
    this.#wire.onmessage = (message) => {
      this.#note(message);
      this.onmessage?.(message);
    };
    await this.#wire.start();
    process.stdin.pipe(this.#stdin, { end: false });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#wire.send(message);
    if (!('method' in message) && message.id !== undefined) this.#pay(message.id);
  }

  async close(): Promise<void> {
    process.stdin.unpipe(this.#stdin);
    await this.#wire.close();
  }

  /** Resolves when every request that has arrived is answered or cancelled. */
  async settled(): Promise<void> {
    if (this.#owed.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onPaid = resolve;
    });
  }

  #note(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message) && message.method !== ENDLESS_METHOD) this.#owed.add(message.id);
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      const cancelled = message.params?.['requestId'];
      if (typeof cancelled === 'string' || typeof cancelled === 'number') this.#pay(cancelled);
    }
  }

  #pay(id: RequestId): void {
    this.#owed.delete(id);
    if (this.#owed.size === 0) this.#onPaid?.();
  }
}
