/** What stands where a wrapped tool has the name of its server, for entries that only serve other entries. */
export const BUILT_IN = 'playbook-mcp';
