import type { Env, Flags } from '../config/index.ts';
import type { Log } from '../tools/log.ts';

/** What a process was started with. */
export interface RuntimeOptions {
  readonly flags: Flags;
  readonly configPath?: string;
  readonly env: Env;
  readonly cwd: string;
  readonly log: Log;
  /** How long an upstream server may take to start; 60,000 by default. */
  readonly connectTimeoutMs?: number;
  /**
   * Which git sources are fetched before anything is loaded: those that never were, or every one whose time has come. None by
   * default: a server fetches in the background.
   */
  readonly fetchSources?: 'missing' | 'stale';
  /** False for a command that searches nothing: no index of the playbooks is made. True by default. */
  readonly isSearched?: boolean;
  /** Whether agents may save playbooks in their workspace (`playbooks__propose`); true by default. */
  readonly allowsProposals?: boolean;
  /** True over HTTP: callers work elsewhere, so that workspaces are only those of the flags. */
  readonly isRemote?: boolean;
}
