import { element } from '../page-parts/element.ts';
import { barTable } from './bars.ts';
import { emptyNote, fillSection } from './section.ts';
import type { Selection } from './selection.ts';
import { sumsOf } from './sums.ts';
import { counted, dayText, numberText, shareText } from './words.ts';

const SHOWN = 10;

/** What is used most. */
export function showMost({ entries }: Selection): void {
  const { uses, used } = sumsOf(entries);
  const most = entries
    .filter((each) => each.uses > 0)
    .sort((a, b) => b.uses - a.uses)
    .slice(0, SHOWN);
  const count = most.reduce((sum, each) => sum + each.uses, 0);
  const title =
    used > SHOWN
      ? `The ${SHOWN} most used make ${shareText(count, uses)} of all use`
      : `${counted(used, 'entry', 'entries')} in use`;
  fillSection('most', title, [
    most.length === 0
      ? emptyNote('Nothing that passes these filters was used.')
      : barTable({
          heads: ['Entry', 'Uses', 'Failed'],
          rows: most.map(({ entry, uses: own, failures }) => ({
            head: element('bdi', {}, [entry.id]),
            count: own,
            part: failures,
            cells: [shareText(failures, own)],
          })),
        }),
  ]);
}

/** What is used least of what this catalog's people answer for, the longest available first. */
export function showLeast({ entries, firstDay }: Selection): void {
  const own = entries.filter(
    ({ entry }) => entry.isOthers !== true && (entry.status === 'active' || entry.status === 'deprecated'),
  );
  // What came within the time had less of it.
  const settled = own.filter(({ entry }) => entry.since === undefined || entry.since <= firstDay);
  const least = settled.sort(
    (a, b) => a.uses - b.uses || a.shown - b.shown || (a.entry.lastUse ?? 0) - (b.entry.lastUse ?? 0),
  );
  const unused = settled.filter(({ uses }) => uses === 0).length;
  const title =
    unused === 0
      ? 'All were used; these the least'
      : `${numberText(unused)} of ${counted(settled.length, 'entry', 'entries')} ${unused === 1 ? 'was' : 'were'} not used`;
  fillSection('least', title, [
    least.length === 0
      ? emptyNote('No entry was there for all of this time. Choose a shorter one.')
      : barTable({
          className: 'searches',
          heads: ['Entry', 'Times listed', 'Uses', 'Last use'],
          rows: least.slice(0, SHOWN).map(({ entry, uses, shown }) => ({
            head: element('bdi', {}, [entry.id]),
            count: shown,
            cells: [numberText(uses), entry.lastUse === undefined ? 'never' : dayText(entry.lastUse)],
          })),
        }),
  ]);
}
