import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { envelope, handshake, parameters, type StartOptions } from './product.ts';

type Caller = '2025' | '2026-07-28';

/** A message from the product. */
export interface Received {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>> & { readonly content?: readonly { readonly text?: string }[] };
  readonly error?: { readonly message: string };
}

/** A client without an SDK, of either era: for what an official client decides by itself, such as when to cancel. */
export class BareClient {
  readonly child: ChildProcessWithoutNullStreams;
  /** Told every request and notification of the product. */
  onRequest: (message: Received) => void = () => undefined;
  readonly #caller: Caller;
  readonly #waiting = new Map<number | string, (answer: Received) => void>();
  readonly #exited: Promise<unknown[]>;
  #stderr = '';
  #lastId = 10;

  /** Starts the product, and ends it with the test. */
  constructor(caller: Caller, options: StartOptions) {
    this.#caller = caller;
    const { command, args, cwd, env } = parameters(options);
    this.child = spawn(command, args, { cwd, env });
    this.#exited = once(this.child, 'close');
    onTestFinished(() => void this.child.kill('SIGKILL'));
    this.child.stdin.on('error', () => undefined);
    this.child.stderr.on('data', (chunk: Buffer) => (this.#stderr += String(chunk)));
    createInterface({ input: this.child.stdout }).on('line', (line) => this.#receive(JSON.parse(line) as Received));
    const capabilities = { elicitation: { form: {} } };
    const [initialize, initialized] = handshake;
    if (caller === '2025') {
      this.send({ ...initialize, params: { ...initialize!.params, capabilities } });
      this.send({ ...initialized });
    }
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Sends an `execute`. @returns its id, and its answer, which a cancelled call may never have. */
  execute(id: string, args: object, more: object = {}): { readonly id: number; readonly answer: Promise<Received> } {
    this.#lastId += 1;
    const requestId = this.#lastId;
    const answer = new Promise<Received>((resolve) => this.#waiting.set(requestId, resolve));
    const meta = { progressToken: requestId, ...this.#envelope() };
    const params = { name: 'execute', arguments: { id, arguments: args }, _meta: meta, ...more };
    this.send({ id: requestId, method: 'tools/call', params });
    return { id: requestId, answer };
  }

  cancel(requestId: number): void {
    const meta = this.#caller === '2025' ? {} : { _meta: this.#envelope() };
    this.send({ method: 'notifications/cancelled', params: { requestId, reason: 'changed my mind', ...meta } });
  }

  send(message: object): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Closes stdin and gives the exit code. */
  async end(): Promise<unknown> {
    this.child.stdin.end();
    return (await this.#exited)[0];
  }

  #envelope(): object {
    if (this.#caller === '2025') return {};
    return { ...envelope, 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } };
  }

  #receive(message: Received): void {
    if (message.method !== undefined) return this.onRequest(message);
    const resolve = this.#waiting.get(message.id ?? '');
    this.#waiting.delete(message.id ?? '');
    resolve?.(message);
  }
}
