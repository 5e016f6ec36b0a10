import type { Era } from './definition-cache.ts';
import type { UpstreamState } from './shared-connection.ts';

/** How an upstream is doing, for `doctor`. */
export interface UpstreamStatus {
  readonly name: string;
  readonly state: UpstreamState;
  /** Why it cannot be used, or cannot list its tools. */
  readonly reason?: string;
  /** How many tools it has listed, before `allow` and `deny`; absent where it never listed any. */
  readonly toolCount?: number;
  /** The era that it last spoke. */
  readonly era?: Era;
  /** What is wrong with it although it can be used; absent where nothing is. */
  readonly notes?: readonly string[];
  /** The last lines that it wrote to stderr, oldest first; absent where it wrote none. */
  readonly stderrTail?: readonly string[];
}
