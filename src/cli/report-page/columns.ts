import { element, svgElement } from '../page-parts/element.ts';
import type { EntryFigures } from './selection.ts';
import { dayText, durationText, numberText, shareText, shortNumberText } from './words.ts';

export interface Column {
  readonly id: string;
  readonly title: string;
  /** Sorts by this; undefined sorts last in both directions. */
  readonly key: (figures: EntryFigures) => string | number | undefined;
  readonly cell: (figures: EntryFigures) => Node | string;
  readonly isNumber: boolean;
  /** Left out where no entry has it. */
  readonly isOptional?: true;
  /** Not told apart by time and client. */
  readonly isOfAllTime?: true;
}

const MOST_POINTS = 40;

export const COLUMNS: readonly Column[] = [
  {
    id: 'entry',
    title: 'Entry',
    key: ({ entry }) => entry.id,
    cell: ({ entry }) =>
      element('span', {}, [
        element('bdi', {}, [entry.id]),
        ...(entry.status === 'active'
          ? []
          : [' ', element('span', { class: `mark ${entry.status}` }, [markOf(entry)])]),
      ]),
    isNumber: false,
  },
  text('kind', 'Kind', ({ entry }) => entry.kind),
  text('source', 'Source', ({ entry }) => entry.source),
  { ...text('owner', 'Owner', ({ entry }) => entry.owner), isOptional: true },
  number({ id: 'uses', title: 'Uses', key: ({ uses }) => uses, write: numberText }),
  {
    id: 'trend',
    title: 'Trend',
    key: trendOf,
    cell: ({ trend }) => sparkline(trend),
    isNumber: true,
  },
  number({
    id: 'failed',
    title: 'Failed',
    key: ({ uses, failures }) => (uses === 0 ? undefined : failures / uses),
    write: (share) => shareText(share, 1),
  }),
  number({ id: 'shown', title: 'Listed', key: ({ shown }) => shown, write: numberText }),
  {
    ...number({ id: 'last', title: 'Last use', key: ({ entry }) => entry.lastUse, write: dayText }),
    isOfAllTime: true,
  },
  {
    ...number({ id: 'people', title: 'People', key: ({ entry }) => entry.people, write: numberText }),
    isOptional: true,
    isOfAllTime: true,
  },
  {
    ...number({ id: 'p95', title: '95 % within', key: ({ entry }) => entry.p95Ms, write: durationText }),
    isOfAllTime: true,
  },
  {
    ...number({ id: 'tokens', title: 'Tokens', key: ({ entry }) => entry.tokens, write: shortNumberText }),
    isOfAllTime: true,
  },
];

function markOf({ status, repo }: EntryFigures['entry']): string {
  if (repo !== undefined) return `in ${repo}`;
  return status === 'gone' ? 'not in this catalog' : status;
}

function text(id: string, title: string, key: (figures: EntryFigures) => string | undefined): Column {
  return { id, title, key, cell: (figures) => element('bdi', {}, [key(figures) ?? '']), isNumber: false };
}

interface NumberColumn extends Pick<Column, 'id' | 'title'> {
  readonly key: (figures: EntryFigures) => number | undefined;
  readonly write: (value: number) => string;
}

function number({ id, title, key, write }: NumberColumn): Column {
  const cell = (figures: EntryFigures): string => {
    const value = key(figures);
    return value === undefined ? '–' : write(value);
  };
  return { id, title, key, cell, isNumber: true };
}

/** The second half of the time against the first, -1..1. */
function trendOf({ trend, uses }: EntryFigures): number | undefined {
  if (uses === 0) return undefined;
  const late = trend.slice(Math.ceil(trend.length / 2)).reduce((sum, count) => sum + count, 0);
  const early = trend.slice(0, Math.floor(trend.length / 2)).reduce((sum, count) => sum + count, 0);
  return (late - early) / Math.max(1, late + early);
}

function sparkline(trend: readonly number[]): SVGSVGElement {
  const step = Math.ceil(trend.length / MOST_POINTS);
  const points = Array.from({ length: Math.ceil(trend.length / step) }, (_, at) =>
    trend.slice(at * step, (at + 1) * step).reduce((sum, count) => sum + count, 0),
  );
  const most = Math.max(1, ...points);
  const across = Math.max(1, points.length - 1);
  const line = points.map((count, at) => `${((80 * at) / across).toFixed(1)},${(17 - (15 * count) / most).toFixed(1)}`);
  return svgElement('svg', { class: 'trend', 'aria-hidden': 'true', viewBox: '0 0 80 18', width: 80, height: 18 }, [
    svgElement('polyline', { points: line.join(' ') }),
  ]);
}
