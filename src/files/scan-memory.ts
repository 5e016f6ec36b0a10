import { stat } from 'node:fs/promises';

import { type FolderPath, listFolder, type Listing } from './list-folder.ts';

/** What tells one state of a file from another, as far as the file system tells. */
export interface Measure {
  /** In bytes. */
  readonly size: number;
  readonly mtimeMs: number;
  /** Equal for equal states; two writes within one tick of the file system's clock may give equal ones too. */
  readonly stamp: string;
}

/**
 * What earlier scans have seen, for folders of which every change is told: 3,000 playbooks lie in as many folders, and a save
 * concerns one of them. Links are looked at each time, since what they lead to may change elsewhere.
 */
export class ScanMemory {
  readonly #isWatched: (realPath: string) => boolean;
  readonly #listings = new Map<string, Listing & { readonly path: string }>();
  readonly #measures = new Map<string, Measure>();
  /** Counts what was forgotten: what was read before a change and arrives after it must not be kept. */
  #version = 0;

  /** @param isWatched whether each change of a folder, by its path without links, reaches `forget`. */
  constructor(isWatched: (realPath: string) => boolean = () => false) {
    this.#isWatched = isWatched;
  }

  /** As `listFolder`. */
  async list(folder: FolderPath, places: readonly string[] | undefined): Promise<Listing> {
    const known = this.#listings.get(folder.realPath);
    if (known?.path === folder.path) return known;
    const [version, isKept] = [this.#version, this.#isWatched(folder.realPath)];
    const listing = await listFolder(folder, places);
    const isWhole = listing.diagnostics.length === 0 && listing.items.every(({ isLink }) => !isLink);
    if (isKept && isWhole && version === this.#version) {
      this.#listings.set(folder.realPath, { ...listing, path: folder.path });
    }
    return listing;
  }

  /** Measures a file. @param folder of the file, without links; undefined where a link leads to the file */
  async measure(path: string, folder: string | undefined): Promise<Measure> {
    const known = this.#measures.get(path);
    if (known !== undefined) return known;
    const [version, isKept] = [this.#version, folder !== undefined && this.#isWatched(folder)];
    const { size, mtimeMs, ctimeMs, ino } = await stat(path);
    const measure = { size, mtimeMs, stamp: [ino, size, mtimeMs, ctimeMs].join(' ') };
    if (isKept && version === this.#version) this.#measures.set(path, measure);
    return measure;
  }

  /** Something of that name has changed in a folder; undefined where the system does not tell which. */
  forget(folder: string, path: string | undefined): void {
    this.#version += 1;
    this.#listings.delete(folder);
    if (path === undefined) this.#measures.clear();
    else this.#measures.delete(path);
  }

  /** Everything may have changed. */
  clear(): void {
    this.#version += 1;
    this.#listings.clear();
    this.#measures.clear();
  }
}
