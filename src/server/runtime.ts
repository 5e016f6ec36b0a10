import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isInputRequiredResult } from '@modelcontextprotocol/server';
import { buildCatalog } from '../catalog/catalog.ts';
import {
  type Config,
  type ConfirmPolicy,
  type Env,
  loadConfig,
  type LoadedConfig,
  stateDirs,
} from '../config/index.ts';
import { PlaybookError } from '../errors.ts';
import { usualFolders } from '../files/sources.ts';
import type { Workspace } from '../files/workspace.ts';
import type { Diagnostic, JsonObject, WrappedTool } from '../model.ts';
import { buildSegment, type SearchSegment } from '../search/search-index.ts';
import { toolPrefixOf } from '../tools/naming.ts';
import type { UpstreamState } from '../tools/shared-connection.ts';
import { HeldResults } from '../tools/held-results.ts';
import { ResultReader } from '../tools/result-reader.ts';
import { openUpstreams, type Upstreams } from '../tools/upstreams.ts';
import { ConfirmCodes } from './confirm-codes.ts';
import { type Layer, PlaybookLayers } from './layers.ts';
import { type LocalTools, openLocalTools } from './local-tools.ts';
import { limitResult } from './limit-result.ts';
import type { Answer } from './input-rounds.ts';
import type { Caller } from './mcp-server.ts';
import { type MergedTools, mergeTools } from './merge-tools.ts';
import { packageInfo } from './package-root.ts';
import { toProtocolAnswer } from './pass-through.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import type { Snapshot } from './snapshot.ts';
import { documentOfTool } from './tool-document.ts';
import { Validators } from './validators.ts';

/** A call waits this long for a server that was never listed; a server that hangs must not hold an agent for a minute. */
const LISTING_WAIT_MS = 5_000;

/**
 * The composition root: configuration, playbooks, upstream servers and the snapshots made of them, for the life of one
 * process. The base (central and user playbooks) is loaded once; each workspace in use lies over it.
 */
export class Runtime {
  readonly config: Config;
  readonly configDiagnostics: readonly Diagnostic[];
  /** Absolute path of the configuration file, whether or not it exists. */
  readonly configPath: string;
  readonly upstreams: Upstreams;
  readonly validators = new Validators();
  readonly #localTools: LocalTools;
  readonly confirmCodes = new ConfirmCodes();
  readonly #held = new HeldResults();
  readonly #results = new ResultReader(this.#held);
  readonly #layers: PlaybookLayers;
  readonly #env: Env;
  #composed = new WeakMap<Layer, Snapshot>();
  #tools: MergedTools;
  #toolSegment: SearchSegment;

  private constructor(options: RuntimeOptions, { config, diagnostics, path }: LoadedConfig, layers: PlaybookLayers) {
    this.#layers = layers;
    this.#env = options.env;
    this.config = config;
    this.configDiagnostics = diagnostics;
    this.configPath = path;
    const { version } = packageInfo();
    this.upstreams = openUpstreams({
      upstreams: config.upstreams,
      tagRules: config.tagRules,
      cacheDir: stateDirs(options.env).cache,
      log: options.log,
      clientInfo: { name: 'playbook-mcp', version },
      roots: async () => rootsIn(await layers.workspaceOf(undefined, noRoots)),
    });
    this.#localTools = openLocalTools(config, options);
    this.#tools = this.#mergeTools();
    this.#toolSegment = this.#indexTools();
    this.upstreams.onChange(() => {
      this.#tools = this.#mergeTools();
      this.#toolSegment = this.#indexTools();
      this.#composed = new WeakMap();
    });
  }

  /**
   * Reads the configuration and begins to load everything; nothing is awaited that a caller does not need yet.
   *
   * @throws PlaybookError `config/not-json`, `config/not-found`, `source/not-found`.
   */
  static async open(options: RuntimeOptions): Promise<Runtime> {
    const loaded = await loadConfig({
      env: options.env,
      flags: options.flags,
      ...(options.configPath === undefined ? {} : { configPath: options.configPath }),
    });
    for (const { path, line, column, message } of loaded.diagnostics)
      options.log('warn', `${path}:${line}:${column}: ${message}`, {});
    return new Runtime(options, loaded, await PlaybookLayers.open(options, loaded.config));
  }

  /**
   * What a call sees. The first one waits for the base; a workspace is loaded when it is first asked for.
   *
   * @param asked the `workspace` argument of the call.
   * @param roots asks the client for its roots; only where nothing more specific says what the workspace is.
   * @throws PlaybookError `workspace/not-found`, `workspace/not-allowed`.
   */
  async snapshot(asked?: string, roots: Caller['roots'] = noRoots): Promise<Snapshot> {
    const workspace = await this.#layers.workspaceOf(asked, roots);
    const base = await this.#layers.base;
    if (workspace === undefined || this.config.workspace.policy === 'none') return this.#compose(base, undefined);
    return this.#compose(base, { workspace, layer: await this.#layers.overlayOf(workspace) });
  }

  /** Lists, in the background, the tools of servers that were never listed before; failures are in their status. */
  async listMissing(): Promise<void> {
    await this.upstreams.listMissing();
  }

  /**
   * Waits, for a while, for the first listing of the server that an unknown id belongs to: `github__create_issue` must
   * work in the first second of the first run too. Every other id waits for nothing.
   *
   * @throws PlaybookError `tools/unavailable` where that server has no tools to look the id up in.
   */
  async listServerOf(id: string): Promise<void> {
    const owner = this.upstreams.status().find(({ name, toolCount }) => toolCount === undefined && belongsTo(id, name));
    if (owner === undefined) return;
    const status = await Promise.race([
      this.upstreams.probe(owner.name),
      delay(LISTING_WAIT_MS, owner, { ref: false }),
    ]);
    if (status?.toolCount !== undefined) return;
    throw new PlaybookError(
      'tools/unavailable',
      `The server "${owner.name}" has not listed its tools: ${status?.reason ?? 'it is still starting'}.`,
      {
        hint: 'Go on without it or try again later; `playbook-mcp doctor` checks every server.',
      },
    );
  }

  /**
   * Calls a wrapped tool and gives what its provider answered, cut where it is over the limit of the configuration.
   *
   * @throws PlaybookError of the stages `tools` and `code`.
   */
  async callTool(id: string, args: JsonObject, caller: ToolCaller): Promise<Answer> {
    const provider = this.#tools.providerById.get(id);
    if (provider === undefined) throw new Error(`The catalog has a tool that nobody provides: ${id}`);
    const { signal, onProgress, ask, input, meta, workspace } = caller;
    const answer = await provider.call(id, args, {
      signal,
      ask,
      meta,
      ...(onProgress && { onProgress }),
      ...(input && { input }),
      roots: rootsIn(workspace),
    });
    const result = toProtocolAnswer(answer, caller);
    // A page of a cut result has been cut already, and questions are never long.
    if (provider === this.#results || isInputRequiredResult(result)) return result;
    return limitResult(result, { limit: this.config.limits.resultTokens, held: this.#held });
  }

  /** Which calls of the tool's server must be confirmed. */
  confirmPolicyOf({ server }: WrappedTool): ConfirmPolicy {
    return this.config.upstreams.find(({ name }) => name === server)?.confirm ?? 'never';
  }

  /** Ends every upstream server, and every command that runs. */
  /**
   * Reads a resource of an upstream server, such as one that a result has linked to.
   *
   * @throws PlaybookError `tools/unknown-resource`, and as `callTool`.
   */
  async readResource(uri: string, signal: AbortSignal): Promise<JsonObject> {
    return this.upstreams.readResource(uri, { signal });
  }

  /** Ends every upstream server. */
  async close(): Promise<void> {
    this.#held.close();
    await Promise.all([this.upstreams.close(), this.#localTools.close()]);
  }

  #compose(base: Layer, overlay: { workspace: Workspace; layer: Layer } | undefined): Snapshot {
    const key = overlay?.layer ?? base;
    const known = this.#composed.get(key);
    const notices = this.#notices(overlay?.workspace);
    if (known !== undefined) return { ...known, notices };
    const layers = overlay === undefined ? [base] : [overlay.layer, base];
    const catalog = buildCatalog({
      playbooks: layers.flatMap((layer) => layer.playbooks),
      tools: this.#tools.tools,
      retired: this.config.retired,
      toolPrefixes: this.config.upstreams.map(({ name }) => toolPrefixOf(name)),
    });
    const snapshot: Snapshot = {
      catalog,
      segments: [...layers.map(({ segment }) => segment), this.#toolSegment],
      sources: layers.flatMap(({ sources }) => sources),
      workspace: overlay?.workspace,
      usualFolders: usualFolders(this.config, this.#env, overlay?.workspace),
      diagnostics: [
        ...this.configDiagnostics,
        ...this.#localTools.diagnostics,
        ...this.#tools.diagnostics,
        ...layers.flatMap(({ diagnostics }) => diagnostics),
        ...catalog.diagnostics,
      ],
      synonyms: key.synonyms,
      notices,
    };
    this.#composed.set(key, snapshot);
    return snapshot;
  }

  /** Lines for the foot of a search: what it could not look at. A server whose tools are cached is searched even while it is down. */
  #notices(workspace: Workspace | undefined): readonly string[] {
    const unlisted = this.upstreams.status().filter(({ toolCount }) => toolCount === undefined);
    const namesIn = (...states: readonly UpstreamState[]): string =>
      unlisted
        .filter(({ state }) => states.includes(state))
        .map(({ name }) => name)
        .join(', ');
    // One that is idle and was never listed is about to be started.
    const [starting, failed] = [namesIn('idle', 'connecting', 'ready'), namesIn('failed')];
    return [
      ...(workspace === undefined
        ? ['No workspace is known; pass `workspace` to see the playbooks of a repository.']
        : []),
      ...(starting === '' ? [] : [`Still starting, tools not listed yet: ${starting}.`]),
      ...(failed === '' ? [] : [`Not available, tools unknown: ${failed}; \`playbook-mcp doctor\` tells why.`]),
    ];
  }

  #mergeTools(): MergedTools {
    return mergeTools([this.#results, ...this.#localTools.providers, this.upstreams], this.configPath);
  }

  #indexTools(): SearchSegment {
    return buildSegment(this.#tools.tools.map(documentOfTool));
  }
}

/** A call of a wrapped tool: who makes it, and where. */
type ToolCaller = Caller & { readonly workspace: Workspace | undefined };

/** The roots that upstream servers are told. */
function rootsIn(workspace: Workspace | undefined): readonly string[] {
  return workspace === undefined ? [] : [pathToFileURL(workspace.directory).href];
}

const noRoots: Caller['roots'] = () => Promise.resolve([]);

/** Whether an id can be of a tool of the server: ids begin with its name, made safe. */
function belongsTo(id: string, server: string): boolean {
  return id.startsWith(toolPrefixOf(server));
}
