import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

import { messageOf } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../model.ts';
import { DirectRequests } from './direct-requests.ts';
import { LineReader } from './line-reader.ts';
import { LineWriter } from './line-writer.ts';
import type { GroupGuard } from './process-groups.ts';
import { endGroup } from './process-groups.ts';
import { ResultTap } from './result-tap.ts';

/** How long each step of ending a server may take: closing its stdin, then SIGTERM. */
const GRACE_MS = 1500;
/** Output of a process that has ended is in the pipe already; a grandchild may hold that open for ever. */
const DRAIN_MS = 500;

/** How to start a server, and whom to tell what it says besides the protocol. */
export interface StdioTransportOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly guard: GroupGuard;
  readonly onStderrLine: (line: string) => void;
  /** A line on stdout that is not a message of the protocol. */
  readonly onStrayLine: (line: string) => void;
}

/**
 * A connection to a server that is a child process in a process group of its own. Closing it ends the whole group: stdin is
 * closed, then comes SIGTERM, then SIGKILL; `npx` and `uvx` leave grandchildren that a signal to the child would miss.
 *
 * The SDK tells a stdio transport by its `pid` and `stderr`, and asks a foreign one for its era on this one process.
 */
export class StdioTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];

  /** Calls that need nothing of the SDK's client. */
  readonly direct: DirectRequests = new DirectRequests((message) => this.#write(message));

  readonly #options: StdioTransportOptions;
  readonly #tap = new ResultTap();
  readonly #stdout = new LineReader((line) => this.#receive(line));
  readonly #stderr = new LineReader((line) => this.#options.onStderrLine(line));
  #child: ChildProcessWithoutNullStreams | undefined;
  #stdin: LineWriter | undefined;
  #exit: string | undefined;
  /** Settles when the process is gone and `onclose` was told. */
  #gone: Promise<void> | undefined;
  #ending: Promise<void> | undefined;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get stderr(): null {
    return null;
  }

  /** How the process ended by itself, such as `exited with code 1`; undefined while it runs, or when it was closed. */
  get exit(): string | undefined {
    return this.#exit;
  }

  /** Starts the process. @throws the system's error where it cannot be started. */
  async start(): Promise<void> {
    const { command, args, env, cwd, guard } = this.#options;
    const detached = process.platform !== 'win32';
    const child = spawn(command, args, { env, cwd, stdio: 'pipe', detached, windowsHide: true });
    this.#child = child;
    this.#stdin = new LineWriter(child.stdin);
    if (child.pid !== undefined) guard.add(child.pid);
    child.stdout.on('data', (chunk: Buffer) => this.#read(this.#stdout, chunk));
    child.stderr.on('data', (chunk: Buffer) => this.#read(this.#stderr, chunk));
    child.stdin.once('error', () => void this.#giveUp());
    for (const stream of child.stdio) stream?.on('error', (error) => this.onerror?.(error));
    this.#gone = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        if (!this.#ending) this.#exit = signal ? `was ended by ${signal}` : `exited with code ${code}`;
        resolve(this.#afterExit(child));
      });
    });
    await once(child, 'spawn');
    child.on('error', (error) => this.onerror?.(error));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#tap.sent(message);
    await this.#write(message);
  }

  /**
   * Waits a moment for a process that no longer listens to end by itself: how it ended is a better reason than the write
   * that failed a millisecond before.
   */
  async lastMoment(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || child.stdin.writable || this.#exit !== undefined) return;
    await Promise.race([once(child, 'exit'), sleep(DRAIN_MS)]);
  }

  /** Ends the process and all that it has started; resolves when they are gone. */
  async close(): Promise<void> {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    this.#child?.stdin.end();
    await this.#end(pid);
    await this.#gone;
  }

  /** A process that lives on and takes no more requests answers none: calls need not wait for their time to be up. */
  async #giveUp(): Promise<void> {
    await this.lastMoment();
    if (this.#exit === undefined) this.direct.end('the server has closed its stdin');
  }

  async #afterExit(child: ChildProcessWithoutNullStreams): Promise<void> {
    await Promise.race([once(child, 'close'), sleep(DRAIN_MS, undefined, { ref: false })]);
    this.#stdout.flush();
    this.#stderr.flush();
    for (const stream of child.stdio) stream?.destroy();
    this.direct.end(this.#exit === undefined ? 'it was closed' : `the server ${this.#exit}`);
    this.onclose?.();
    if (child.pid !== undefined) await this.#end(child.pid);
  }

  async #write(message: JSONRPCMessage): Promise<void> {
    if (this.#child?.stdin.writable !== true)
      throw new Error(this.#exit === undefined ? 'not connected' : `the server ${this.#exit}`);
    await this.#stdin?.write(JSON.stringify(message));
  }

  #end(pid: number): Promise<void> {
    this.#ending ??= endGroup(pid, GRACE_MS).finally(() => this.#options.guard.remove(pid));
    return this.#ending;
  }

  #read(reader: LineReader, chunk: Buffer): void {
    try {
      reader.push(chunk);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(messageOf(error)));
      void this.close();
    }
  }

  #receive(line: string): void {
    const message = parseMessage(line);
    if (message !== undefined && this.direct.take(message)) return;
    if (isMessage(message)) this.onmessage?.(this.#tap.received(message));
    else if (line.trim() !== '') this.#options.onStrayLine(line);
  }
}

function parseMessage(line: string): JsonObject | undefined {
  // Most stray output is plain text, and raising a SyntaxError for every line of a chatty server is slow.
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) && value['jsonrpc'] === '2.0' ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Only what tells a message from other JSON: the SDK checks the rest, and would otherwise do so twice. */
function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isJsonObject(value)) return false;
  return typeof value['method'] === 'string' || isJsonObject(value['result']) || isJsonObject(value['error']);
}
