import { element, svgElement } from '../page-parts/element.ts';
import { numberText } from './words.ts';

interface BarRow {
  readonly head: Node | string;
  readonly count: number;
  /** The part of `count` that is marked. */
  readonly part?: number;
  /** More cells, as text. */
  readonly cells?: readonly string[];
}

export interface BarTableOptions {
  /** What a row is, what its number counts, and what further cells say. */
  readonly heads: readonly [string, string, ...string[]];
  readonly rows: readonly BarRow[];
  /** Colour of what is counted: of `uses` by default. */
  readonly className?: 'searches';
  /** What a full bar stands for; the greatest count by default. */
  readonly full?: number;
}

/**
 * A table whose numbers are bars too: the picture and what is read out are one. Roles are written out since rows become blocks on narrow
 * screens, and browsers then take the table for none.
 */
export function barTable({ heads, rows, className, full }: BarTableOptions): HTMLTableElement {
  const most = full ?? Math.max(1, ...rows.map(({ count }) => count));
  const [rowHead, countHead, ...others] = heads;
  return element('table', { class: `bars ${className ?? 'uses'}`, role: 'table' }, [
    element('thead', { role: 'rowgroup' }, [
      element('tr', { role: 'row' }, [
        element('th', { scope: 'col', role: 'columnheader' }, [rowHead]),
        element('th', { scope: 'col', role: 'columnheader', class: 'number', colspan: 2 }, [countHead]),
        ...others.map((head) => element('th', { scope: 'col', role: 'columnheader', class: 'number' }, [head])),
      ]),
    ]),
    element(
      'tbody',
      { role: 'rowgroup' },
      rows.map(({ head, count, part = 0, cells = [] }) =>
        element('tr', { role: 'row' }, [
          element('th', { scope: 'row', role: 'rowheader' }, [head]),
          element('td', { class: 'picture', role: 'cell' }, [bar(count / most, part / most)]),
          element('td', { class: 'number', role: 'cell', 'data-head': countHead }, [numberText(count)]),
          ...cells.map((cell, at) => element('td', { class: 'number', role: 'cell', 'data-head': others[at] }, [cell])),
        ]),
      ),
    ),
  ]);
}

/** A bar of two shares, 0..1; said beside it in numbers. */
function bar(whole: number, part: number): SVGSVGElement {
  const percent = (share: number): string => `${Math.min(100, 100 * share)}%`;
  return svgElement('svg', { 'aria-hidden': 'true', class: 'share' }, [
    svgElement('rect', { class: 'whole', width: percent(whole), height: '100%' }),
    svgElement('rect', { class: 'part', width: percent(part), height: '100%' }),
  ]);
}
