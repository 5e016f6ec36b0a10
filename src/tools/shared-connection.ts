import { setTimeout as sleep } from 'node:timers/promises';

import type { Implementation } from '@modelcontextprotocol/client';

import type { UpstreamConfig } from '../config/index.ts';
import { messageOf, type PlaybookError } from '../errors.ts';
import { Backoff } from './backoff.ts';
import { unauthorized, unavailable } from './call-errors.ts';
import { connect } from './connect.ts';
import type { Connection } from './connection.ts';
import type { Era } from './definition-cache.ts';
import type { Log } from './log.ts';
import type { Authorization } from './oauth/authorization.ts';
import { loginNeededIn } from './oauth/login-needed.ts';
import type { GroupGuard } from './process-groups.ts';

const STDERR_TAIL_LINES = 20;
const LONGEST_TAIL_LINE = 500;
/** A first start that fails so soon is tried again within the same call: a port still taken, a file still being written. */
const QUICK_FAILURE_MS = 5000;
const SECOND_TRY_MS = 150;

export type UpstreamState = 'idle' | 'connecting' | 'ready' | 'failed' | 'needs authorization' | 'disabled';

/** Whom the connection of one upstream serves. */
export interface SharedConnectionOptions {
  readonly config: UpstreamConfig;
  readonly guard: GroupGuard;
  readonly clientInfo: Implementation;
  /** How long the handshake may take. */
  readonly connectTimeoutMs: number;
  readonly log: Log;
  /** See `TransportServices`. */
  readonly authorization: Authorization | undefined;
  /** Asked before each attempt: the era that the server is known to speak. */
  readonly knownEra: () => Era | undefined;
  readonly onConnected: () => void;
  /** Somebody must log in, as was not known before. */
  readonly onLoginNeeded: () => void;
  /** See `ConnectOptions`. */
  readonly roots: () => Promise<readonly string[]>;
  readonly onFirstQuestion: () => void;
  /** The server says that it has other tools than before. */
  readonly onToolsChanged: () => void;
}

/** The one connection to an upstream that all calls share: made by the first that needs it, and again after it was lost. */
export class SharedConnection {
  readonly #options: SharedConnectionOptions;
  readonly #backoff = new Backoff();
  readonly #shutdown = new AbortController();
  /** Of the process that was started last. */
  #stderrTail: string[] = [];
  #current: Promise<Connection> | undefined;
  /** What `#current` gave, once it has. */
  #live: Connection | undefined;
  #state: UpstreamState = 'idle';
  #reason: string | undefined;
  /** Why somebody must log in; kept until the server answers something. */
  #loginReason: string | undefined;
  #hasAnswered = false;
  #strayLine: string | undefined;
  #startMs: number | undefined;

  constructor(options: SharedConnectionOptions) {
    this.#options = options;
    if (options.config.disabled === true) this.#state = 'disabled';
  }

  get state(): UpstreamState {
    return this.#loginReason === undefined ? this.#state : 'needs authorization';
  }

  /** Why there is no connection, as the end of a sentence; undefined where there is no reason to tell. */
  get reason(): string | undefined {
    return this.#loginReason ?? this.#reason;
  }

  /** The last lines that the server wrote to stderr since it was started last, oldest first. */
  get stderrTail(): readonly string[] {
    return this.#stderrTail;
  }

  /** The first line that the server wrote to stdout which is no message; undefined where it wrote none. */
  get strayLine(): string | undefined {
    return this.#strayLine;
  }

  /** How long the last start took that succeeded, to the end of the handshake. */
  get startMs(): number | undefined {
    return this.#startMs;
  }

  /** The connection that calls use now; undefined where the next call has to wait for one. */
  get live(): Connection | undefined {
    return this.#live;
  }

  /** The connection, made if there is none; however many wait for it, it is made once. @throws PlaybookError `tools/unavailable`. */
  get(): Promise<Connection> {
    if (this.#current) return this.#current;
    const attempt = this.#open(() => this.#lose(attempt));
    this.#current = attempt;
    attempt.then(this.#options.onConnected, () => this.#forget(attempt));
    return attempt;
  }

  /** To be called when the server has answered anything: only then has its start succeeded. */
  noteAnswer(): void {
    this.#hasAnswered = true;
    this.#loginReason = undefined;
    this.#backoff.succeeded();
  }

  /** To be called when the server wants somebody to log in, who is told by the error that this gives. */
  noteLoginNeeded(needed: Error): PlaybookError {
    const { log, config } = this.#options;
    if (this.#live === undefined) this.#state = 'idle';
    const isNews = this.#loginReason === undefined;
    this.#loginReason = `${needed.message}: log in with \`playbook-mcp tools login ${config.name}\``;
    log('info', `cannot be used: ${this.#loginReason}`, { server: config.name });
    if (isNews) this.#options.onLoginNeeded();
    return unauthorized(config.name, needed);
  }

  /** Gives up a connection that does not work any more; the next `get` makes a new one. */
  async discard(connection: Connection): Promise<void> {
    if (this.#live === connection && this.#current) this.#lose(this.#current);
    await connection.close();
  }

  /** Ends the server's processes until the next `get`. */
  async rest(): Promise<void> {
    const connection = this.#live;
    if (connection === undefined || this.#current === undefined) return;
    this.#forget(this.#current);
    this.#state = 'idle';
    await connection.close();
  }

  /** Ends the server's processes, and an attempt to start them. */
  async close(): Promise<void> {
    this.#shutdown.abort();
    const [settled] = await Promise.allSettled([this.#current]);
    if (settled.status === 'fulfilled') await settled.value?.close();
  }

  async #open(onClosed: () => void): Promise<Connection> {
    const { config, log } = this.#options;
    const server = config.name;
    this.#refuseIfEarly();
    this.#state = 'connecting';
    this.#hasAnswered = false;
    try {
      const connection = await this.#connect(onClosed);
      this.#live = connection;
      this.#state = 'ready';
      this.#reason = undefined;
      return connection;
    } catch (error) {
      const needed = this.#options.authorization && loginNeededIn(error);
      if (needed) throw this.noteLoginNeeded(needed);
      this.#backoff.failed();
      this.#state = 'failed';
      this.#reason = messageOf(error) + this.#lastWords();
      log('warn', `cannot be used: ${this.#reason}`, { server });
      throw unavailable(server, this.#reason, error);
    }
  }

  async #connect(onClosed: () => void): Promise<Connection> {
    const began = performance.now();
    try {
      return await this.#connectOnce(onClosed);
    } catch (error) {
      const isQuick = performance.now() - began < QUICK_FAILURE_MS;
      const isFinal =
        this.#shutdown.signal.aborted || (this.#options.authorization && loginNeededIn(error)) !== undefined;
      if (this.#backoff.hasFailed || isFinal || !isQuick) throw error;
      await sleep(SECOND_TRY_MS * (1 + Math.random()));
      return this.#connectOnce(onClosed);
    }
  }

  async #connectOnce(onClosed: () => void): Promise<Connection> {
    const { knownEra, connectTimeoutMs, onConnected: _, ...options } = this.#options;
    const began = performance.now();
    const tail: string[] = [];
    this.#stderrTail = tail;
    const connection = await connect({
      ...options,
      era: knownEra(),
      timeoutMs: connectTimeoutMs,
      signal: this.#shutdown.signal,
      onStderrLine: (line) => this.#keepStderr(line, tail),
      onStrayLine: (line) => this.#keepStray(line),
      onClosed,
    });
    this.#startMs = performance.now() - began;
    return connection;
  }

  #refuseIfEarly(): void {
    const server = this.#options.config.name;
    if (this.#shutdown.signal.aborted) throw unavailable(server, 'it is being shut down');
    const waitSeconds = Math.ceil(this.#backoff.waitMs / 1000);
    if (waitSeconds > 0)
      throw unavailable(server, `${this.#reason}; it is started again at a call in ${waitSeconds} s or later`);
  }

  #lose(attempt: Promise<Connection>): void {
    if (!this.#forget(attempt)) return;
    this.#state = 'idle';
    if (this.#shutdown.signal.aborted) return;
    this.#reason = `the connection was lost${this.#lastWords()}`;
    if (!this.#hasAnswered) this.#backoff.failed();
    this.#options.log('warn', this.#reason, { server: this.#options.config.name });
  }

  #forget(attempt: Promise<Connection>): boolean {
    if (this.#current !== attempt) return false;
    this.#current = undefined;
    this.#live = undefined;
    return true;
  }

  #keepStderr(line: string, tail: string[]): void {
    tail.push(line.slice(0, LONGEST_TAIL_LINE));
    if (tail.length > STDERR_TAIL_LINES) tail.shift();
    this.#options.log('info', line, { server: this.#options.config.name, stream: 'stderr' });
  }

  #keepStray(line: string): void {
    this.#strayLine ??= line.slice(0, LONGEST_TAIL_LINE);
    this.#options.log('warn', line, { server: this.#options.config.name, stream: 'stdout' });
  }

  /** The line of stderr that most likely tells why: the last is often a stack frame, or the version of Node. */
  #lastWords(): string {
    const line =
      this.#stderrTail.findLast((candidate) => /error|fatal|panic|exception/i.test(candidate)) ??
      this.#stderrTail.at(-1);
    return line === undefined ? '' : `; it said: ${line.trim()}`;
  }
}
