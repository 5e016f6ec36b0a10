/** What `stats --by` groups by. */
export const GROUPINGS = ['entry', 'tag', 'source', 'owner', 'client', 'repo'] as const;
