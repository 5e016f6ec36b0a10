interface KeyParts {
  readonly entry: string;
  readonly source: string;
  readonly repo: string | null;
}

/**
 * One identity an entry: a workspace's playbook is another one in each repository. Apart from the schemas, which the thread that writes
 * does without: loading them takes longer than all else that it loads.
 */
export function usageKey({ entry, source, repo }: KeyParts): string {
  return source === 'workspace' && repo !== null ? `${repo}#${entry}` : entry;
}
