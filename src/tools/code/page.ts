import type { GrepOutcome } from './grep.ts';
import type { GrepRecord } from './records.ts';
import type { Repository } from './repositories.ts';

/** Where a search goes on. */
export interface SearchPlace {
  /** Name of the repository. */
  readonly repository: string;
  /** Matching lines of it that were shown before. */
  readonly skip: number;
}

export interface RepositoryMatches {
  readonly repository: Repository;
  readonly records: readonly GrepRecord[];
}

/** One page of a search. */
export interface SearchPage {
  /** Repositories with a match, in order. */
  readonly found: readonly RepositoryMatches[];
  readonly matchCount: number;
  /** Repositories that were looked into. */
  readonly searchedCount: number;
  readonly failed: readonly { readonly repository: Repository; readonly reason: string }[];
  /** Undefined where everything has been searched. */
  readonly next: SearchPlace | undefined;
  /** Why it is not everything. */
  readonly stoppedBy: 'limit' | 'time' | undefined;
}

export interface PageOptions {
  readonly repositories: readonly Repository[];
  readonly first: SearchPlace;
  readonly limit: number;
  readonly contextLines: number;
  readonly budgetMs: number;
}

/** Collects outcomes in the order of the repositories until the page is full or the time is up. */
export class PageBuilder {
  readonly #options: PageOptions;
  readonly #found: RepositoryMatches[] = [];
  readonly #failed: { repository: Repository; reason: string }[] = [];
  #matchCount = 0;
  #searchedCount = 0;
  #next: SearchPlace | undefined;
  #stoppedBy: SearchPage['stoppedBy'];

  constructor(options: PageOptions) {
    this.#options = options;
  }

  get isDone(): boolean {
    return this.#stoppedBy !== undefined;
  }

  add(repository: Repository, outcome: GrepOutcome): void {
    const { first } = this.#options;
    const skip = first.repository === repository.name ? first.skip : 0;
    if (outcome.kind === 'stopped') return this.#addStopped(repository, skip);
    this.#searchedCount += 1;
    if (outcome.kind === 'failed') this.#failed.push({ repository, reason: outcome.reason });
    else this.#addMatches(repository, outcome.records, skip);
  }

  page(): SearchPage {
    return {
      found: this.#found,
      matchCount: this.#matchCount,
      searchedCount: this.#searchedCount,
      failed: this.#failed,
      next: this.#next,
      stoppedBy: this.#next === undefined ? undefined : this.#stoppedBy,
    };
  }

  #addMatches(repository: Repository, records: readonly GrepRecord[], skip: number): void {
    const { limit, contextLines } = this.#options;
    const room = limit - this.#matchCount;
    const matches = records.filter(({ isMatch }) => isMatch).slice(skip);
    const shown = matches.slice(0, room);
    this.#matchCount += shown.length;
    if (shown.length > 0) this.#found.push({ repository, records: withContext(records, shown, contextLines) });
    if (matches.length > room) this.#stop('limit', { repository: repository.name, skip: skip + room });
    else if (this.#matchCount === limit) this.#stop('limit', this.#after());
  }

  /** A search that the time limit has ended begins anew on the next page; one that had all of that time is given up. */
  #addStopped(repository: Repository, skip: number): void {
    if (this.#searchedCount > 0) return this.#stop('time', { repository: repository.name, skip });
    this.#searchedCount = 1;
    this.#failed.push({ repository, reason: `it took longer than ${this.#options.budgetMs / 1000} s` });
    this.#stop('time', this.#after());
  }

  #stop(by: 'limit' | 'time', next: SearchPlace | undefined): void {
    this.#stoppedBy = by;
    this.#next = next;
  }

  #after(): SearchPlace | undefined {
    const following = this.#options.repositories[this.#searchedCount];
    return following && { repository: following.name, skip: 0 };
  }
}

/** The matches and the lines around them, without those that only belong to matches of another page. */
function withContext(
  records: readonly GrepRecord[],
  matches: readonly GrepRecord[],
  contextLines: number,
): readonly GrepRecord[] {
  if (contextLines === 0) return matches;
  const shown = new Set(matches);
  const near = new Set<string>();
  for (const { path, line } of matches) {
    for (let at = line - contextLines; at <= line + contextLines; at += 1) near.add(`${path}\0${at}`);
  }
  return records
    .filter((record) => near.has(`${record.path}\0${record.line}`))
    .map((record) => (record.isMatch && !shown.has(record) ? { ...record, isMatch: false } : record));
}
