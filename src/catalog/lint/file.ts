import type { JsonObject, PlaybookEntry } from '../../model.ts';
import { decodeUtf8 } from '../../playbooks/decode.ts';
import { splitFrontMatter } from '../../playbooks/fence.ts';
import { fieldLocator } from '../../playbooks/locate.ts';
import type { LocateField } from '../../playbooks/locate.ts';
import { proseOf } from '../../playbooks/prose.ts';
import { readYaml } from '../../playbooks/yaml.ts';
import type { LintFile } from './types.ts';

/** A playbook's file as rules see it; what only some rules need is made when the first of them asks. */
export function toLintFile(entry: PlaybookEntry, bytes: Uint8Array): LintFile {
  const { text } = decodeUtf8(bytes);
  const fence = splitFrontMatter(text);
  // A broken file's fence may tell nothing, and its reader then takes the whole text.
  const body = fence.kind === 'found' && fence.isClosed ? fence.body : entry.playbook.body;
  // The body is whatever stands below the closing fence, to the last character.
  const bodyStart = text.length - body.length;
  let prose: string | undefined;
  let fields: JsonObject | undefined;
  let locate: LocateField | undefined;
  let lineStarts: readonly number[] | undefined;
  return {
    entry,
    playbook: entry.playbook,
    text,
    body,
    bodyStart,
    get prose() {
      prose ??= text.slice(0, bodyStart) + proseOf(body);
      return prose;
    },
    get fields() {
      const yaml = fields === undefined && fence.kind === 'found' ? readYaml(fence.frontMatter) : undefined;
      fields ??= yaml?.kind === 'read' ? yaml.text : {};
      return fields;
    },
    locate: (path) => {
      locate ??= fieldLocator(text);
      return locate(path);
    },
    placeOf: (offset) => {
      lineStarts ??= startsOfLines(text);
      return placeAmong(lineStarts, offset);
    },
  };
}

function startsOfLines(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Found by bisection: one hostile file may have a finding on each of a hundred thousand lines. */
function placeAmong(starts: readonly number[], offset: number): { readonly line: number; readonly column: number } {
  let first = 0;
  let after = starts.length;
  while (after - first > 1) {
    const middle = (first + after) >> 1;
    if ((starts[middle] ?? Infinity) <= offset) first = middle;
    else after = middle;
  }
  return { line: first + 1, column: offset - (starts[first] ?? 0) + 1 };
}
