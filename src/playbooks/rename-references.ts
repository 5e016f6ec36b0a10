import { isScalar, isSeq } from 'yaml';
import type { Playbook, SourceFile } from '../model.ts';
import { pairOf, replaceScalar } from './edit-map.ts';
import { splitFrontMatter } from './fence.ts';
import { frontMatterMap } from './front-matter-map.ts';
import { findLinkPlaces } from './link-places.ts';
import type { Link } from './links.ts';
import { rawText } from './set-status.ts';
import { editText, type Splice } from './splices.ts';
import { type NewTarget, writeTarget } from './write-target.ts';

/** What is to lead elsewhere. */
export interface Renaming {
  /** Links of the body, in order of appearance. */
  readonly links: readonly Link[];
  /** Items of the `references` list, as written. */
  readonly listed: readonly string[];
  readonly to: NewTarget;
}

/** A file's bytes with references that lead to another playbook; what is not found where it should stand stays as it is. */
export function renameReferences(file: SourceFile, playbook: Playbook, renaming: Renaming): Uint8Array {
  const edited = editText(rawText(file), (text) => [
    ...listSplices(text, renaming),
    ...linkSplices(text, playbook, renaming),
  ]);
  return Buffer.from(edited);
}

function linkSplices(text: string, playbook: Playbook, { links, to }: Renaming): readonly Splice[] {
  const fence = splitFrontMatter(text);
  const bodyStart = text.length - (fence.kind === 'found' ? fence.body.length : 0);
  // Links by label share a place.
  const byStart = new Map<number, Splice>();
  for (const [index, place] of findLinkPlaces(playbook, links).entries()) {
    const link = links[index];
    if (place === undefined || link === undefined) continue;
    const start = bodyStart + place.start;
    const end = bodyStart + place.end + place.suffix.length;
    byStart.set(start, { start, end, text: writeTarget(playbook, { link, place, to }) });
  }
  return [...byStart.values()];
}

/** The list may be one text with commas. */
function listSplices(text: string, { listed, to }: Renaming): readonly Splice[] {
  const front = listed.length === 0 ? undefined : frontMatterMap(text);
  const value = front === undefined ? undefined : pairOf(front.map, 'references')?.value;
  if (front === undefined) return [];
  const items = isSeq(value) ? value.items : [value];
  return items.flatMap((item) => {
    if (!isScalar(item)) return [];
    const parts = String(item.source ?? item.value).split(isSeq(value) ? /(?!)/ : /(,\s*)/);
    const renamed = parts.map((part) => (listed.includes(part.trim()) ? part.replace(part.trim(), () => to.id) : part));
    if (parts.join('') === renamed.join('')) return [];
    const splice = replaceScalar(front.source, item, renamed.join(''));
    return splice === undefined ? [] : [front.toFile(splice)];
  });
}
