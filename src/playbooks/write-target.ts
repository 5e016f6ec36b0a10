import { posix } from 'node:path';
import type { Playbook } from '../model.ts';
import type { LinkPlace } from './link-places.ts';
import type { Link } from './links.ts';
import { folderOf, isAtRoot } from './references.ts';
import { sectionOf } from './sections.ts';

/** What a reference is to lead to. */
export interface NewTarget {
  readonly playbook: Playbook;
  /** As it is called from everywhere. */
  readonly id: string;
}

/**
 * What is to be written for a link so that it leads to another playbook: relative or by id, with or without `.md`, as it was. A
 * `#heading` stays where the other one has such a heading.
 *
 * @param from the playbook that the link stands in
 * @returns the text for the link's place and its suffix
 */
export function writeTarget(
  from: Playbook,
  { link, place, to }: { readonly link: Link; readonly place: LinkPlace; readonly to: NewTarget },
): string {
  const heading = /#(.*)$/s.exec(place.suffix)?.[1];
  const suffix = heading !== undefined && sectionOf(to.playbook.body, heading) !== undefined ? `#${heading}` : '';
  return `${targetText(from, { link, place, to })}${suffix}`;
}

function targetText(
  from: Playbook,
  { link, place, to }: { readonly link: Link; readonly place: LinkPlace; readonly to: NewTarget },
): string {
  if (link.form === 'wiki') return to.id;
  if (place.isUri) return encodePath(to.id);
  // A path leads nowhere out of its source.
  if (to.playbook.source.name !== from.source.name) return `playbook://${encodePath(to.id)}`;
  const isFile = /\.md$/i.test(link.target);
  const path = posix.relative(folderOf(from), isFile ? fileOf(to.playbook) : bareOf(to.playbook));
  const slash = link.target.endsWith('/') && to.playbook.shape === 'folder' ? '/' : '';
  const relative = `${path === '' ? `../${posix.basename(to.playbook.id)}` : path}${slash}`;
  return encodePath(link.target.startsWith('./') && !relative.startsWith('../') ? `./${relative}` : relative);
}

/** The path of a playbook's file below its source's root. */
function fileOf(playbook: Playbook): string {
  if (playbook.shape === 'file') return `${playbook.id}.md`;
  return isAtRoot(playbook) ? 'SKILL.md' : `${playbook.id}/SKILL.md`;
}

function bareOf(playbook: Playbook): string {
  return playbook.shape === 'folder' && isAtRoot(playbook) ? 'SKILL.md' : playbook.id;
}

/** What ends a destination, or begins its query, as `%20`; letters of other scripts stay readable. */
function encodePath(path: string): string {
  return path.replace(
    /[\s()<>[\]{}"'`|\\?#%*]/g,
    (character) => `%${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
