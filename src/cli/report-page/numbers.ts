import { element, pageElement } from '../page-parts/element.ts';
import type { Selection } from './selection.ts';
import { sumsOf } from './sums.ts';
import { counted, numberText, shareText, shortNumberText } from './words.ts';

/** The heading that says how much, and the few numbers below it. */
export function showNumbers({ entries, buckets, dayCount, isOfSome, funnel }: Selection): void {
  const { uses, failures, shown } = sumsOf(entries);
  const searches = buckets.reduce((sum, bucket) => sum + bucket.searches, 0);
  const inVain = buckets.reduce((sum, bucket) => sum + bucket.empty, 0);
  const inTime = dayCount % 7 === 0 && dayCount > 7 ? counted(dayCount / 7, 'week') : counted(dayCount, 'day');
  pageElement('use-title', HTMLElement).textContent = `${counted(uses, 'use')} in ${inTime}`;
  const present = entries.filter(({ entry }) => entry.status !== 'gone');
  const used = present.filter((each) => each.uses > 0).length;
  const numbers: readonly (readonly [string, string, string])[] = [
    ['Entries used', numberText(used), `of ${numberText(present.length)}`],
    ['Uses that failed', shareText(failures, uses), `${numberText(failures)} of ${numberText(uses)}`],
    isOfSome
      ? ['Listed', shortNumberText(shown), 'by searches']
      : ['Searches', shortNumberText(searches), `${shareText(inVain, searches)} found nothing`],
    ...(isOfSome
      ? []
      : [
          [
            'Sessions',
            shortNumberText(funnel.sessions),
            `${shareText(funnel.searched, funnel.sessions)} searched`,
          ] as const,
        ]),
  ];
  pageElement('numbers', HTMLElement).replaceChildren(
    ...numbers.map(([term, number, beside]) =>
      element('div', {}, [
        element('dt', {}, [term]),
        element('dd', {}, [element('b', {}, [number]), element('span', {}, [beside])]),
      ]),
    ),
  );
}
