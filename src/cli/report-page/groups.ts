import { button, element } from '../page-parts/element.ts';
import { barTable } from './bars.ts';
import { emptyNote, fillSection } from './section.ts';
import type { EntryFigures, Selection } from './selection.ts';
import { type Sums, sumsOf } from './sums.ts';
import { counted, numberText, shareText } from './words.ts';

const SHOWN = 10;

export interface GroupActions {
  readonly showSource: (source: string) => void;
  readonly showTag: (tag: string) => void;
}

/** Use by source and by tag. */
export function showGroups({ entries }: Selection, { showSource, showTag }: GroupActions): void {
  const bySource = groupsOf(entries, ({ entry }) => [entry.source || 'unknown']);
  const byTag = groupsOf(entries, ({ entry }) => entry.tags);
  const table = (groups: readonly Group[], name: string, show: (key: string) => void): HTMLTableElement =>
    barTable({
      heads: [name, 'Uses', 'Failed', 'Entries used'],
      rows: groups.slice(0, SHOWN).map(({ key, uses, failures, used, size }) => ({
        head: button(key, () => show(key), { class: 'link', title: `Show ${key} only` }),
        count: uses,
        part: failures,
        cells: [shareText(failures, uses), `${numberText(used)} of ${numberText(size)}`],
      })),
    });
  const more = (groups: readonly Group[], many: string): readonly Node[] =>
    groups.length > SHOWN
      ? [element('p', { class: 'note' }, [`${groups.length - SHOWN} more ${many} are in the filter above.`])]
      : [];
  const [most] = byTag;
  fillSection('by-source', bySource.length === 1 ? 'Use by source' : counted(bySource.length, 'source'), [
    bySource.length === 0 ? emptyNote('No source passes these filters.') : table(bySource, 'Source', showSource),
    ...more(bySource, 'sources'),
  ]);
  fillSection('by-tag', most === undefined || most.uses === 0 ? 'Use by tag' : `${most.key} is the most used tag`, [
    byTag.length === 0
      ? emptyNote('No entry here has tags. They come from the front matter, and from `tagRules`.')
      : table(byTag, 'Tag', showTag),
    ...more(byTag, 'tags'),
  ]);
}

interface Group extends Sums {
  readonly key: string;
  readonly size: number;
}

function groupsOf(
  entries: readonly EntryFigures[],
  keysOf: (each: EntryFigures) => readonly string[],
): readonly Group[] {
  const groups = new Map<string, EntryFigures[]>();
  for (const each of entries) {
    for (const key of keysOf(each)) {
      const known = groups.get(key);
      if (known === undefined) groups.set(key, [each]);
      else known.push(each);
    }
  }
  return [...groups]
    .map(([key, members]) => ({ key, size: members.length, ...sumsOf(members) }))
    .sort((a, b) => b.uses - a.uses || (a.key < b.key ? -1 : 1));
}
