import { posix } from 'node:path';

import type { Playbook } from '../model.ts';
import { findLinks } from './links.ts';
import type { Link } from './links.ts';

/**
 * Something that a playbook refers to. What it is, only the catalog knows: the first of `ids` that is a playbook (its own
 * source first); else the first of `files` that is a supporting file; else it dangles.
 */
export interface ReferenceTarget {
  /** Ids to try, in order; [] for a link that leaves the source's root. */
  readonly ids: readonly string[];
  /** Paths to try, relative to the playbook's folder, `/` between segments; [] for an id. */
  readonly files: readonly string[];
  /** As it stands in the text, without an anchor. */
  readonly written: string;
  /** 1-based line of the file; 1 for the front matter's `references`, of which a playbook keeps no place. */
  readonly line: number;
  /** 1-based. */
  readonly column: number;
}

/** What a playbook refers to, without repeats: the links of its body in order of appearance, then its `references` list. */
export function referenceTargets(playbook: Playbook): readonly ReferenceTarget[] {
  const unique = new Map<string, ReferenceTarget>();
  for (const { target } of writtenReferences(playbook)) {
    // Links to oneself, such as a table of contents, are no references.
    if (target.ids[0] === playbook.id) continue;
    const key = target.ids.length === 0 ? target.written : `${target.ids.join('\n')}\n\n${target.files.join('\n')}`;
    if (!unique.has(key)) unique.set(key, target);
  }
  return [...unique.values()];
}

/** A reference as it is written. */
export interface WrittenReference {
  readonly target: ReferenceTarget;
  /** Absent for an item of the `references` list. */
  readonly link?: Link;
}

/** The same with every repeat, and links to the playbook itself. */
export function writtenReferences(playbook: Playbook): readonly WrittenReference[] {
  return [
    ...findLinks(playbook).map((link) => ({ target: targetOf(playbook, link), link })),
    ...playbook.references.map((id) => ({ target: byId(playbook, { target: id, line: 1, column: 1 }) })),
  ];
}

type Written = Pick<Link, 'target' | 'line' | 'column'>;

function targetOf(playbook: Playbook, link: Link): ReferenceTarget {
  if (link.form !== 'markdown') return byId(playbook, link);
  const path = belowRoot(playbook, link.target);
  const asWritten = belowRoot(undefined, link.target);
  return {
    ids: idsOf([path, asWritten], playbook),
    files: present([belowFolder(link.target)]),
    written: link.target,
    line: link.line,
    column: link.column,
  };
}

/** An id first of all, but people write a neighbour's name where they mean the neighbour. */
function byId(playbook: Playbook, { target, line, column }: Written): ReferenceTarget {
  const paths = [belowRoot(undefined, target), belowRoot(playbook, target)];
  return { ids: idsOf(paths, playbook), files: [], written: target, line, column };
}

/** The folder, below the source's root, that a playbook's relative links start from; '' for the root. */
export function folderOf(playbook: Playbook): string {
  if (playbook.shape === 'file') return posix.dirname(playbook.id);
  return isAtRoot(playbook) ? '' : playbook.id;
}

/** A `SKILL.md` at the root has the source's name as its id, and not its folder's path. */
export function isAtRoot({ path, source }: Playbook): boolean {
  const folder = path.replace(/[/\\][^/\\]*$/, '');
  return source.folders.includes(folder);
}

/** A relative path as one below the source's root; undefined where it leaves the root. */
function belowRoot(playbook: Playbook | undefined, relative: string): string | undefined {
  const path = posix.join(playbook === undefined ? '' : folderOf(playbook), relative);
  return path === '..' || path.startsWith('../') ? undefined : path;
}

/** A relative path that stays in the playbook's own folder; undefined where it leaves it. */
function belowFolder(relative: string): string | undefined {
  const path = posix.normalize(relative).replace(/\/$/, '');
  return path === '.' || path === '..' || path.startsWith('../') ? undefined : path;
}

function idsOf(paths: readonly (string | undefined)[], playbook: Playbook): readonly string[] {
  return [...new Set(present(paths).map((path) => idOfPath(path, playbook)))];
}

/** The id of the playbook that a path below the root means: a file with or without `.md`, a skill's folder, its `SKILL.md`. */
function idOfPath(path: string, playbook: Playbook): string {
  const id = path
    .replace(/\/$/, '')
    .replace(/(?:^|\/)SKILL\.md$/, '')
    .replace(/\.md$/i, '');
  return id === '' || id === '.' ? playbook.source.name : id;
}

function present(paths: readonly (string | undefined)[]): readonly string[] {
  return paths.filter((path) => path !== undefined);
}
