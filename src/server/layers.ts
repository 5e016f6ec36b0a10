import { type Config, mergeConfig, stateDirs } from '../config/index.ts';
import { messageOf } from '../errors.ts';
import { GitSources } from '../files/git/git-sources.ts';
import { findSources, findWorkspaceSource } from '../files/sources.ts';
import { readWorkspaceConfig } from '../files/workspace-config.ts';
import { resolveWorkspace, type Workspace } from '../files/workspace.ts';
import type { Playbook } from '../model.ts';
import { type Layer, type LayerOrigin, LiveLayer, type OnLayerChange } from './live-layer.ts';
import { packageInfo } from './package-root.ts';
import { rememberTags } from './remember-tags.ts';
import type { RuntimeOptions } from './runtime-options.ts';

/** Overlays kept in memory: an agent works in one repository, a person's editor in a few. */
const MOST_OVERLAYS = 8;
const WORKSPACE_HOLDS_MS = 5_000;
/** The playbooks of a process: a base of central and user ones, loaded once, and a layer over it for each workspace in use. */
export class PlaybookLayers {
  readonly #options: RuntimeOptions;
  readonly #config: Config;
  readonly #gitSources: GitSources;
  readonly #base: LiveLayer;
  readonly #overlays = new Map<string, Promise<LiveLayer>>();
  readonly #workspaces = new Map<string, { readonly workspace: Workspace | undefined; readonly at: number }>();
  #isFollowing = false;
  #isClosed = false;
  #onChange: OnLayerChange = () => undefined;

  private constructor(options: RuntimeOptions, config: Config, origin: LayerOrigin) {
    this.#options = options;
    this.#config = config;
    this.#gitSources = gitSourcesOf(options, config);
    this.#base = new LiveLayer(origin, {
      find: () => findBase(options, config),
      // The package's own playbooks come and go with the program.
      isFixed: ({ name }) => name === 'starter',
      log: options.log,
      isSearched: options.isSearched,
      onChange: (paths) => this.#onChange(paths),
    });
    this.#base.current.then(
      ({ playbooks }) => this.#remember(playbooks),
      // Told to whoever asks for the base.
      () => undefined,
    );
  }

  /**
   * Finds the sources and begins to load the base.
   *
   * @throws PlaybookError `source/not-found`.
   */
  static async open(options: RuntimeOptions, config: Config): Promise<PlaybookLayers> {
    const { fetchSources } = options;
    if (fetchSources !== undefined) await gitSourcesOf(options, config).fetch(fetchSources);
    return new PlaybookLayers(options, config, await findBase(options, config));
  }

  /** The layer of central and user playbooks, as it is now. */
  get base(): Promise<Layer> {
    return this.#base.current;
  }

  /** Whom changes of any layer are told. */
  onChange(listener: OnLayerChange): void {
    this.#onChange = listener;
  }

  /** Follows the files of every layer, and the repositories of git sources, until `close`. */
  follow(): void {
    this.#isFollowing = true;
    this.#gitSources.follow();
    this.#base.follow();
    for (const overlay of this.#overlays.values()) void overlay.then((live) => live.follow());
  }

  close(): void {
    this.#isClosed = true;
    this.#gitSources.close();
    this.#base.close();
    for (const overlay of this.#overlays.values()) void closeLayer(overlay);
  }

  /**
   * The workspace of a call. Finding it asks the file system a dozen times; agents call in bursts, so an answer holds for a while.
   *
   * @param asked the `workspace` argument of the call.
   * @param roots asks the client for its roots; only where nothing more specific says what the workspace is.
   * @throws PlaybookError `workspace/not-found`, `workspace/not-allowed`.
   */
  async workspaceOf(
    asked: string | undefined,
    roots: () => Promise<readonly string[]>,
  ): Promise<Workspace | undefined> {
    const { flags, env, cwd, isRemote = false } = this.#options;
    const isSaid = isRemote || (asked ?? '') !== '' || flags.workspaces.length > 0;
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
      isRemote,
    });
    if (this.#workspaces.size >= MOST_OVERLAYS) this.#workspaces.clear();
    this.#workspaces.set(key, { workspace, at: performance.now() });
    return workspace;
  }

  /** The layer of a workspace as it is now, loaded when it is first asked for. */
  async overlayOf(workspace: Workspace): Promise<Layer> {
    const known = this.#overlays.get(workspace.directory);
    const overlay = known ?? this.#openOverlay(workspace);
    // Deleting first makes this the latest in the map's order; the oldest goes when there are too many.
    this.#overlays.delete(workspace.directory);
    this.#overlays.set(workspace.directory, overlay);
    const [oldest] = this.#overlays;
    if (oldest !== undefined && this.#overlays.size > MOST_OVERLAYS) {
      this.#overlays.delete(oldest[0]);
      void closeLayer(oldest[1]);
    }
    try {
      return await (
        await overlay
      ).current;
    } catch (error) {
      // A load that failed is tried again by the next call.
      this.#overlays.delete(workspace.directory);
      throw error;
    }
  }

  async #openOverlay(workspace: Workspace): Promise<LiveLayer> {
    const find = (): Promise<LayerOrigin> => findOverlay(this.#options, this.#config, workspace);
    const overlay = new LiveLayer(await find(), {
      find,
      isFixed: () => false,
      log: this.#options.log,
      isSearched: this.#options.isSearched,
      onChange: (paths) => this.#onChange(paths),
    });
    if (this.#isFollowing && !this.#isClosed) overlay.follow();
    return overlay;
  }

  async #remember(playbooks: readonly Playbook[]): Promise<void> {
    try {
      await rememberTags(stateDirs(this.#options.env).cache, playbooks);
    } catch (error) {
      // A cache that cannot be written costs the next run's instructions their tags, and nobody their playbooks.
      this.#options.log('warn', `The tags for the instructions cannot be kept: ${messageOf(error)}`, {});
    }
  }
}

function gitSourcesOf({ env, log }: RuntimeOptions, { sources }: Config): GitSources {
  return new GitSources(
    sources.filter((source) => source.kind === 'git'),
    env,
    ({ name }) => log('info', `Fetching the source ${name}…`, { isProgress: true }),
  );
}

async function findBase({ flags, env }: RuntimeOptions, config: Config): Promise<LayerOrigin> {
  const { sources, diagnostics } = await findSources({ config, flags, env, packageRoot: packageInfo().root });
  return { sources, diagnostics, synonyms: Object.fromEntries(config.search.synonyms) };
}

async function findOverlay({ env }: RuntimeOptions, config: Config, workspace: Workspace): Promise<LayerOrigin> {
  const [found, local] = await Promise.all([
    findWorkspaceSource(config, workspace),
    readWorkspaceConfig(workspace, env),
  ]);
  // Of what a repository configures, only what words mean reaches the catalog.
  const { search } = mergeConfig(config, ...local.layers.flatMap(({ search: own }) => (own ? [{ search: own }] : [])));
  return {
    sources: found.sources,
    diagnostics: [...local.diagnostics, ...found.diagnostics],
    synonyms: Object.fromEntries(search.synonyms),
  };
}

/** One that could not be loaded has nothing to close, and whoever asked for it was told. */
async function closeLayer(layer: Promise<LiveLayer>): Promise<void> {
  const [outcome] = await Promise.allSettled([layer]);
  if (outcome.status === 'fulfilled') outcome.value.close();
}
