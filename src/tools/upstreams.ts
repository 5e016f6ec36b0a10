import { join } from 'node:path';

import type { Implementation } from '@modelcontextprotocol/client';

import { closestIds } from '../catalog/closest.ts';
import type { TagRule, UpstreamConfig } from '../config/index.ts';
import { messageOf, PlaybookError } from '../errors.ts';
import type { JsonObject, WrappedTool } from '../model.ts';
import { DefinitionCache } from './definition-cache.ts';
import { wrapTools } from './definitions.ts';
import type { Log } from './log.ts';
import { GroupGuard } from './process-groups.ts';
import type { CallOptions, ToolProvider } from './provider.ts';
import { ResourceOrigins } from './resource-origins.ts';
import type { UpstreamStatus } from './upstream.ts';
import { Upstream } from './upstream.ts';

/** `npx` may have to download a package first. */
const CONNECT_TIMEOUT_MS = 60_000;

export interface UpstreamsOptions {
  readonly upstreams: readonly UpstreamConfig[];
  readonly tagRules?: readonly TagRule[];
  /** Folder for what may be lost; made at the first write. */
  readonly cacheDir: string;
  readonly log: Log;
  /** How we introduce ourselves to upstreams. */
  readonly clientInfo: Implementation;
  /** `file:` URLs that servers are told when they ask for roots while no call is running; [] by default. */
  readonly roots?: () => Promise<readonly string[]>;
  /** How long a server may take from its start to the end of the handshake; 60,000 by default. */
  readonly connectTimeoutMs?: number;
}

/** The wrapped tools of all upstreams as the cache knows them. Starts nothing: a server is started by the first call of one of its tools. */
export function openUpstreams(options: UpstreamsOptions): Upstreams {
  return new Upstreams(options);
}

/** All upstreams together, until they are closed. */
export class Upstreams implements ToolProvider {
  readonly #upstreams: ReadonlyMap<string, Upstream>;
  readonly #tagRules: readonly TagRule[];
  readonly #guard: GroupGuard;
  readonly #log: Log;
  readonly #origins = new ResourceOrigins();
  readonly #listeners = new Set<(server: string) => void>();
  /** The tools by id, in order; undefined where a listing has changed since they were wrapped. */
  #tools: ReadonlyMap<string, WrappedTool> | undefined;

  constructor(options: UpstreamsOptions) {
    const { upstreams, tagRules = [], cacheDir, log, clientInfo, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options;
    this.#tagRules = tagRules;
    this.#log = log;
    this.#guard = new GroupGuard((problem) => log('warn', `cannot watch over processes: ${problem.message}`, {}));
    const services = {
      cache: new DefinitionCache(join(cacheDir, 'tools'), log),
      guard: this.#guard,
      clientInfo,
      connectTimeoutMs,
      roots: options.roots ?? (() => Promise.resolve([])),
      log,
      onChange: (server: string) => this.#announce(server),
    };
    this.#upstreams = new Map(upstreams.map((config) => [config.name, new Upstream(config, services)]));
  }

  /** The tools that are known now, ordered by id; a server that was never listed has none yet. */
  tools(): readonly WrappedTool[] {
    return [...this.#byId().values()];
  }

  /**
   * Starts every server that was never listed and lists its tools, all at once; `onChange` tells of each as it is done.
   * Resolves when the last is done or has failed; `status` names those.
   */
  async listMissing(): Promise<void> {
    const missing = this.#enabled().filter(({ known }) => known === undefined);
    await Promise.allSettled(missing.map((upstream) => upstream.refresh()));
  }

  /** Tells the listener the name of each server whose tools are other than before. @returns what ends that. */
  onChange(listener: (server: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Calls a tool; its arguments are sent as they are.
   * @returns the upstream's own result with every field and `_meta`, less its server info and the envelope of the hop.
   * @throws PlaybookError `catalog/unknown-id`, `tools/unavailable`, `tools/timeout`, `tools/failed`, `tools/cancelled`.
   */
  async call(id: string, args: JsonObject, options: CallOptions = {}): Promise<JsonObject> {
    const tools = this.#byId();
    const wrapped = tools.get(id);
    const upstream = wrapped && this.#upstreams.get(wrapped.server);
    if (upstream) {
      const { tool, isPrompt } = wrapped;
      const result = await (isPrompt ? upstream.getPrompt(tool, args, options) : upstream.call(tool, args, options));
      this.#origins.note(wrapped.server, result);
      return result;
    }
    const closest = closestIds(tools.keys(), id);
    const hint = closest.length > 0 ? `Did you mean ${closest.join(', ')}?` : 'Find it with search.';
    throw new PlaybookError('catalog/unknown-id', `There is no tool "${id}".`, { hint });
  }

  /**
   * Reads a resource from the server whose result has named it, else from the first that has it.
   * @returns a `resources/read` result.
   * @throws PlaybookError `tools/unknown-resource`, and as `call` where the server is known.
   */
  async readResource(uri: string, options: CallOptions = {}): Promise<JsonObject> {
    const origin = this.#upstreams.get(this.#origins.of(uri) ?? '');
    if (origin) return origin.readResource(uri, options);
    for (const upstream of this.#enabled().filter(({ known }) => known?.hasResources)) {
      try {
        return await upstream.readResource(uri, options);
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
    await Promise.allSettled([...this.#upstreams.values()].map((upstream) => upstream.close()));
    this.#guard.close();
  }

  #enabled(): readonly Upstream[] {
    return [...this.#upstreams.values()].filter(({ config }) => config.disabled !== true);
  }

  #byId(): ReadonlyMap<string, WrappedTool> {
    if (this.#tools) return this.#tools;
    const listings = this.#enabled().flatMap(({ config, known }) => (known ? [{ config, ...known }] : []));
    this.#tools = new Map(wrapTools(listings, this.#tagRules).map((tool) => [tool.id, tool]));
    return this.#tools;
  }

  #announce(server: string): void {
    this.#tools = undefined;
    for (const listener of this.#listeners) {
      try {
        listener(server);
      } catch (error) {
        this.#log('error', `a listener failed: ${messageOf(error)}`, { server });
      }
    }
  }
}
