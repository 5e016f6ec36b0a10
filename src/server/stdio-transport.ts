import { type JSONRPCMessage, parseJSONRPCMessage, type RequestId, type Transport } from '@modelcontextprotocol/server';
import { messageOf } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../model.ts';
import { LineReader } from '../tools/line-reader.ts';
import { LineWriter } from '../tools/line-writer.ts';

/** Held open until the connection ends, so nobody waits for its answer. */
const ENDLESS_METHOD = 'subscriptions/listen';

/**
 * The process's stdin and stdout, knowing which requests are not answered yet: a shell that pipes requests in and closes
 * the pipe still gets its answers, where the SDK's transport drops what is running when stdin ends. It also costs less: a
 * message is checked by the SDK's schemas once, by the instance that it reaches, and answers are written together.
 */
export class OwingStdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  /** Told which request the client cancels, one that has been answered as well: the SDK forgets those. */
  oncancelled?: (id: RequestId) => void;
  readonly #reader = new LineReader((line) => this.#receive(line));
  readonly #writer = new LineWriter(process.stdout);
  readonly #owed = new Set<RequestId>();
  #onPaid: (() => void) | undefined;
  #isClosed = false;
  #onClosed = (): void => undefined;
  /** Resolves when nothing is read or written any more, as after an output that nobody reads. */
  readonly closed: Promise<void> = new Promise((resolve) => {
    this.#onClosed = resolve;
  });

  readonly #onData = (chunk: Buffer): void => {
    try {
      this.#reader.push(chunk);
    } catch (error) {
      this.#fail(error);
    }
  };
  readonly #onInputError = (error: Error): void => this.onerror?.(error);
  readonly #onOutputError = (error: Error): void => this.#fail(error);

  start(): Promise<void> {
    process.stdin.on('data', this.#onData);
    process.stdin.on('error', this.#onInputError);
    process.stdout.on('error', this.#onOutputError);
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error('The connection is closed.');
    await this.#writer.write(JSON.stringify(message));
    if (!('method' in message) && message.id !== undefined) this.#pay(message.id);
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    process.stdin.off('data', this.#onData);
    process.stdin.off('error', this.#onInputError);
    process.stdout.off('error', this.#onOutputError);
    process.stdin.pause();
    this.#owed.clear();
    this.#onPaid?.();
    this.onclose?.();
    this.#onClosed();
    return Promise.resolve();
  }

  /** Resolves when every request that has arrived is answered or cancelled. */
  async settled(): Promise<void> {
    if (this.#owed.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onPaid = resolve;
    });
  }

  #receive(line: string): void {
    let message: JSONRPCMessage;
    try {
      const value: unknown = JSON.parse(line);
      message = isPlainRequest(value) ? value : parseJSONRPCMessage(value);
    } catch (error) {
      // What is no JSON is passed over, as by the SDK: debug output of a wrapper, an empty line.
      if (!(error instanceof SyntaxError)) this.onerror?.(toError(error));
      return;
    }
    this.#note(message);
    this.onmessage?.(message);
  }

  #fail(error: unknown): void {
    this.onerror?.(toError(error));
    void this.close();
  }

  #note(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message && message.method !== ENDLESS_METHOD) this.#owed.add(message.id);
    if (message.method !== 'notifications/cancelled') return;
    const cancelled = message.params?.['requestId'];
    if (typeof cancelled !== 'string' && typeof cancelled !== 'number') return;
    this.#pay(cancelled);
    this.oncancelled?.(cancelled);
  }

  #pay(id: RequestId): void {
    this.#owed.delete(id);
    if (this.#owed.size === 0) this.#onPaid?.();
  }
}

/** Whether a value is a request in its usual form, which the SDK's schema for all messages would let through as it is. */
function isPlainRequest(value: unknown): value is JSONRPCMessage {
  if (!isJsonObject(value)) return false;
  const { jsonrpc, id, method, params, ...others } = value;
  const hasId = typeof id === 'string' || Number.isSafeInteger(id);
  if (jsonrpc !== '2.0' || !hasId || typeof method !== 'string' || !isJsonObject(params)) return false;
  const meta = params['_meta'];
  if (meta !== undefined && !(isJsonObject(meta) && isPlainMeta(meta))) return false;
  return Object.keys(others).length === 0;
}

/** Without what has a form of its own in the schema, but for the token that most requests bring. */
function isPlainMeta({ progressToken, 'io.modelcontextprotocol/related-task': task }: JsonObject): boolean {
  const isToken =
    progressToken === undefined || typeof progressToken === 'string' || Number.isSafeInteger(progressToken);
  return isToken && task === undefined;
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(messageOf(error));
}
