import { join } from 'node:path';
import type { Catalog } from '../catalog/catalog.ts';
import { isInside } from '../files/places.ts';
import type { Entry, Playbook, PlaybookEntry, SourceFile } from '../model.ts';
import type { ParseOutcome } from '../playbooks/parse.ts';
import { parsePlaybook } from '../playbooks/parse.ts';
import { findEntries } from './search-tool.ts';
import type { Snapshot } from './snapshot.ts';

/** Where the playbooks of a workspace are kept. */
export interface PlaybookFolder {
  /** Absolute; need not exist. */
  readonly folder: string;
  /** What most of its playbooks are; `file` where there are none. */
  readonly shape: SourceFile['shape'];
}

/** The nearest folder of the workspace that holds playbooks already; else `otherwise`. */
export function playbookFolderOf({ sources, catalog }: Snapshot, otherwise: string): PlaybookFolder {
  const own = catalog.entries
    .filter((entry): entry is PlaybookEntry => entry.kind === 'playbook')
    .map(({ playbook }) => playbook)
    .filter(({ source }) => source.kind === 'workspace');
  const inFolder = (folder: string): readonly Playbook[] => own.filter(({ path }) => isInside(path, folder));
  const folders = sources.flatMap((source) => (source.kind === 'workspace' ? source.folders : []));
  const folder = folders.find((each) => inFolder(each).length > 0);
  if (folder === undefined) return { folder: otherwise, shape: 'file' };
  const there = inFolder(folder);
  const skillCount = there.filter(({ shape }) => shape === 'folder').length;
  return { folder, shape: skillCount * 2 > there.length ? 'folder' : 'file' };
}

/** Where a new playbook will be. */
export interface NewPlace {
  readonly id: string;
  readonly shape: SourceFile['shape'];
  /** Absolute folder of playbooks. */
  readonly folder: string;
}

/** The path below the folder of playbooks, `/` between its parts. */
export function newPathOf({ id, shape }: Omit<NewPlace, 'folder'>): string {
  return shape === 'folder' ? `${id}/SKILL.md` : `${id}.md`;
}

/** What will be read of a new playbook's text. */
export function parseNew(text: string, { id, shape, folder }: NewPlace): ParseOutcome {
  const source = {
    name: 'workspace',
    kind: 'workspace',
    label: 'workspace',
    folders: [folder],
    isTrusted: false,
  } as const;
  const path = join(folder, newPathOf({ id, shape }));
  const bytes = new TextEncoder().encode(text);
  return parsePlaybook({ source, path, realPath: path, id, shape, bytes, supportingFiles: [] });
}

/** The entry that an id means already, in any case of its letters and whatever its source. */
export function entryWithId({ entries }: Catalog, id: string): Entry | undefined {
  const folded = id.toLowerCase();
  return entries.find(
    (entry) =>
      entry.id.toLowerCase() === folded || (entry.kind === 'playbook' && entry.playbook.id.toLowerCase() === folded),
  );
}

/** Playbooks that answer the description, at most three: one of them may be the one that was meant. */
export function nearestOf(snapshot: Snapshot, { description }: Pick<Playbook, 'description'>): readonly Entry[] {
  return findEntries(snapshot, { query: description, kind: 'playbook', limit: 3 })
    .slice(0, 3)
    .map(({ entry }) => entry);
}
