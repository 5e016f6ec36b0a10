import { isScalar, isSeq } from 'yaml';
import type { Scalar } from 'yaml';
import type { Playbook, SourceFile } from '../model.ts';
import { decodeExactly } from './decode.ts';
import { pairOf, replaceScalar } from './edit-map.ts';
import { splitFrontMatter } from './fence.ts';
import { frontMatterMap } from './front-matter-map.ts';
import { findLinkPlaces } from './link-places.ts';
import type { Link } from './links.ts';
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
  const edited = editText(decodeExactly(file.bytes), (text) => [
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

function listSplices(text: string, { listed, to }: Renaming): readonly Splice[] {
  const front = listed.length === 0 ? undefined : frontMatterMap(text);
  if (front === undefined) return [];
  const { source } = front;
  const value = pairOf(front.map, 'references')?.value;
  const splices = isSeq(value)
    ? value.items.map((item) =>
        isScalar(item) && listed.includes(String(item.source ?? item.value).trim())
          ? replaceScalar(source, item, to.id)
          : undefined,
      )
    : isScalar(value)
      ? wordSplices(source, value, { listed, to })
      : [];
  return splices.flatMap((splice) => (splice === undefined ? [] : [front.toFile(splice)]));
}

/** The list as one text with commas, quoted or not. */
function wordSplices(source: string, { range }: Scalar, { listed, to }: Pick<Renaming, 'listed' | 'to'>): Splice[] {
  const [from = 0, until = 0] = range ?? [];
  return [...source.slice(from, until).matchAll(/[^,'"\s](?:[^,'"\n]*[^,'"\s])?/g)].flatMap(({ 0: word, index }) =>
    listed.includes(word) ? [{ start: from + index, end: from + index + word.length, text: to.id }] : [],
  );
}
