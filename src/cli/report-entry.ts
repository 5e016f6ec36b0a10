import type { Entry } from '../model.ts';

/** An entry as the command line's JSON shows it: flat, stable keys, absent where there is nothing to say. */
export interface EntryReport {
  readonly id: string;
  readonly kind: Entry['kind'];
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly source: string;
  readonly status: Entry['status'];
  readonly path?: string;
  readonly digest: string;
}

export function toReport(entry: Entry): EntryReport {
  const { id, kind, name, description, tags, source, status, digest } = entry;
  const path = entry.kind === 'playbook' ? { path: entry.playbook.path } : {};
  return { id, kind, name, description, tags, source, status, ...path, digest };
}
