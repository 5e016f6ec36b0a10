/** What stands where a wrapped tool has the name of its server. */
export const BUILT_IN = 'playbook-mcp';

/** Entries of our own, whose ids no server can take. */
export const BUILT_IN_IDS: ReadonlySet<string> = new Set([
  'code__read',
  'code__search',
  'playbooks__propose',
  'playbooks__report',
  'results__read',
]);
