import type { Config } from './types.ts';

/** What holds where no configuration says otherwise. */
export const defaultConfig: Config = {
  sources: [],
  starter: true,
  workspace: {
    folders: ['.playbooks', 'playbooks', '.agents/skills', '.claude/skills', '.github/skills'],
    policy: 'all',
  },
  upstreams: [],
  commands: [],
  tagRules: [],
  retired: new Map(),
  code: { roots: [] },
  limits: { resultTokens: 15_000, inputElements: 100_000 },
  usage: { store: 'sqlite', queries: 'text', retentionDays: 400 },
  http: { tokens: [], callsPerMinute: 1_200, maxBodyBytes: 4 * 1024 * 1024, targetHeader: false },
  lint: { rules: new Map() },
  search: { learn: true, synonyms: new Map() },
  review: { unusedDays: 90, minShown: 20, maxChoiceRatio: 0.5, maxFailureRatio: 0.1, minAskedBy: 3 },
};

/** Time that one call of an upstream or command may take, where the configuration says nothing. */
const DEFAULT_TIMEOUT_MS = 60_000;
/** Milliseconds; a longer timer would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Milliseconds that one call may take, given what the configuration says: 25 days at most, which is what no limit comes to. */
export function timeoutOf(configuredMs: number | undefined): number {
  return Math.min(configuredMs ?? DEFAULT_TIMEOUT_MS, LONGEST_TIMER_MS);
}

/** Time between two looks at a git source, where the configuration says nothing. */
export const DEFAULT_REFRESH_MINUTES = 60;
