import { setTimeout as delay } from 'node:timers/promises';

import { stateDirs } from '../../config/paths.ts';
import type { Env, GitSourceConfig } from '../../config/types.ts';
import { realDirectoryOf } from '../places.ts';
import { cloneOf } from './clone.ts';
import { refreshDueMs, refreshGitSource } from './refresh.ts';

/** Timers of Node end at 24.8 days; looking once a day is often enough to find a clock that was changed. */
const LONGEST_SLEEP_MS = 24 * 60 * 60_000;
const POLL_MS = 200;

/** Fetches the git sources of a configuration, now or again and again, until it is closed. */
export class GitSources {
  readonly #sources: readonly GitSourceConfig[];
  readonly #env: Env;
  readonly #onFetch: (source: GitSourceConfig) => void;
  readonly #ending = new AbortController();

  /** @param onFetch told before a source is fetched. */
  constructor(sources: readonly GitSourceConfig[], env: Env, onFetch: (source: GitSourceConfig) => void) {
    this.#sources = sources;
    this.#env = env;
    this.#onFetch = onFetch;
  }

  /** Refreshes each source in the background whenever its time has come. */
  follow(): void {
    for (const source of this.#sources) void this.#follow(source);
  }

  /** Fetches every source that was never fetched, or with `stale` every one whose time has come; ends when they are there or have failed. */
  async fetch(which: 'missing' | 'stale'): Promise<void> {
    await Promise.all(this.#sources.map((source) => this.#fetch(source, which)));
  }

  close(): void {
    this.#ending.abort();
  }

  async #follow(source: GitSourceConfig): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      const dueMs = await refreshDueMs(source, this.#env);
      if (dueMs <= 0) await this.#refresh(source);
      // At least a second: the claim of another process is looked at again then.
      const sleepMs = Math.min(Math.max(dueMs, 1_000), LONGEST_SLEEP_MS);
      await delay(sleepMs, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  async #fetch(source: GitSourceConfig, which: 'missing' | 'stale'): Promise<void> {
    const { signal } = this.#ending;
    const isThere = await this.#isThere(source);
    if (isThere && (which === 'missing' || (await refreshDueMs(source, this.#env)) > 0)) return;
    await this.#refresh(source);
    // Another process may be at it.
    while (!signal.aborted && !(await this.#isThere(source)) && (await refreshDueMs(source, this.#env)) <= 0) {
      await delay(POLL_MS);
      await this.#refresh(source);
    }
  }

  async #refresh(source: GitSourceConfig): Promise<void> {
    this.#onFetch(source);
    await refreshGitSource(source, { env: this.#env, signal: this.#ending.signal });
  }

  async #isThere(source: GitSourceConfig): Promise<boolean> {
    const { repository } = cloneOf(source, stateDirs(this.#env).cache);
    return (await realDirectoryOf(repository)) !== undefined;
  }
}
