import type { Catalog } from '../catalog/catalog.ts';
import type { Diagnostic, Source } from '../model.ts';
import type { Workspace } from '../files/workspace.ts';
import type { LearnedQueries } from '../search/learned.ts';
import type { SearchSegment } from '../search/search-index.ts';

/** Everything one call sees: a catalog and its index, of the base and of the workspace at hand. Never changes. */
export interface Snapshot {
  readonly catalog: Catalog;
  readonly segments: readonly SearchSegment[];
  /** Most specific first. */
  readonly sources: readonly Source[];
  readonly workspace: Workspace | undefined;
  /** The workspace's repository, as usage names it; null without a workspace. */
  readonly repo: string | null;
  /** Folders where playbooks are looked for, there or not. */
  readonly usualFolders: readonly string[];
  /** Whether callers work on another machine, to whom paths of this one mean nothing. */
  readonly isRemote: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Words that mean the same here, as `SearchOptions.synonyms`. */
  readonly synonyms: Readonly<Record<string, readonly string[]>>;
  /** What use has taught, as it is known at this moment. */
  readonly learned: () => LearnedQueries | undefined;
  /** Lines that the foot of a search adds: no workspace, servers whose tools are not listed at this moment. */
  readonly notices: () => readonly string[];
}
