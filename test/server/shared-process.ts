import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { atFileEnd } from '../file-ends.ts';

interface Start {
  readonly bin: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

let shared: ChildProcess | undefined;
let count = 0;

/** The process that runs all starts of a file of tests: to start one and load the code takes ten times as long as what most tests ask of it. */
function sharedProcess(bin: string): ChildProcess {
  if (shared !== undefined) return shared;
  const child = fork(new URL('shared-process.mjs', import.meta.url), [bin], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  shared = child;
  atFileEnd(async () => {
    shared = undefined;
    const exited = once(child, 'exit');
    child.disconnect();
    await exited;
  });
  return child;
}

/** A start of the built product in the shared process, as clients of the SDKs see one over stdio. */
export class SharedStart implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly #start: Start;
  #socket: Socket | undefined;

  constructor(start: Start) {
    this.#start = start;
  }

  async start(): Promise<void> {
    const { bin, ...start } = this.#start;
    count += 1;
    const address = join(tmpdir(), `start-${process.pid}-${count}`);
    const server = createServer({ allowHalfOpen: true }).listen(address);
    await once(server, 'listening');
    const connected = once(server, 'connection') as Promise<[Socket]>;
    sharedProcess(bin).send({ ...start, address });
    const [socket] = await connected;
    server.close();
    this.#socket = socket;
    socket.on('error', (error) => this.onerror?.(error));
    socket.once('close', () => this.onclose?.());
    createInterface({ input: socket }).on('line', (line) => this.onmessage?.(JSON.parse(line) as JSONRPCMessage));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#socket?.write(`${JSON.stringify(message)}\n`);
  }

  /** Closes stdin. Resolves when the product has ended. */
  async close(): Promise<void> {
    const socket = this.#socket;
    if (socket === undefined || socket.closed) return;
    const closed = once(socket, 'close');
    socket.end();
    await closed;
  }
}
