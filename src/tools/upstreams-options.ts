import type { Implementation } from '@modelcontextprotocol/client';

import type { TagRule, UpstreamConfig } from '../config/index.ts';
import type { Log } from './log.ts';

/** Which upstreams there are, and what they need of their surroundings. */
export interface UpstreamsOptions {
  readonly upstreams: readonly UpstreamConfig[];
  readonly tagRules?: readonly TagRule[];
  /** Folder for what may be lost; made at the first write. */
  readonly cacheDir: string;
  readonly log: Log;
  /** File of the approved definitions; made, with its folder, when the first tool is seen. */
  readonly approvalsFile: string;
  /** File of the tokens that people have logged in for; made, with its folder, by the first login. */
  readonly credentialsFile: string;
  /** How we introduce ourselves to upstreams. */
  readonly clientInfo: Implementation;
  /** `file:` URLs that servers are told when they ask for roots while no call is running; [] by default. */
  readonly roots?: () => Promise<readonly string[]>;
  /** How long a server may take from its start to the end of the handshake; 60,000 by default. */
  readonly connectTimeoutMs?: number;
}
