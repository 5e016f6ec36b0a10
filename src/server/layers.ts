import { type Config, mergeConfig, stateDirs } from '../config/index.ts';
import { messageOf } from '../errors.ts';
import { findSources, findWorkspaceSource, type FoundSources } from '../files/sources.ts';
import { readWorkspaceConfig } from '../files/workspace-config.ts';
import { resolveWorkspace, type Workspace } from '../files/workspace.ts';
import type { Diagnostic, Playbook, Source } from '../model.ts';
import { buildSegment, type SearchSegment } from '../search/search-index.ts';
import { loadPlaybooks } from './load.ts';
import { packageInfo } from './package-root.ts';
import { rememberTags } from './remember-tags.ts';
import { reportDiagnostics } from './report-diagnostics.ts';
import type { RuntimeOptions } from './runtime-options.ts';

/** Overlays kept in memory: an agent works in one repository, a person's editor in a few. */
const MOST_OVERLAYS = 8;
const WORKSPACE_HOLDS_MS = 5_000;
/** Diagnostics that a load puts on stderr; the rest is in `doctor`. */
const MOST_REPORTED = 20;

/** The playbooks of some sources, searchable. */
export interface Layer {
  /** Most specific first. */
  readonly sources: readonly Source[];
  readonly playbooks: readonly Playbook[];
  readonly segment: SearchSegment;
  readonly synonyms: Readonly<Record<string, readonly string[]>>;
  readonly diagnostics: readonly Diagnostic[];
}

/** The playbooks of a process: a base of central and user ones, loaded once, and a layer over it for each workspace in use. */
export class PlaybookLayers {
  /** Rejects only with what is a bug: everything that a person can mend has been said before. */
  readonly base: Promise<Layer>;
  readonly #options: RuntimeOptions;
  readonly #config: Config;
  readonly #overlays = new Map<string, Promise<Layer>>();
  readonly #workspaces = new Map<string, { readonly workspace: Workspace | undefined; readonly at: number }>();

  private constructor(options: RuntimeOptions, config: Config, found: FoundSources) {
    this.#options = options;
    this.#config = config;
    this.base = this.#loadBase(found);
    // Whoever asks for a snapshot is told; nobody may have asked yet.
    this.base.catch(() => undefined);
  }

  /**
   * Finds the sources and begins to load the base.
   *
   * @throws PlaybookError `source/not-found`.
   */
  static async open(options: RuntimeOptions, config: Config): Promise<PlaybookLayers> {
    const { flags, env } = options;
    return new PlaybookLayers(
      options,
      config,
      await findSources({ config, flags, env, packageRoot: packageInfo().root }),
    );
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

  /** The layer of a workspace, loaded when it is first asked for. */
  overlayOf(workspace: Workspace): Promise<Layer> {
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
    const layer = await this.#load(found, [...found.diagnostics]);
    try {
      await rememberTags(stateDirs(this.#options.env).cache, layer.playbooks);
    } catch (error) {
      // A cache that cannot be written costs the next run's instructions their tags, and nobody their playbooks.
      this.#options.log('warn', `The tags for the instructions cannot be kept: ${messageOf(error)}`, {});
    }
    return layer;
  }

  async #loadOverlay(workspace: Workspace): Promise<Layer> {
    const [found, local] = await Promise.all([
      findWorkspaceSource(this.#config, workspace),
      readWorkspaceConfig(workspace, this.#options.env),
    ]);
    // Of what a repository configures, only what words mean reaches the catalog.
    const { search } = mergeConfig(
      this.#config,
      ...local.layers.flatMap(({ search: own }) => (own ? [{ search: own }] : [])),
    );
    return this.#load(found, [...local.diagnostics, ...found.diagnostics], search.synonyms);
  }

  async #load(
    { sources }: FoundSources,
    findings: readonly Diagnostic[],
    synonyms: Config['search']['synonyms'] = this.#config.search.synonyms,
  ): Promise<Layer> {
    const { playbooks, documents, diagnostics } = await loadPlaybooks(sources);
    const all = [...findings, ...diagnostics];
    reportDiagnostics(this.#options.log, all, MOST_REPORTED);
    return {
      sources,
      playbooks,
      segment: buildSegment(documents),
      synonyms: Object.fromEntries(synonyms),
      diagnostics: all,
    };
  }
}
