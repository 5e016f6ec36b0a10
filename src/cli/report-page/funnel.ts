import { element } from '../page-parts/element.ts';
import { barTable } from './bars.ts';
import { emptyNote, fillSection } from './section.ts';
import type { Selection } from './selection.ts';
import { counted, shareText } from './words.ts';

/** How far sessions come on the way from a search to a use. */
export function showFunnel({ funnel, isOfSome }: Selection): void {
  const { sessions, searched, readSchema, used } = funnel;
  const rows = [
    { head: 'searched', count: searched },
    { head: 'read a schema', count: readSchema },
    { head: 'used something', count: used },
  ];
  const rest = sessions - searched;
  const notes = [
    ...(rest > 0 ? [`${counted(rest, 'more session')} did not search.`] : []),
    ...(isOfSome ? ['Sessions are not told apart by source, tag or kind: these are all of them.'] : []),
  ];
  fillSection(
    'funnel',
    searched === 0 ? 'No session searched' : `${shareText(used, searched)} of the sessions that search use something`,
    [
      searched === 0
        ? emptyNote('From a search to a use: nothing to show in this time.')
        : barTable({
            heads: ['Sessions that', 'Sessions', 'Share'],
            rows: rows.map((row) => ({ ...row, cells: [shareText(row.count, searched)] })),
            full: searched,
          }),
      ...notes.map((note) => element('p', { class: 'note' }, [note])),
    ],
  );
}
