import type { Entry, Source } from '../model.ts';

/** Whether the people of this catalog answer for a source: for neither their own skills, which are served beside, nor what comes with this package. */
export function isMaintainedSource({ kind, name }: Pick<Source, 'kind' | 'name'>): boolean {
  return kind === 'workspace' || (kind === 'central' && name !== 'starter');
}

/** The same of an entry; a wrapped tool is in the catalog because they configured it. */
export function isMaintained(entry: Entry): boolean {
  return entry.kind === 'tool' || isMaintainedSource(entry.playbook.source);
}
