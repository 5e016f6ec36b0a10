import { isDeepStrictEqual } from 'node:util';
import { isInputRequiredResult } from '@modelcontextprotocol/server';
import { type Config, type ConfirmPolicy, stateDirs } from '../config/index.ts';
import { messageOf, PlaybookError } from '../errors.ts';
import { removeLeftovers } from '../files/leftovers.ts';
import { type FileWatch, watchFile } from '../files/watch-file.ts';
import type { Workspace } from '../files/workspace.ts';
import type { Diagnostic, JsonObject, WrappedTool } from '../model.ts';
import { buildSegment, type SearchSegment } from '../search/search-index.ts';
import { HeldResults } from '../tools/held-results.ts';
import { PlaybookReports } from '../tools/playbook-reports.ts';
import { ResultReader } from '../tools/result-reader.ts';
import { openUpstreams, type Upstreams } from '../tools/upstreams.ts';
import { composeSnapshot } from './compose-snapshot.ts';
import { ConfirmCodes } from './confirm-codes.ts';
import { Learning } from './learning.ts';
import { FirstListings, type ListingWait } from './first-listings.ts';
import type { Layer, OnLayerChange } from './live-layer.ts';
import { type LocalTools, openLocalTools } from './local-tools.ts';
import { limitResult } from './limit-result.ts';
import type { Answer } from './input-rounds.ts';
import type { Caller } from './mcp-server.ts';
import type { Access } from './surface.ts';
import { type MergedTools, mergeTools } from './merge-tools.ts';
import { packageInfo } from './package-root.ts';
import { toProtocolAnswer } from './pass-through.ts';
import { Proposals } from './propose.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import { noRoots, rootsIn } from './roots.ts';
import { notTakenOver, openSetup, reopenSetup, type Setup } from './setup.ts';
import type { Snapshot } from './snapshot.ts';
import { approvalsFileOf, credentialsFileOf } from './state-files.ts';
import { storeReport } from './store-report.ts';
import { documentOfTool } from './tool-document.ts';
import { sharedResults } from './shared-results.ts';
import type { SharedState } from '../usage/shared-state.ts';
import { Usage } from './usage.ts';
import { Validators } from './validators.ts';
import { type Visibility, visibilityOf } from './visibility.ts';

/**
 * The composition root: configuration, playbooks, upstream servers and the snapshots made of them, for the life of one
 * process. The base (central and user playbooks) is loaded once; each workspace in use lies over it. Another state of the
 * configuration file replaces the setup whole; calls in flight keep the snapshot that they began with.
 */
export class Runtime {
  readonly upstreams: Upstreams;
  readonly #firstListings: FirstListings;
  readonly validators = new Validators();
  #confirmCodes = new ConfirmCodes();
  readonly usage: Usage;
  readonly #learning: Learning;
  readonly #held = new HeldResults();
  readonly #results = new ResultReader(this.#held);
  readonly #proposals = new Proposals(async (directory) => ({
    snapshot: await this.snapshot(directory),
    config: this.config,
  }));
  readonly #reports = new PlaybookReports((report, options) =>
    storeReport(
      { usage: this.usage, snapshot: (workspace) => this.snapshot(workspace, noRoots, options.access) },
      report,
      options,
    ),
  );
  readonly #options: RuntimeOptions;
  readonly #watches: FileWatch[] = [];
  readonly #followers = new Set<OnLayerChange>();
  #setup: Setup;
  #localTools: LocalTools;
  /** Of earlier setups; what they run may finish. */
  readonly #pastLocalTools: LocalTools[] = [];
  /** Why the configuration file as it is now is not in use. */
  #reloadProblem: Diagnostic | undefined;
  #reloading: Promise<void> = Promise.resolve();
  /** By the base, what lies over it, and the key of what is seen of them. */
  #composed = new WeakMap<Layer, WeakMap<Layer, Map<string, Snapshot>>>();
  #tools: MergedTools;
  #toolSegment: SearchSegment;

  private constructor(options: RuntimeOptions, setup: Setup) {
    this.#options = options;
    this.#setup = setup;
    this.usage = new Usage({ config: () => this.config, env: options.env, log: options.log });
    this.#learning = new Learning({ config: () => this.config, env: options.env, log: options.log });
    const { cache } = stateDirs(options.env);
    const { version } = packageInfo();
    this.upstreams = openUpstreams({
      upstreams: setup.config.upstreams,
      tagRules: setup.config.tagRules,
      cacheDir: cache,
      approvalsFile: approvalsFileOf(options),
      credentialsFile: credentialsFileOf(options),
      log: options.log,
      clientInfo: { name: 'playbook-mcp', version },
      roots: async () => rootsIn(await this.#setup.layers.workspaceOf(undefined, noRoots)),
      ...(options.connectTimeoutMs === undefined ? {} : { connectTimeoutMs: options.connectTimeoutMs }),
    });
    this.#firstListings = new FirstListings(this.upstreams);
    this.#localTools = openLocalTools(setup.config, options);
    this.#tools = this.#mergeTools();
    this.#toolSegment = this.#indexTools();
    this.upstreams.onChange(() => this.#renew());
    setup.layers.onChange((paths) => this.#tellChange(paths));
  }

  /**
   * Reads the configuration and begins to load everything; nothing is awaited that a caller does not need yet.
   *
   * @throws PlaybookError `config/not-json`, `config/not-found`, `source/not-found`.
   */
  static async open(options: RuntimeOptions): Promise<Runtime> {
    return new Runtime(options, await openSetup(options));
  }

  get confirmCodes(): ConfirmCodes {
    return this.#confirmCodes;
  }

  /** Shares with other replicas what one of them keeps for a client. @param key signs codes */
  share({ key, state }: { readonly key: Buffer; readonly state: SharedState }): void {
    this.#confirmCodes = new ConfirmCodes({ key, claim: (stem, expires) => state.claim(`code ${stem}`, expires) });
    this.#held.shareIn(sharedResults(state));
  }

  get config(): Config {
    return this.#setup.config;
  }

  /** Absolute path of the configuration file, whether or not it exists. */
  get configPath(): string {
    return this.#setup.path;
  }

  /**
   * Follows, until `close`, what changes outside: playbooks, the configuration file, what a person accepts, and servers that come
   * up late.
   */
  follow(): void {
    this.#watches.push(
      watchFile(this.configPath, () => void this.reload()),
      watchFile(approvalsFileOf(this.#options), () => void this.upstreams.rereadApprovals()),
      watchFile(credentialsFileOf(this.#options), () => void this.upstreams.rereadLogins()),
    );
    const { cache, data, state } = stateDirs(this.#options.env);
    this.#watches.push(
      removeLeftovers([cache, data, state], (problem) =>
        this.#options.log('debug', `cannot clear up: ${messageOf(problem)}`, {}),
      ),
    );
    this.#setup.layers.follow();
    this.#firstListings.begin();
    void this.upstreams.keepListing();
    // Not beside the load, for which the first search waits.
    void this.#setup.layers.base.then(
      () => this.#learning.follow(),
      // Told to whoever asks for the base.
      () => undefined,
    );
  }

  /**
   * Takes over the configuration file as it is now. One that cannot be used leaves everything as it is, and is told on the log and
   * by the diagnostics. Resolves when the new state is in use; never rejects but with a bug.
   */
  reload(): Promise<void> {
    this.#reloading = this.#reloading.then(() => this.#reload());
    return this.#reloading;
  }

  /**
   * What a call sees. The first one waits for the base; a workspace is loaded when it is first asked for.
   *
   * @param asked the `workspace` argument of the call.
   * @param roots asks the client for its roots; only where nothing more specific says what the workspace is.
   * @param access of the caller; whoever leaves it out sees everything.
   * @throws PlaybookError `workspace/not-found`, `workspace/not-allowed`.
   */
  async snapshot(asked?: string, roots: Caller['roots'] = noRoots, access?: Access): Promise<Snapshot> {
    const { layers, config } = this.#setup;
    const workspace = await layers.workspaceOf(asked, roots);
    const base = await layers.base;
    const visibility = visibilityOf(config, access);
    if (workspace === undefined || config.workspace.policy === 'none') return this.#compose({ base, visibility });
    const [layer, repo] = await Promise.all([layers.overlayOf(workspace), this.usage.repositoryOf(workspace)]);
    return this.#compose({ base, overlay: { workspace, layer, repo }, visibility });
  }

  /** Waits until search has learned of use what there is to learn: for a command that ends by itself. */
  learn(): Promise<void> {
    return this.#learning.learn();
  }

  /** Calls back when `snapshot` may give another one, or when files that are read beside it were written. @returns ends that. */
  onChange(follower: OnLayerChange): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  /** See `FirstListings.next`. */
  nextFirstListing(): Promise<boolean> {
    return this.#firstListings.next();
  }

  /** See `FirstListings.ofOwner`; an id that is known waits for nothing. */
  async listServerOf(id: string, wait: ListingWait & { readonly access?: Access } = {}): Promise<void> {
    // Every call comes by here, and most are of a tool that is known.
    if (this.#tools.providerById.has(id)) return;
    const { seesServer } = visibilityOf(this.config, wait.access);
    await this.#firstListings.ofOwner(id, { ...wait, isVisible: seesServer });
  }

  /**
   * Calls a wrapped tool and gives what its provider answered, cut where it is over the limit of the configuration.
   *
   * @throws PlaybookError of the stages `tools` and `code`, `catalog/unknown-id`, `catalog/quarantined`.
   */
  async callTool(id: string, args: JsonObject, caller: ToolCaller): Promise<Answer> {
    const provider = this.#tools.providerById.get(id);
    // It was there when the call began: its server has left the configuration, or has another definition of it now.
    if (provider === undefined) {
      throw new PlaybookError('catalog/unknown-id', `The tool "${id}" is not offered any more.`, {
        hint: 'Call search to find what there is now.',
      });
    }
    const { signal, onProgress, ask, input, meta, client, workspace, principal, user, access } = caller;
    const identity = caller.identity();
    const answer = await provider.call(id, args, {
      signal,
      ask,
      meta,
      client,
      identity,
      ...(principal !== undefined && { principal, user }),
      ...(access && { access }),
      ...(onProgress && { onProgress }),
      ...(input && { input }),
      roots: rootsIn(workspace),
    });
    const result = toProtocolAnswer(answer, caller);
    // A page of a cut result has been cut already, and questions are never long.
    if (provider === this.#results || isInputRequiredResult(result)) return result;
    const limited = limitResult(result, { limit: this.config.limits.resultTokens, held: this.#held, owner: identity });
    if (limited === result) return result;
    // Where that fails, this process still has it.
    await this.#held.stored().catch((error: unknown) => {
      this.#options.log('warn', `Other replicas cannot read on in a result: ${messageOf(error)}`, {});
    });
    return limited;
  }

  /** Which calls of the tool's server must be confirmed. */
  confirmPolicyOf({ server }: WrappedTool): ConfirmPolicy {
    return this.config.upstreams.find(({ name }) => name === server)?.confirm ?? 'never';
  }

  /**
   * Reads a resource of an upstream server, such as one that a result has linked to.
   *
   * @throws PlaybookError `tools/unknown-resource`, and as `callTool`.
   */
  async readResource(uri: string, caller: Pick<Caller, 'signal' | 'principal' | 'access'>): Promise<JsonObject> {
    const { signal, principal, access } = caller;
    const isVisible = visibilityOf(this.config, access).seesServer;
    return this.upstreams.readResource(uri, { signal, isVisible, ...(principal !== undefined && { principal }) });
  }

  /** Ends every upstream server, and every command that runs; writes what is recorded. */
  async close(): Promise<void> {
    this.#held.close();
    for (const watch of this.#watches) watch.close();
    this.#setup.layers.close();
    const localTools = [this.#localTools, ...this.#pastLocalTools];
    await Promise.all([
      this.usage.close(),
      this.#learning.close(),
      this.upstreams.close(),
      ...localTools.map((tools) => tools.close()),
    ]);
  }

  #compose({ base, overlay, visibility }: Composition): Snapshot {
    const { key: seen } = visibility;
    const key = overlay?.layer ?? base;
    const ofBase = this.#composed.get(base) ?? new WeakMap<Layer, Map<string, Snapshot>>();
    this.#composed.set(base, ofBase);
    const ofLayer = ofBase.get(key) ?? new Map<string, Snapshot>();
    ofBase.set(key, ofLayer);
    const known = ofLayer.get(seen);
    if (known !== undefined) return known;
    const snapshot = composeSnapshot({
      layers: overlay === undefined ? [base] : [overlay.layer, base],
      workspace: overlay?.workspace,
      repo: overlay?.repo ?? null,
      visibility,
      config: this.config,
      env: this.#options.env,
      isRemote: this.#options.isRemote ?? false,
      tools: this.#tools.tools,
      toolSegment: this.#toolSegment,
      quarantined: this.upstreams.quarantined(),
      diagnostics: [
        ...(this.#reloadProblem === undefined ? [] : [this.#reloadProblem]),
        ...this.#setup.diagnostics,
        ...this.#localTools.diagnostics,
        ...this.#tools.diagnostics,
      ],
      learned: () => this.#learning.learned,
      unlisted: () => this.#firstListings.unlisted(),
    });
    ofLayer.set(seen, snapshot);
    return snapshot;
  }

  async #reload(): Promise<void> {
    const { log } = this.#options;
    try {
      const setup = await reopenSetup(this.#options, this.#setup);
      if (setup === this.#setup && this.#reloadProblem === undefined) return;
      this.#reloadProblem = undefined;
      this.#takeOver(setup);
      log('info', `${setup.path}: taken over`, {});
      if (this.#watches.length > 0) void this.upstreams.keepListing();
    } catch (error) {
      if (!(error instanceof PlaybookError)) throw error;
      this.#reloadProblem = notTakenOver(this.configPath, error);
      log('error', this.#reloadProblem.message, {});
    }
    this.#renew();
  }

  /** The tools, or what is said about them, are other than before: the next call composes anew. */
  #renew(): void {
    this.#tools = this.#mergeTools();
    this.#toolSegment = this.#indexTools();
    this.#composed = new WeakMap();
    this.#tellChange([]);
  }

  #tellChange(paths: readonly string[]): void {
    for (const follower of this.#followers) follower(paths);
  }

  #takeOver(setup: Setup): void {
    const parts = ({ commands, code, tagRules }: Config): readonly unknown[] => [commands, code, tagRules];
    if (!isDeepStrictEqual(parts(setup.config), parts(this.config))) {
      this.#pastLocalTools.push(this.#localTools);
      this.#localTools = openLocalTools(setup.config, this.#options);
    }
    const { layers } = this.#setup;
    this.#setup = setup;
    if (layers !== setup.layers) {
      layers.close();
      setup.layers.onChange((paths) => this.#tellChange(paths));
      if (this.#watches.length > 0) setup.layers.follow();
    }
    this.upstreams.configure(setup.config);
    this.#learning.reconfigure();
  }

  #mergeTools(): MergedTools {
    const builtIn = [
      this.#results,
      this.#reports,
      ...(this.#options.allowsProposals === false ? [] : [this.#proposals]),
    ];
    return mergeTools([...builtIn, ...this.#localTools.providers, this.upstreams], this.configPath);
  }

  #indexTools(): SearchSegment {
    return buildSegment(this.#tools.tools.map(documentOfTool));
  }
}

/** What a snapshot is made of. */
interface Composition {
  readonly base: Layer;
  readonly overlay?: { readonly workspace: Workspace; readonly layer: Layer; readonly repo: string | null };
  readonly visibility: Visibility;
}

/** A call of a wrapped tool: who makes it, and where. */
type ToolCaller = Caller & { readonly workspace: Workspace | undefined };
