import { type FSWatcher, watch } from 'node:fs';
import { basename, join, sep } from 'node:path';

import { messageOf } from '../errors.ts';
import { isSystemError } from './places.ts';

/** Called with the folder in which something has changed, and the path of that if the system tells it. */
type OnFolderChange = (folder: string, path: string | undefined) => void;

export interface FolderWatchesOptions {
  readonly onChange: OnFolderChange;
  /** Called once, when the system has no watches or file handles left and all watching has ended. */
  readonly onExhausted: (reason: string) => void;
  /** How a folder is watched; `fs.watch` unless said otherwise. */
  readonly watch?: typeof watch | undefined;
}

/** What the system answers when a limit of watches or open files is reached. */
const EXHAUSTED: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EMFILE', 'ENFILE']);

/**
 * Watches single folders, not what lies below them: one watch for a folder, none for a file. (chokidar 5 takes one for each file as
 * well, measured for 3,035 skills: 6,079 watches, 80 MB and 2.3 s of processor time against 3,044, 2 MB and 0.06 s; the limit of
 * many machines is 8,192 for all programs.)
 */
export class FolderWatches {
  readonly #options: FolderWatchesOptions;
  readonly #watchers = new Map<string, FSWatcher>();
  #isEnded = false;

  constructor(options: FolderWatchesOptions) {
    this.#options = options;
  }

  /** Whether changes of that folder are told; false for all where the system has no watches left. */
  isWatched(folder: string): boolean {
    return this.#watchers.has(folder);
  }

  /**
   * Watches these folders and no others; paths are absolute and without links.
   *
   * @returns whether any is watched only from now on: what changed in it before is not told.
   */
  sync(folders: ReadonlySet<string>): boolean {
    for (const [folder, watcher] of this.#watchers) {
      if (!folders.has(folder)) this.#drop(folder, watcher);
    }
    const added = [...folders].filter((folder) => !this.#watchers.has(folder));
    for (const folder of added) if (!this.#isEnded) this.#watch(folder);
    return added.some((folder) => this.#watchers.has(folder));
  }

  /** Forgets all folders, so that the next `sync` watches each as it is then. */
  clear(): void {
    for (const [folder, watcher] of this.#watchers) this.#drop(folder, watcher);
  }

  close(): void {
    this.#isEnded = true;
    this.clear();
  }

  #watch(folder: string): void {
    try {
      const watcher = (this.#options.watch ?? watch)(folder, { persistent: false }, (event, name) =>
        this.#tell(folder, event, name),
      );
      watcher.on('error', (error) => this.#fail(folder, error));
      this.#watchers.set(folder, watcher);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      this.#fail(folder, error);
    }
  }

  #tell(folder: string, event: 'rename' | 'change', name: string | null): void {
    // A folder's own end is told by its own name.
    const isSelf = name === basename(folder);
    // Editors put their own files beside the one that is edited; what is hidden is no playbook and no part of one.
    if (name?.startsWith('.') === true && !isSelf) return;
    const path = name === null ? undefined : join(folder, name);
    if (event === 'rename' && isSelf) this.#dropBelow(folder);
    if (event === 'rename' && path !== undefined) this.#dropBelow(path);
    this.#options.onChange(folder, path);
  }

  /**
   * A watch follows its folder wherever that is moved, and dies with it: what lies at the path now, made anew or put in its place, is
   * watched from the next `sync` on.
   */
  #dropBelow(path: string): void {
    if (!this.#watchers.has(path)) return;
    for (const [folder, watcher] of this.#watchers) {
      if (folder !== path && !folder.startsWith(path + sep)) continue;
      this.#drop(folder, watcher);
      this.#options.onChange(folder, undefined);
    }
  }

  /** A folder that was removed while it was being watched; or the limit of the system. */
  #fail(folder: string, error: Error): void {
    const watcher = this.#watchers.get(folder);
    if (watcher !== undefined) this.#drop(folder, watcher);
    if (this.#isEnded) return;
    if (isSystemError(error) && EXHAUSTED.has(error.code)) {
      this.close();
      this.#options.onExhausted(messageOf(error));
    } else if (watcher !== undefined) {
      this.#options.onChange(folder, undefined);
    }
  }

  #drop(folder: string, watcher: FSWatcher): void {
    this.#watchers.delete(folder);
    watcher.close();
  }
}
