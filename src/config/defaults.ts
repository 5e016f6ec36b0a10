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
  limits: { resultTokens: 15_000 },
  usage: { store: 'sqlite', queries: 'text', retentionDays: 400 },
  http: { tokens: [] },
  lint: { rules: new Map() },
  search: { learn: true, synonyms: new Map() },
  review: { unusedDays: 90 },
};

/** Time that one call of an upstream or command may take, where the configuration says nothing. */
export const DEFAULT_TIMEOUT_MS = 60_000;

/** Time between two looks at a git source, where the configuration says nothing. */
export const DEFAULT_REFRESH_MINUTES = 60;
