import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { messageOf, PlaybookError } from '../errors.ts';
import { isInside, realDirectoryOf } from '../files/places.ts';
import { ScanMemory } from '../files/scan-memory.ts';
import { FolderWatches, type FolderWatchesOptions } from '../files/watch-folders.ts';
import type { Diagnostic, Playbook, Source } from '../model.ts';
import { mergeSegments } from '../search/merge-segments.ts';
import { buildSegment, type SearchSegment } from '../search/search-index.ts';
import type { Log } from '../tools/log.ts';
import { type KnownPlaybooks, type LoadedPlaybooks, loadPlaybooks } from './load.ts';
import { reportDiagnostics } from './report-diagnostics.ts';

/** Changes come in swarms (an editor writes three files for one, git a thousand): a load waits for this long a pause … */
const PAUSE_MS = 20;
/** … but not longer than this for the first of them. */
const LONGEST_PAUSE_MS = 250;
/** Folders that come and go are looked for this often: one that is not there cannot be watched. */
const LOOK_FOR_FOLDERS_MS = 1_000;
/** File systems that tell of no change (network mounts, some containers) are looked at as a whole this often. */
const SWEEP_MS = 60_000;
/** Where there are no watches to be had, looking takes this share of the time at most, and is done this often at most. */
const POLL_SHARE = 20;
const POLL_MS = 2_000;
/** Written files that are told of one load: a checkout may write more, of which each playbook is found anyway. */
const MOST_WRITTEN = 1_000;
/** Diagnostics that a load puts on stderr; the rest is in `doctor`. */
const MOST_REPORTED = 20;

/** The playbooks of some sources, searchable. Never changes; a change of a file makes another one. */
export interface Layer {
  /** Most specific first. */
  readonly sources: readonly Source[];
  readonly playbooks: readonly Playbook[];
  readonly segment: SearchSegment;
  readonly synonyms: Readonly<Record<string, readonly string[]>>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Where the playbooks of a layer come from, as it is at the moment. */
export interface LayerOrigin {
  readonly sources: readonly Source[];
  readonly synonyms: Layer['synonyms'];
  /** What was found wrong on the way. */
  readonly diagnostics: readonly Diagnostic[];
}

/** @param paths real paths of files that were written, playbooks or not, as far as the system tells them. */
export type OnLayerChange = (paths: readonly string[]) => void;

interface LiveLayerOptions {
  /** Finds where the playbooks come from. @throws PlaybookError where that cannot be told; what was found before stays good. */
  readonly find: () => Promise<LayerOrigin>;
  /** Sources that never change while the process lives. */
  readonly isFixed: (source: Source) => boolean;
  readonly log: Log;
  /** See `RuntimeOptions`. */
  readonly isSearched?: boolean | undefined;
  /** Called when files were written or the layer is another one. */
  readonly onChange?: OnLayerChange;
  /** See `FolderWatchesOptions.watch`. */
  readonly watch?: FolderWatchesOptions['watch'];
}

interface LayerState {
  readonly layer: Layer;
  readonly origin: LayerOrigin;
  /** Not the documents, which weigh more than all the rest. */
  readonly known: KnownPlaybooks;
  readonly folders: LoadedPlaybooks['folders'];
  /** The sources' folders without links, as they were before the load; undefined for each that was not there. */
  readonly places: readonly (string | undefined)[];
}

/** A layer that follows its files: the one at hand is always whole, and is replaced when a newer one is. */
export class LiveLayer {
  readonly #options: LiveLayerOptions;
  readonly #memory: ScanMemory;
  readonly #watches: FolderWatches;
  readonly #timers: NodeJS.Timeout[] = [];
  #state: Promise<LayerState>;
  #isFollowing = false;
  #isPolling = false;
  #pause: NodeJS.Timeout | undefined;
  #pausedSince = 0;
  #isLoading = false;
  #isStale = false;
  #written = new Set<string>();

  /** @param origin what `find` gave just now. */
  constructor(origin: LayerOrigin, options: LiveLayerOptions) {
    this.#options = options;
    this.#watches = new FolderWatches({
      onChange: (folder, path) => this.#changed(folder, path),
      onExhausted: (reason) => this.#startPolling(reason),
      watch: options.watch,
    });
    this.#memory = new ScanMemory((folder) => this.#watches.isWatched(folder));
    this.#state = this.#load(origin, undefined);
    // Whoever asks is told; nobody may have asked yet.
    this.#state.catch(() => undefined);
  }

  /** The layer as it is now. Rejects only with what is a bug: everything that a person can mend is a diagnostic. */
  get current(): Promise<Layer> {
    return this.#state.then(({ layer }) => layer);
  }

  /** Follows the files until `close`. */
  follow(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    this.#every(LOOK_FOR_FOLDERS_MS, () => void this.#lookForFolders());
    this.#every(SWEEP_MS, () => this.#sweep());
    this.#state.then(
      (state) => this.#watch(state),
      // Told to whoever asks for the layer.
      () => this.close(),
    );
  }

  close(): void {
    this.#isFollowing = false;
    for (const timer of [...this.#timers, this.#pause]) clearTimeout(timer);
    this.#watches.close();
  }

  #every(ms: number, run: () => void): void {
    this.#timers.push(setInterval(run, ms).unref());
  }

  #changed(folder: string, path: string | undefined): void {
    this.#memory.forget(folder, path);
    if (path !== undefined && this.#written.size < MOST_WRITTEN) this.#written.add(path);
    this.#schedule();
  }

  #schedule(): void {
    if (!this.#isFollowing) return;
    if (this.#pause === undefined) this.#pausedSince = performance.now();
    else if (performance.now() - this.#pausedSince > LONGEST_PAUSE_MS) return;
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      void this.#refresh();
    }, PAUSE_MS).unref();
  }

  #sweep(): void {
    this.#watches.clear();
    this.#memory.clear();
    this.#schedule();
  }

  /** A folder that has come, or gone, or a repository's configuration that reads otherwise. */
  async #lookForFolders(): Promise<void> {
    try {
      const { origin, places } = await this.#state;
      const found = await this.#find(origin);
      // What cannot be found any more stays in the origin, so that its folder can come back.
      if (!isDeepStrictEqual([found, await placesOf(found)], [origin, places])) this.#schedule();
    } catch (error) {
      this.#tellBug(error);
    }
  }

  /** One load at a time; what changes meanwhile is seen by one more. */
  async #refresh(): Promise<void> {
    this.#isStale = true;
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      while (this.#isStale && this.#isFollowing) {
        this.#isStale = false;
        const before = await this.#state;
        const next = await this.#load(await this.#find(before.origin), before);
        if (!this.#isFollowing) return;
        this.#state = Promise.resolve(next);
        this.#watch(next);
        this.#tellChange(next.layer !== before.layer);
      }
    } catch (error) {
      this.#tellBug(error);
    } finally {
      this.#isLoading = false;
    }
  }

  #tellChange(isOther: boolean): void {
    const paths = [...this.#written];
    this.#written.clear();
    if (isOther || paths.length > 0) this.#options.onChange?.(paths);
  }

  /** What was loaded before stays in use; a server that ends because a file was saved would be the worse answer. */
  #tellBug(error: unknown): void {
    this.#options.log('error', `The playbooks could not be loaded anew: ${messageOf(error)}`, {
      stack: error instanceof Error ? error.stack : undefined,
    });
  }

  async #find(before: LayerOrigin): Promise<LayerOrigin> {
    try {
      const found = await this.#options.find();
      // A source that is as it was stays the same object: its playbooks need not be parsed again.
      const same = (source: Source): Source => before.sources.find((old) => isDeepStrictEqual(old, source)) ?? source;
      return { ...found, sources: found.sources.map(same) };
    } catch (error) {
      if (error instanceof PlaybookError) return before;
      throw error;
    }
  }

  async #load(origin: LayerOrigin, before: LayerState | undefined): Promise<LayerState> {
    const began = performance.now();
    const { log, isSearched } = this.#options;
    const places = await placesOf(origin);
    const loaded = await loadPlaybooks(origin.sources, {
      memory: this.#memory,
      isSearched,
      ...(before && { before: before.known }),
    });
    const layer = toLayer(origin, loaded, before?.layer);
    const { playbooks, files, folders } = loaded;
    if (layer !== before?.layer) {
      reportDiagnostics(log, newIn(layer.diagnostics, before?.layer.diagnostics ?? []), MOST_REPORTED);
    }
    log('debug', 'playbooks loaded', {
      playbooks: playbooks.length,
      parsed: loaded.parsedCount,
      changed: loaded.documents.length,
      gone: loaded.stale.size,
      ms: Math.round(performance.now() - began),
    });
    return { layer, origin, known: { playbooks, files }, folders, places };
  }

  #watch({ folders, origin }: LayerState): void {
    if (!this.#isFollowing || this.#isPolling) return;
    const fixed = origin.sources.filter(this.#options.isFixed).flatMap((source) => source.folders);
    const watched = [...folders].filter((folder) => !fixed.some((place) => isInside(folder, place)));
    // What has changed between the scan and the watch was told to nobody.
    if (this.#watches.sync(new Set(watched))) this.#schedule();
  }

  #startPolling(reason: string): void {
    this.#isPolling = true;
    this.#memory.clear();
    this.#options.log(
      'warn',
      `No folder can be watched (${reason}): playbooks are looked at every few seconds instead. ` +
        'Raise the limit (fs.inotify.max_user_watches, or ulimit -n) and start again.',
      {},
    );
    void this.#poll();
  }

  async #poll(): Promise<void> {
    while (this.#isFollowing) {
      const began = performance.now();
      await this.#refresh();
      await delay(Math.max(POLL_MS, (performance.now() - began) * POLL_SHARE), undefined, { ref: false });
    }
  }
}

function placesOf({ sources }: LayerOrigin): Promise<readonly (string | undefined)[]> {
  return Promise.all(sources.flatMap(({ folders }) => folders).map(realDirectoryOf));
}

/** The very same layer where nothing has changed, so that what is made of it is made once. */
function toLayer(
  { sources, synonyms, diagnostics: found }: LayerOrigin,
  loaded: LoadedPlaybooks,
  before?: Layer,
): Layer {
  const { playbooks, documents, stale } = loaded;
  const diagnostics = [...found, ...loaded.diagnostics];
  if (before === undefined) return { sources, playbooks, segment: buildSegment(documents), synonyms, diagnostics };
  const isSameText = documents.length === 0 && stale.size === 0;
  const isSame =
    playbooks.length === before.playbooks.length && playbooks.every((one, at) => one === before.playbooks[at]);
  const rest = { sources, synonyms, diagnostics };
  const { playbooks: _, segment: old, ...restBefore } = before;
  if (isSameText && isSame && isDeepStrictEqual(rest, restBefore)) return before;
  const segment = isSameText
    ? old
    : mergeSegments([old, buildSegment(documents)], (key, of) => of === old && stale.has(key));
  return { ...rest, playbooks, segment };
}

function newIn(diagnostics: readonly Diagnostic[], before: readonly Diagnostic[]): readonly Diagnostic[] {
  const known = new Set(before.map((diagnostic) => JSON.stringify(diagnostic)));
  return diagnostics.filter((diagnostic) => !known.has(JSON.stringify(diagnostic)));
}
