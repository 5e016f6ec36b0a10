import type { CallToolResult } from '@modelcontextprotocol/server';
import { buildCatalog } from '../catalog/catalog.ts';
import {
  type Config,
  type Env,
  type Flags,
  loadConfig,
  type LoadedConfig,
  mergeConfig,
  stateDirs,
} from '../config/index.ts';
import { findSources, findWorkspaceSource, type FoundSources } from '../files/sources.ts';
import { readWorkspaceConfig } from '../files/workspace-config.ts';
import { resolveWorkspace, type Workspace } from '../files/workspace.ts';
import type { Diagnostic, JsonObject, Playbook, Source, WrappedTool } from '../model.ts';
import { buildSegment, type SearchSegment } from '../search/search-index.ts';
import type { Log } from '../tools/log.ts';
import type { ToolProvider } from '../tools/provider.ts';
import { openUpstreams, type Upstreams } from '../tools/upstreams.ts';
import { rememberTags } from './instructions.ts';
import { loadPlaybooks } from './load.ts';
import type { Caller } from './mcp-server.ts';
import { packageInfo } from './package-root.ts';
import { toProtocolResult } from './pass-through.ts';
import type { Snapshot } from './snapshot.ts';
import { documentOfTool } from './tool-document.ts';
import { Validators } from './validators.ts';

/** Overlays kept in memory: an agent works in one repository, a person's editor in a few. */
const MOST_OVERLAYS = 8;
const WORKSPACE_HOLDS_MS = 5_000;
/** Diagnostics that a load puts on stderr; the rest is in `doctor`. */
const MOST_REPORTED = 20;

export interface RuntimeOptions {
  readonly flags: Flags;
  readonly configPath?: string;
  readonly env: Env;
  readonly cwd: string;
  readonly log: Log;
}

/** The playbooks of some sources, searchable. */
interface Layer {
  readonly sources: readonly Source[];
  readonly playbooks: readonly Playbook[];
  readonly segment: SearchSegment;
  readonly synonyms: Snapshot['synonyms'];
  readonly diagnostics: readonly Diagnostic[];
}

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
  readonly #options: RuntimeOptions;
  readonly #providers: readonly ToolProvider[];
  readonly #base: Promise<Layer>;
  readonly #overlays = new Map<string, Promise<Layer>>();
  readonly #workspaces = new Map<string, { readonly workspace: Workspace | undefined; readonly at: number }>();
  #composed = new WeakMap<Layer, Snapshot>();
  #toolSegment: SearchSegment;

  private constructor(options: RuntimeOptions, { config, diagnostics, path }: LoadedConfig, found: FoundSources) {
    this.#options = options;
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
    });
    this.#providers = [this.upstreams];
    this.#toolSegment = this.#indexTools();
    this.upstreams.onChange(() => {
      this.#toolSegment = this.#indexTools();
      this.#composed = new WeakMap();
    });
    this.#base = this.#loadBase(found);
    // Whoever asks for a snapshot is told; nobody may have asked yet.
    this.#base.catch(() => undefined);
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
    const { config } = loaded;
    const { flags, env } = options;
    return new Runtime(options, loaded, await findSources({ config, flags, env, packageRoot: packageInfo().root }));
  }

  /**
   * What a call sees. The first one waits for the base; a workspace is loaded when it is first asked for.
   *
   * @param asked the `workspace` argument of the call.
   * @param roots asks the client for its roots; only where nothing more specific says what the workspace is.
   * @throws PlaybookError `workspace/not-found`, `workspace/not-allowed`.
   */
  async snapshot(asked?: string, roots: Caller['roots'] = noRoots): Promise<Snapshot> {
    const workspace = await this.#workspaceOf(asked, roots);
    const base = await this.#base;
    if (workspace === undefined || this.config.workspace.policy === 'none') return this.#compose(base, undefined);
    return this.#compose(base, { workspace, layer: await this.#overlay(workspace) });
  }

  /** Lists, in the background, the tools of servers that were never listed before; failures are in their status. */
  async listMissing(): Promise<void> {
    await this.upstreams.listMissing();
  }

  /**
   * Waits for the first listing of the server that an unknown id belongs to: `github__create_issue` must work in the
   * first second of the first run too. Every other id waits for nothing.
   */
  async listServerOf(id: string): Promise<void> {
    const owners = this.upstreams
      .status()
      .filter(({ name, toolCount }) => toolCount === undefined && belongsTo(id, name));
    await Promise.all(owners.map(({ name }) => this.upstreams.probe(name)));
  }

  /**
   * Calls a wrapped tool and gives what its provider answered.
   *
   * @throws PlaybookError `tools/unavailable`, `tools/failed`, `tools/timeout`, `tools/cancelled`.
   */
  async callTool(id: string, args: JsonObject, { signal, onProgress }: Caller): Promise<CallToolResult> {
    const provider = this.#providers.find((each) => each.tools().some((tool) => tool.id === id));
    if (provider === undefined) throw new Error(`The catalog has a tool that nobody provides: ${id}`);
    const options = { signal, ...(onProgress === undefined ? {} : { onProgress }) };
    return toProtocolResult(await provider.call(id, args, options));
  }

  /** Ends every upstream server. */
  async close(): Promise<void> {
    await this.upstreams.close();
  }

  /** Finding a workspace asks the file system a dozen times; agents call in bursts, so an answer holds for a while. */
  async #workspaceOf(asked: string | undefined, roots: Caller['roots']): Promise<Workspace | undefined> {
    const { flags, env, cwd } = this.#options;
    const isSaid = (asked ?? '') !== '' || flags.workspaces.length > 0;
    const from = isSaid ? [] : await roots();
    const key = JSON.stringify([asked ?? '', from]);
    const known = this.#workspaces.get(key);
    if (known !== undefined && performance.now() - known.at < WORKSPACE_HOLDS_MS) return known.workspace;
    const workspace = await resolveWorkspace({
      ...(asked === undefined ? {} : { argument: asked }),
      allowed: flags.workspaces,
      env,
      cwd,
      roots: from,
    });
    if (this.#workspaces.size >= MOST_OVERLAYS) this.#workspaces.clear();
    this.#workspaces.set(key, { workspace, at: performance.now() });
    return workspace;
  }

  #compose(base: Layer, overlay: { workspace: Workspace; layer: Layer } | undefined): Snapshot {
    const key = overlay?.layer ?? base;
    const known = this.#composed.get(key);
    const notices = this.#notices(overlay?.workspace);
    if (known !== undefined) return { ...known, notices };
    const layers = overlay === undefined ? [base] : [overlay.layer, base];
    const catalog = buildCatalog({
      playbooks: layers.flatMap((layer) => layer.playbooks),
      tools: this.#tools(),
      retired: this.config.retired,
    });
    const snapshot: Snapshot = {
      catalog,
      segments: [...layers.map(({ segment }) => segment), this.#toolSegment],
      sources: layers.flatMap(({ sources }) => sources),
      workspace: overlay?.workspace,
      diagnostics: [...layers.flatMap(({ diagnostics }) => diagnostics), ...catalog.diagnostics],
      synonyms: key.synonyms,
      notices,
    };
    this.#composed.set(key, snapshot);
    return snapshot;
  }

  #notices(workspace: Workspace | undefined): readonly string[] {
    const unlisted = this.upstreams
      .status()
      .filter(({ state, toolCount }) => state === 'connecting' && toolCount === undefined);
    return [
      ...(workspace === undefined
        ? ['No workspace is known; pass `workspace` to see the playbooks of a repository.']
        : []),
      ...(unlisted.length === 0
        ? []
        : [`Still starting, tools not listed yet: ${unlisted.map(({ name }) => name).join(', ')}.`]),
    ];
  }

  #overlay(workspace: Workspace): Promise<Layer> {
    const known = this.#overlays.get(workspace.directory);
    const layer = known ?? this.#loadOverlay(workspace);
    // Deleting first makes this the latest in the map's order; the oldest goes when there are too many.
    this.#overlays.delete(workspace.directory);
    this.#overlays.set(workspace.directory, layer);
    const [oldest] = this.#overlays.keys();
    if (oldest !== undefined && this.#overlays.size > MOST_OVERLAYS) this.#overlays.delete(oldest);
    // A load that failed is tried again by the next call.
    layer.catch(() => this.#overlays.delete(workspace.directory));
    return layer;
  }

  async #loadBase(found: FoundSources): Promise<Layer> {
    const layer = await this.#load(found, [...this.configDiagnostics, ...found.diagnostics]);
    await rememberTags(stateDirs(this.#options.env).cache, layer.playbooks);
    return layer;
  }

  async #loadOverlay(workspace: Workspace): Promise<Layer> {
    const [found, local] = await Promise.all([
      findWorkspaceSource(this.config, workspace),
      readWorkspaceConfig(workspace, this.#options.env),
    ]);
    // Of what a repository configures, only what words mean reaches the catalog.
    const { search } = mergeConfig(
      this.config,
      ...local.layers.flatMap(({ search: own }) => (own ? [{ search: own }] : [])),
    );
    return this.#load(found, [...local.diagnostics, ...found.diagnostics], search.synonyms);
  }

  async #load(
    { sources }: FoundSources,
    findings: readonly Diagnostic[],
    synonyms: Config['search']['synonyms'] = this.config.search.synonyms,
  ): Promise<Layer> {
    const { playbooks, documents, diagnostics } = await loadPlaybooks(sources);
    const all = [...findings, ...diagnostics];
    this.#report(all);
    return {
      sources,
      playbooks,
      segment: buildSegment(documents),
      synonyms: Object.fromEntries(synonyms),
      diagnostics: all,
    };
  }

  #report(diagnostics: readonly Diagnostic[]): void {
    const grave = diagnostics.filter(({ severity }) => severity !== 'info');
    for (const { path, line, column, message, rule, hint } of grave.slice(0, MOST_REPORTED)) {
      this.#options.log('warn', `${path}:${line}:${column}: ${message}`, {
        rule,
        ...(hint === undefined ? {} : { hint }),
      });
    }
    const rest = grave.length - MOST_REPORTED;
    if (rest > 0) this.#options.log('warn', `… and ${rest} more; run playbook-mcp doctor to see them all.`, {});
  }

  #tools(): readonly WrappedTool[] {
    return this.#providers.flatMap((provider) => provider.tools());
  }

  #indexTools(): SearchSegment {
    return buildSegment(this.#tools().map(documentOfTool));
  }
}

const noRoots: Caller['roots'] = () => Promise.resolve([]);

/** Whether an id can be of a tool of the server: ids begin with its name, made safe. */
function belongsTo(id: string, server: string): boolean {
  return id.startsWith(`${server.replace(/[^A-Za-z0-9_-]/g, '_')}__`);
}
