import { setTimeout as sleep } from 'node:timers/promises';

import type { Implementation } from '@modelcontextprotocol/client';

import type { UpstreamConfig } from '../config/index.ts';
import { messageOf } from '../errors.ts';
import type { JsonObject } from '../model.ts';
import { Activity } from './activity.ts';
import { cancelled, connectionLost, heldUp, kindOfFailure, refused, timedOut, unavailable } from './call-errors.ts';
import { configuredRoots } from './configured-roots.ts';
import { connectionKeyOf } from './connection-key.ts';
import type { Connection } from './connection.ts';
import { DECLARED_CAPABILITIES } from './declared-capabilities.ts';
import { Deadline, orAborted } from './deadline.ts';
import { type CachedDefinitions, cacheKeyOf, type DefinitionCache, type Era } from './definition-cache.ts';
import { digestOf } from './json.ts';
import { listPrimitives } from './list-primitives.ts';
import type { Log } from './log.ts';
import { type Authorization, authorizationFor } from './oauth/authorization.ts';
import type { Credentials } from './oauth/credentials.ts';
import { loginNeededIn } from './oauth/login-needed.ts';
import type { GroupGuard } from './process-groups.ts';
import { promptToResult } from './prompts.ts';
import { Paced } from './paced.ts';
import type { CallOptions } from './provider.ts';
import { SharedConnection } from './shared-connection.ts';
import { Turns } from './turns.ts';
import { toConnectionCall, type UpstreamCall } from './upstream-call.ts';
import type { UpstreamStatus } from './upstream-status.ts';

/** A server that was upgraded still answers the old handshake, so a legacy verdict must not live for ever. */
const LEGACY_VERDICT_MS = 7 * 24 * 60 * 60 * 1000;

/** A call waits so long for the first listing of a connection; a server that is slower to list is called by what the cache knows. */
const LISTING_WAIT_MS = 5000;
/** A server that says that its tools have changed is not listed sooner than this after the last time. */
const RELIST_MS = 1000;
/** Calls in flight on a server that has left the configuration may finish for this long. */
const RETIRE_MS = 30_000;
/** A start that takes longer is worth a word: agents wait for it. */
const SLOW_START_MS = 5000;

/** What all upstreams share. */
export interface UpstreamServices {
  readonly cache: DefinitionCache;
  readonly guard: GroupGuard;
  readonly clientInfo: Implementation;
  readonly connectTimeoutMs: number;
  readonly credentials: Credentials;
  /** See `UpstreamsOptions`. */
  readonly roots: () => Promise<readonly string[]>;
  readonly log: Log;
  /** Told when the definitions of a server are other than before. */
  readonly onChange: (server: string) => void;
}

/** One upstream: its tools as last listed, and calls to them. */
export class Upstream {
  readonly #services: UpstreamServices;
  readonly #cacheKey: string;
  readonly #shared: SharedConnection;
  readonly #activity: Activity;
  /** Undefined where nobody can log in. */
  readonly authorization: Authorization | undefined;
  #config: UpstreamConfig;
  #known: CachedDefinitions | undefined;
  /** The connection whose listing we have, or which did not list. */
  #listedOn: Connection | undefined;
  #refreshing: Promise<void> | undefined;
  #isStale = false;
  /** Some servers tell of a change each time they are listed. The next connection is listed in any case. */
  readonly #relisting = new Paced(() => this.#shared.live && this.#refreshLater(), RELIST_MS);
  readonly #turns = new Turns();
  /** Of the call that has the turn, or had it last. */
  #turn: Deadline | undefined;
  /** What nobody waits for is told to the log. */
  readonly #note = (error: unknown): void =>
    this.#services.log('debug', messageOf(error), { server: this.config.name });
  #hasAsked = false;
  #configuredRoots: readonly string[] | undefined;
  #listingProblem: string | undefined;

  /** Reads what the cache knows; starts nothing. */
  constructor(config: UpstreamConfig, services: UpstreamServices) {
    const { guard, clientInfo, connectTimeoutMs, log, cache, roots } = services;
    this.#config = config;
    this.#services = services;
    this.#cacheKey = cacheKeyOf(config, DECLARED_CAPABILITIES);
    this.#known = cache.read(this.#cacheKey);
    this.#hasAsked = this.#known?.hasAsked === true;
    this.authorization = authorizationFor(config, services.credentials);
    this.#shared = new SharedConnection({
      config,
      authorization: this.authorization,
      guard,
      clientInfo,
      connectTimeoutMs,
      log,
      roots: () => this.#rootsOr(roots),
      onFirstQuestion: () => this.#noteQuestion(),
      knownEra: () => this.#knownEra(),
      // What the cache told may be out of date: every start is an occasion to look.
      onConnected: () => this.#refreshLater(),
      onToolsChanged: () => this.#relisting.ask(),
      onLoginNeeded: () => services.onChange(config.name),
    });
    this.#activity = new Activity(
      () => this.#config.idleStopMs,
      () => this.#stopIdle(),
    );
  }

  get config(): UpstreamConfig {
    return this.#config;
  }

  /** Whether its tools are known as they are on the connection that a call would use. */
  get isPrepared(): boolean {
    return this.#listedOn !== undefined && this.#shared.live === this.#listedOn;
  }

  /** Takes a configuration over that is other only in what needs no other connection. @returns false where it needs one. */
  adopt(config: UpstreamConfig): boolean {
    if (connectionKeyOf(config) !== connectionKeyOf(this.#config)) return false;
    this.#config = config;
    return true;
  }

  /** Takes over what another process of the same server has listed. */
  learnFrom({ known }: Upstream): void {
    if (known === undefined) return;
    this.#known = known;
    this.#services.onChange(this.config.name);
  }

  get status(): UpstreamStatus {
    const { state, stderrTail } = this.#shared;
    const reason = this.#shared.reason ?? this.#listingProblem;
    const notes = this.#notes();
    return {
      name: this.config.name,
      state,
      ...(reason !== undefined && { reason }),
      ...(this.#known && { toolCount: this.#known.definitions.length, era: this.#known.era }),
      ...(notes.length > 0 && { notes }),
      ...(stderrTail.length > 0 && { stderrTail: [...stderrTail] }),
    };
  }

  /** What was last learnt of it; undefined where it was never listed. */
  get known(): CachedDefinitions | undefined {
    return this.#known;
  }

  /** Connects where there is no connection, and lists its tools anew. @throws PlaybookError `tools/unavailable`. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#activity
      .during(() => this.#refresh())
      .finally(() => {
        this.#refreshing = undefined;
      });
    return this.#refreshing;
  }

  /** The upstream's own result. @throws PlaybookError `tools/unavailable`, `tools/timeout`, `tools/failed`, `tools/cancelled`. */
  call(tool: string, args: JsonObject, options: CallOptions): Promise<JsonObject> {
    const params = { name: tool, arguments: args };
    return this.#call({ method: 'tools/call', params, tool, options, mayRetry: true });
  }

  /** A prompt's text as the result of a tool. @throws as `call`. */
  async getPrompt(name: string, args: JsonObject, options: CallOptions): Promise<JsonObject> {
    const params = { name, arguments: args };
    const result = await this.#call({ method: 'prompts/get', params, tool: name, options, mayRetry: true });
    return result['resultType'] === 'input_required' ? result : promptToResult(result);
  }

  /** A `resources/read` result. @throws as `call`. */
  readResource(uri: string, options: CallOptions): Promise<JsonObject> {
    return this.#call({ method: 'resources/read', params: { uri }, tool: uri, options, mayRetry: true });
  }

  /**
   * Connects where there is no connection, and waits for the first listing of it: what is called may be other than what the
   * cache knows. A server that does not list in time is taken as it is known.
   * @throws PlaybookError `tools/unavailable`, `tools/cancelled`.
   */
  async prepare(tool: string, options: CallOptions): Promise<void> {
    await this.#activity.during(async () => {
      await this.#connectionFor({ tool, options });
      if (this.isPrepared) return;
      const given = AbortSignal.any([
        AbortSignal.timeout(LISTING_WAIT_MS),
        ...(options.signal ? [options.signal] : []),
      ]);
      await Promise.allSettled([orAborted(this.refresh(), given)]);
    });
  }

  /** Lets the calls in flight finish, at most 30 s, and ends its processes. */
  async retire(): Promise<void> {
    await Promise.race([this.#activity.settled(), sleep(RETIRE_MS, undefined, { ref: false })]);
    await this.close();
  }

  /** Ends its processes; resolves when they are gone. */
  async close(): Promise<void> {
    this.#activity.close();
    this.#relisting.close();
    await Promise.all([this.#shared.close(), this.authorization?.close()]);
    // What it said a moment ago must still reach the cache, or the next start knows less than this one.
    await Promise.allSettled([this.#refreshing]);
  }

  #call(call: UpstreamCall): Promise<JsonObject> {
    return this.#activity.during(() => this.#send(call));
  }

  async #send(call: UpstreamCall): Promise<JsonObject> {
    const connection = await this.#connectionFor(call);
    const endTurn = await this.#turnOf(call, connection);
    const deadline = new Deadline(this.config.timeoutMs, call.options.signal);
    this.#turn = deadline;
    try {
      const result = await connection.call(
        toConnectionCall(call, deadline, await this.#rootsOr(() => call.options.roots ?? [])),
      );
      this.#shared.noteAnswer();
      return result;
    } catch (error) {
      return await this.#recover({ call, connection, error, deadline });
    } finally {
      deadline.close();
      if (deadline.isCancelled) void connection.catchUp().finally(endTurn);
      else endTurn();
    }
  }

  /**
   * A question of the 2025 era does not say which call it belongs to, so a server that asks gets one call at a time. Whoever is asked may take
   * long, or never answer: after its own time, a call waits no longer for that.
   */
  async #turnOf({ tool, options: { signal } }: UpstreamCall, { era }: Connection): Promise<() => void> {
    if (!this.#hasAsked || era === 'modern') return () => undefined;
    const { name: server, timeoutMs } = this.config;
    const patience = { timeoutMs, isHeldUp: () => this.#turn?.isPaused === true };
    const endTurn = await this.#turns.take(signal, patience).catch((error: unknown) => {
      throw cancelled({ server, tool }, error);
    });
    if (endTurn === undefined) throw heldUp({ server, tool }, timeoutMs);
    return endTurn;
  }

  async #connectionFor({ tool, options: { signal } }: Pick<UpstreamCall, 'tool' | 'options'>): Promise<Connection> {
    const { live } = this.#shared;
    if (live !== undefined) return live;
    try {
      return await orAborted(this.#shared.get(), signal);
    } catch (error) {
      throw signal?.aborted === true ? cancelled({ server: this.config.name, tool }, error) : error;
    }
  }

  async #recover({ call, connection, error, deadline }: FailedCall): Promise<JsonObject> {
    const name = { server: this.config.name, tool: call.tool };
    if (call.options.signal?.aborted === true) throw cancelled(name, error);
    if (deadline.refusal !== undefined) throw deadline.refusal;
    if (deadline.hasExpired) throw timedOut(name, this.config.timeoutMs, error);
    const needed = this.authorization && loginNeededIn(error);
    if (needed) throw this.#shared.noteLoginNeeded(needed);
    const kind = await kindOfFailure(error);
    if (kind === 'answered') throw refused(name, error);
    const lost = { cause: error, exit: await connection.exit(), stderrTail: this.#shared.stderrTail };
    this.#discard(connection);
    // A server that does not know the session has not looked at the call.
    if (kind === 'session-lost' && call.mayRetry) return this.#call({ ...call, mayRetry: false });
    throw connectionLost(name, lost);
  }

  async #rootsOr(workspace: () => readonly string[] | Promise<readonly string[]>): Promise<readonly string[]> {
    this.#configuredRoots ??= configuredRoots(this.config);
    return this.#configuredRoots.length > 0 ? this.#configuredRoots : workspace();
  }

  #noteQuestion(): void {
    this.#hasAsked = true;
    if (!this.#known || this.#known.hasAsked === true) return;
    this.#known = { ...this.#known, hasAsked: true };
    // A disk that refuses is in the log, and is all that can go wrong.
    void this.#services.cache.write(this.#cacheKey, this.config.name, this.#known);
  }

  #discard(connection: Connection): void {
    this.#shared.discard(connection).catch(this.#note);
  }

  #stopIdle(): void {
    this.#services.log('info', 'stopped, since nothing called it', { server: this.config.name });
    this.#shared.rest().catch(this.#note);
  }

  #notes(): readonly string[] {
    const { strayLine, startMs = 0 } = this.#shared;
    return [
      ...(strayLine === undefined ? [] : [`it writes to stdout what is no message, such as: ${strayLine.trim()}`]),
      ...(startMs < SLOW_START_MS ? [] : [`its start took ${(startMs / 1000).toFixed(1)} s`]),
    ];
  }

  #knownEra(): Era | undefined {
    if (!this.#known) return undefined;
    const { era, eraFoundAt } = this.#known;
    return era === 'legacy' && Date.now() - eraFoundAt > LEGACY_VERDICT_MS ? undefined : era;
  }

  #refreshLater(): void {
    // A listing that is under way may have passed the place of the change.
    this.#isStale = true;
    this.refresh().catch(this.#note);
  }

  async #refresh(): Promise<void> {
    const connection = await this.#shared.get();
    do {
      this.#isStale = false;
      await this.#list(connection);
    } while (this.#isStale);
  }

  async #list(connection: Connection): Promise<void> {
    const server = this.config.name;
    const signal = AbortSignal.timeout(this.config.timeoutMs);
    try {
      const onPromptsFailed = (error: unknown): void =>
        this.#services.log('warn', `it does not list its prompts: ${messageOf(error)}`, { server });
      const listed = await listPrimitives(connection, { signal, onPromptsFailed });
      this.#listingProblem = undefined;
      this.#shared.noteAnswer();
      await this.#learn(listed, connection);
    } catch (error) {
      const needed = this.authorization && loginNeededIn(error);
      if (needed) throw this.#shared.noteLoginNeeded(needed);
      this.#listingProblem = `it does not list its tools: ${messageOf(error)}`;
      this.#services.log('warn', this.#listingProblem, { server });
      throw unavailable(server, this.#listingProblem, error);
    } finally {
      this.#listedOn = connection;
      this.#relisting.noteDone();
    }
  }

  async #learn(learnt: Omit<CachedDefinitions, 'era' | 'eraFoundAt'>, { era, eraFoundAt }: Connection): Promise<void> {
    const before = this.#known;
    const found = eraFoundAt ?? before?.eraFoundAt ?? Date.now();
    const known = { ...learnt, era, eraFoundAt: found, ...(this.#hasAsked && { hasAsked: true }) };
    this.#known = known;
    if (before === undefined || digestOf(listingOf(before)) !== digestOf(listingOf(known))) {
      this.#services.onChange(this.config.name);
    }
    if (before === undefined || digestOf(before) !== digestOf(known)) {
      await this.#services.cache.write(this.#cacheKey, this.config.name, known);
    }
  }
}

/** What the catalog shows of a server. */
function listingOf({ definitions, prompts = [], instructions = '' }: CachedDefinitions): readonly unknown[] {
  return [definitions, prompts, instructions];
}

interface FailedCall {
  readonly call: UpstreamCall;
  readonly connection: Connection;
  readonly error: unknown;
  readonly deadline: Deadline;
}
