import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { closestIds } from '../catalog/closest.ts';
import { quarantined as refusalOf } from '../catalog/lookup.ts';
import type { TagRule, UpstreamConfig } from '../config/index.ts';
import { messageOf, PlaybookError } from '../errors.ts';
import type { JsonObject, QuarantinedTool, WrappedTool } from '../model.ts';
import { Approvals } from './approvals.ts';
import { CallerUpstreams } from './caller-upstreams.ts';
import { DefinitionCache } from './definition-cache.ts';
import { wrapTools } from './definitions.ts';
import type { Authorization } from './oauth/authorization.ts';
import { askForLogin, isLoginNeeded } from './oauth/ask-login.ts';
import { Credentials } from './oauth/credentials.ts';
import { GroupGuard } from './process-groups.ts';
import type { CallOptions, ToolProvider } from './provider.ts';
import { ResourceOrigins } from './resource-origins.ts';
import type { UpstreamServices } from './upstream.ts';
import type { UpstreamStatus } from './upstream-status.ts';
import type { UpstreamsOptions } from './upstreams-options.ts';
import { Upstream } from './upstream.ts';

/** How a resource is read. */
interface ReadOptions extends CallOptions {
  /** Whether whoever reads may know of a server; all where absent. */
  readonly isVisible?: (server: string) => boolean;
}

/** `npx` may have to download a package first. */
const CONNECT_TIMEOUT_MS = 60_000;
/** Between two attempts to list a server for the first time; doubled after each, longer by up to half by chance. */
const FIRST_WAIT_MS = 1500;
const LONGEST_WAIT_MS = 5 * 60_000;

/** What the upstreams offer, by id and in its order. */
interface Offer {
  readonly tools: ReadonlyMap<string, WrappedTool>;
  readonly quarantined: ReadonlyMap<string, QuarantinedTool>;
}

/** What an id calls. */
interface Found {
  readonly upstream: Upstream;
  readonly tool: string;
  readonly isPrompt: boolean;
}

/** The wrapped tools of all upstreams as the cache knows them. Starts nothing: a server is started by the first call of one of its tools. */
export function openUpstreams(options: UpstreamsOptions): Upstreams {
  return new Upstreams(options);
}

/** All upstreams together, until they are closed. */
export class Upstreams implements ToolProvider {
  readonly #services: UpstreamServices;
  readonly #approvals: Approvals;
  readonly #shutdown = new AbortController();
  readonly #origins = new ResourceOrigins();
  readonly #listeners = new Set<(server: string) => void>();
  readonly #retiring = new Set<Upstream>();
  readonly #ofCallers: CallerUpstreams;
  /** Those that `keepListing` is at. */
  readonly #awaited = new WeakSet<Upstream>();
  #upstreams: ReadonlyMap<string, Upstream> = new Map();
  #tagRules: readonly TagRule[] = [];
  /** Undefined where a listing, the configuration or an approval has changed since. */
  #offer: Offer | undefined;

  constructor(options: UpstreamsOptions) {
    const {
      cacheDir,
      log,
      clientInfo,
      connectTimeoutMs = CONNECT_TIMEOUT_MS,
      approvalsFile,
      credentialsFile,
    } = options;
    this.#approvals = new Approvals(approvalsFile, log, () => this.#announce('*'));
    this.#services = {
      cache: new DefinitionCache(join(cacheDir, 'tools'), log),
      guard: new GroupGuard((problem) => log('warn', `cannot watch over processes: ${problem.message}`, {})),
      clientInfo,
      connectTimeoutMs,
      credentials: new Credentials(credentialsFile, log),
      roots: options.roots ?? (() => Promise.resolve([])),
      log,
      onChange: (server: string) => this.#announce(server),
    };
    this.#ofCallers = new CallerUpstreams(this.#services, (upstream) => this.#retire(upstream));
    this.configure(options);
  }

  /**
   * Takes another configuration over. A server that is configured as before, but for how its tools are chosen, tagged and
   * called, keeps its process; calls in flight on any other may finish, and then its process is ended. Starts nothing.
   */
  configure({ upstreams, tagRules = [] }: Pick<UpstreamsOptions, 'upstreams' | 'tagRules'>): void {
    const before = this.#upstreams;
    const kept = (config: UpstreamConfig): Upstream | undefined => {
      const upstream = before.get(config.name);
      return upstream?.adopt(config) === true ? upstream : undefined;
    };
    const next = upstreams.map((config) => kept(config) ?? new Upstream(config, this.#services));
    for (const upstream of before.values()) {
      if (next.includes(upstream)) {
        this.#ofCallers.adopt(upstream);
        continue;
      }
      this.#retire(upstream);
      this.#ofCallers.retire(upstream);
    }
    this.#upstreams = new Map(next.map((upstream) => [upstream.config.name, upstream]));
    this.#tagRules = tagRules;
    this.#offer = undefined;
  }

  /** The tools that are known now, ordered by id; a server that was never listed has none yet. */
  tools(): readonly WrappedTool[] {
    return [...this.#offered().tools.values()];
  }

  /** The tools that changed since they were approved, ordered by id; none of them is in `tools`. */
  quarantined(): readonly QuarantinedTool[] {
    return [...this.#offered().quarantined.values()];
  }

  /** Approves tools as they are defined now. @throws the system's error where that cannot be kept. */
  async accept(held: readonly QuarantinedTool[]): Promise<void> {
    await this.#approvals.accept(held.map(({ tool }) => tool));
    this.#announce('*');
  }

  /** Reads again what is approved, which another process has written. */
  async rereadApprovals(): Promise<void> {
    if (await this.#approvals.reread()) this.#announce('*');
  }

  /** Tries the servers again that want a login, which another process may have seen to. */
  async rereadLogins(): Promise<void> {
    const waiting = this.#enabled().filter(({ status, authorization }) => {
      return status.state === 'needs authorization' && authorization?.isGranted === true;
    });
    await Promise.allSettled(waiting.map((upstream) => upstream.refresh()));
  }

  /** What a server's authorization is; undefined where it has none or there is no such server. */
  authorizationOf(server: string): Authorization | undefined {
    return this.#upstreams.get(server)?.authorization;
  }

  /**
   * Starts every server that was never listed and lists its tools, all at once; `onChange` tells of each as it is done.
   * Resolves when the last is done or has failed; `status` names those.
   */
  async listMissing(): Promise<void> {
    const missing = this.#enabled().filter(({ known }) => known === undefined);
    await Promise.allSettled(missing.map((upstream) => upstream.refresh()));
  }

  /**
   * As `listMissing`, and again and again, ever more seldom, for each server that fails: one that comes up late is found without
   * anybody's asking. Never rejects; ends with `close`, or when the server has left the configuration.
   */
  async keepListing(): Promise<void> {
    const { signal } = this.#shutdown;
    const missing = this.#enabled().filter((upstream) => upstream.known === undefined && !this.#awaited.has(upstream));
    await Promise.all(missing.map((upstream) => this.#listUntilKnown(upstream, signal)));
  }

  /** Tells the listener the name of each server whose tools are other than before, or `*` for any. @returns what ends that. */
  onChange(listener: (server: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Calls a tool; its arguments are sent as they are.
   * @returns the upstream's own result with every field and `_meta`, less its server info and the envelope of the hop.
   * @throws PlaybookError `catalog/unknown-id`, `catalog/quarantined`, `tools/unavailable`, `tools/timeout`, `tools/failed`,
   * `tools/cancelled`.
   */
  async call(id: string, args: JsonObject, options: CallOptions = {}): Promise<JsonObject> {
    try {
      return await this.#call(id, args, options);
    } catch (error) {
      // The server has not looked at the call.
      if (!isLoginNeeded(error) || !(await this.logIn(this.#find(id, options).upstream.config.name, options)))
        throw error;
      return this.#call(id, args, options);
    }
  }

  /**
   * Has the person of a call log in to a server that wants it; resolves when they have.
   * @returns false where nobody can be asked, or there is nothing to log in to.
   * @throws PlaybookError `tools/unauthorized` with the address to open, `tools/declined`, `tools/cancelled`.
   */
  async logIn(server: string, { ask, signal }: Pick<CallOptions, 'ask' | 'signal'>): Promise<boolean> {
    const authorization = this.#upstreams.get(server)?.authorization;
    if (authorization === undefined || ask === undefined) return false;
    await askForLogin(authorization, { ask, signal });
    return true;
  }

  async #call(id: string, args: JsonObject, options: CallOptions): Promise<JsonObject> {
    let found = this.#find(id, options);
    if (!found.upstream.isPrepared) {
      await found.upstream.prepare(found.tool, options);
      // The server may define it in another way by now.
      found = this.#find(id, options);
    }
    const { upstream, tool, isPrompt } = found;
    const result = await (isPrompt ? upstream.getPrompt(tool, args, options) : upstream.call(tool, args, options));
    this.#origins.note(upstream.config.name, result);
    return result;
  }

  /**
   * Reads a resource from the server whose result has named it, else from the first that has it.
   * @returns a `resources/read` result.
   * @throws PlaybookError `tools/unknown-resource`, and as `call` where the server is known.
   */
  async readResource(uri: string, { isVisible = () => true, ...options }: ReadOptions = {}): Promise<JsonObject> {
    const ofCaller = (upstream: Upstream): Upstream => this.#ofCallers.of(upstream, options.principal);
    const origin = this.#upstreams.get(this.#origins.of(uri) ?? '');
    if (origin && isVisible(origin.config.name)) return ofCaller(origin).readResource(uri, options);
    const others = this.#enabled().filter(
      ({ known, config }) => known?.hasResources === true && isVisible(config.name),
    );
    for (const upstream of others) {
      try {
        return await ofCaller(upstream).readResource(uri, options);
      } catch (error) {
        // It may be another's: servers tell in no uniform way that they do not have it.
        if (!(error instanceof PlaybookError) || error.code === 'tools/cancelled') throw error;
      }
    }
    throw new PlaybookError('tools/unknown-resource', `No server has the resource "${uri}".`, {
      hint: 'Read what a result of execute has linked to.',
    });
  }

  /** How each upstream is doing, in the order of the configuration. */
  status(): readonly UpstreamStatus[] {
    return [...this.#upstreams.values()].map((upstream) => upstream.status);
  }

  /** Connects to one upstream now and lists its tools. @returns how that went; undefined where none has that name. */
  async probe(name: string): Promise<UpstreamStatus | undefined> {
    const upstream = this.#upstreams.get(name);
    if (upstream && upstream.config.disabled !== true) await Promise.allSettled([upstream.refresh()]);
    return upstream?.status;
  }

  /** Ends every server that was started; resolves when their processes are gone. */
  async close(): Promise<void> {
    this.#shutdown.abort();
    const all = [...this.#upstreams.values(), ...this.#ofCallers.all, ...this.#retiring];
    await Promise.allSettled([...all.map((upstream) => upstream.close()), this.#approvals.settled()]);
    this.#services.guard.close();
  }

  #enabled(): readonly Upstream[] {
    return [...this.#upstreams.values()].filter(({ config }) => config.disabled !== true);
  }

  #find(id: string, { principal }: Pick<CallOptions, 'principal'>): Found {
    const { tools, quarantined } = this.#offered();
    const wrapped = tools.get(id);
    const shared = wrapped && this.#upstreams.get(wrapped.server);
    const upstream = shared && this.#ofCallers.of(shared, principal);
    if (upstream) return { upstream, tool: wrapped.tool, isPrompt: wrapped.isPrompt === true };
    const held = quarantined.get(id);
    if (held) throw refusalOf(held);
    const closest = closestIds(tools.keys(), id);
    const hint = closest.length > 0 ? `Did you mean ${closest.join(', ')}?` : 'Find it with search.';
    throw new PlaybookError('catalog/unknown-id', `There is no tool "${id}".`, { hint });
  }

  #offered(): Offer {
    if (this.#offer) return this.#offer;
    const listings = this.#enabled().flatMap(({ config, known }) => (known ? [{ config, ...known }] : []));
    const { approved, quarantined } = this.#approvals.judge(wrapTools(listings, this.#tagRules));
    this.#offer = {
      tools: new Map(approved.map((tool) => [tool.id, tool])),
      quarantined: new Map(quarantined.map((held) => [held.tool.id, held])),
    };
    return this.#offer;
  }

  #retire(upstream: Upstream): void {
    this.#retiring.add(upstream);
    const done = upstream.retire().finally(() => this.#retiring.delete(upstream));
    done.catch((error: unknown) => this.#services.log('warn', messageOf(error), { server: upstream.config.name }));
  }

  async #listUntilKnown(upstream: Upstream, signal: AbortSignal): Promise<void> {
    this.#awaited.add(upstream);
    const isWanted = (): boolean => !signal.aborted && this.#upstreams.get(upstream.config.name) === upstream;
    for (let waitMs = FIRST_WAIT_MS; isWanted(); waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
      await Promise.allSettled([upstream.refresh()]);
      if (upstream.known !== undefined) return;
      await Promise.allSettled([sleep(waitMs * (1 + Math.random() / 2), undefined, { ref: false, signal })]);
    }
  }

  #announce(server: string): void {
    this.#offer = undefined;
    for (const listener of this.#listeners) {
      try {
        listener(server);
      } catch (error) {
        this.#services.log('error', `a listener failed: ${messageOf(error)}`, { server });
      }
    }
  }
}
