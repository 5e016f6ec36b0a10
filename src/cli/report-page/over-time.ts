import { element, pageElement } from '../page-parts/element.ts';
import type { Bucket, Selection } from './selection.ts';
import { type Strip, timeChart } from './time-chart.ts';
import { counted, daysText, numberText } from './words.ts';

const BUCKET_NAMES: Readonly<Record<number, string>> = { 1: 'day', 7: 'week', 28: 'four weeks' };

/** The picture over time: read by pointer, by arrow keys, and as a table. */
export function createOverTime(): (selection: Selection) => void {
  const figure = pageElement('over-time', HTMLElement);
  let shown: Selection | undefined;
  let width = 0;
  const draw = (): void => {
    if (shown !== undefined && figure.clientWidth > 0) fill(figure, shown);
  };
  new ResizeObserver(() => {
    if (figure.clientWidth === width) return;
    width = figure.clientWidth;
    draw();
  }).observe(figure);
  return (selection) => {
    shown = selection;
    draw();
  };
}

function fill(figure: HTMLElement, selection: Selection): void {
  const { buckets, bucketDays, isOfSome } = selection;
  const isOpen = figure.querySelector('details')?.open === true;
  const per = BUCKET_NAMES[bucketDays] ?? `${bucketDays} days`;
  const readout = element('p', { class: 'readout', role: 'status' }, [hintFor(per)]);
  const chart = timeChart({ buckets, strips: stripsFor(isOfSome, per), width: figure.clientWidth });
  chart.setAttribute('role', 'group');
  chart.setAttribute('tabindex', '0');
  chart.setAttribute(
    'aria-label',
    `Use by ${per}, ${daysText(selection.firstDay, selection.firstDay + selection.dayCount - 1)}. Arrow keys read one bar after the other.`,
  );
  readable(
    chart,
    (bucket) => readout.replaceChildren(bucket === undefined ? hintFor(per) : sentenceFor(bucket, isOfSome)),
    buckets,
  );
  figure.replaceChildren(
    chart,
    element('figcaption', {}, [readout, legend(isOfSome)]),
    element('details', isOpen ? { open: true } : {}, [
      element('summary', {}, ['These figures as a table']),
      element('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Use by ${per}` }, [
        tableOf(buckets, isOfSome),
      ]),
    ]),
  );
}

function hintFor(per: string): string {
  return `One bar is one ${per}. Point at one, or use the arrow keys, to read it.`;
}

function stripsFor(isOfSome: boolean, per: string): readonly Strip[] {
  return [
    {
      label: `Uses a ${per}`,
      height: 150,
      whole: ({ uses }) => uses,
      part: ({ failures }) => failures,
      className: 'uses',
    },
    isOfSome
      ? {
          label: `Times listed by a search, a ${per}`,
          height: 80,
          whole: ({ shown }) => shown,
          part: () => 0,
          className: 'searches',
        }
      : {
          label: `Searches a ${per}`,
          height: 80,
          whole: ({ searches }) => searches,
          part: ({ empty }) => empty,
          className: 'searches',
        },
  ];
}

function legend(isOfSome: boolean): HTMLElement {
  const key = (className: string, text: string): HTMLElement =>
    element('li', {}, [element('i', { class: `key ${className}` }), text]);
  const searches = isOfSome ? [] : [key('part', 'found nothing')];
  return element('ul', { class: 'legend' }, [
    key('uses', 'uses'),
    key('part', 'failed'),
    key('searches', isOfSome ? 'times listed' : 'searches'),
    ...searches,
  ]);
}

function sentenceFor({ first, last, uses, failures, shown, searches, empty }: Bucket, isOfSome: boolean): string {
  const asked = isOfSome
    ? `listed ${counted(shown, 'time')}`
    : `${counted(searches, 'search', 'searches')}, of which ${numberText(empty)} found nothing`;
  return `${daysText(first, last)}: ${counted(uses, 'use')}, of which ${numberText(failures)} failed; ${asked}.`;
}

/** Lets bars be read one by one. */
function readable(chart: SVGSVGElement, tell: (bucket: Bucket | undefined) => void, buckets: readonly Bucket[]): void {
  let at = -1;
  const strips = [...chart.querySelectorAll('.uses, .searches')].map((strip) => [...strip.querySelectorAll('.bar')]);
  const mark = (next: number): void => {
    for (const bars of strips) {
      bars[at]?.classList.remove('read');
      bars[next]?.classList.add('read');
    }
    at = next;
    tell(buckets[next]);
  };
  chart.addEventListener('pointermove', ({ clientX }) => {
    const lefts = (strips[0] ?? []).map((bar) => bar.getBoundingClientRect());
    const near = lefts.map(({ left, width }) => Math.abs(left + width / 2 - clientX));
    const next = near.indexOf(Math.min(...near));
    if (next !== at) mark(next);
  });
  chart.addEventListener('pointerleave', () => mark(-1));
  chart.addEventListener('blur', () => mark(-1));
  chart.addEventListener('keydown', (event) => {
    const end = buckets.length - 1;
    const to = { ArrowRight: at + 1, ArrowLeft: at < 0 ? end : at - 1, Home: 0, End: end, Escape: -1 }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    mark(event.key === 'Escape' ? -1 : Math.max(0, Math.min(end, to)));
  });
}

function tableOf(buckets: readonly Bucket[], isOfSome: boolean): HTMLTableElement {
  const heads = isOfSome
    ? ['Days', 'Uses', 'Failed', 'Listed']
    : ['Days', 'Uses', 'Failed', 'Searches', 'Found nothing'];
  const cells = ({ uses, failures, shown, searches, empty }: Bucket): readonly number[] =>
    isOfSome ? [uses, failures, shown] : [uses, failures, searches, empty];
  const rows = buckets
    .toReversed()
    .map((bucket) =>
      element('tr', {}, [
        element('th', { scope: 'row' }, [daysText(bucket.first, bucket.last)]),
        ...cells(bucket).map((count) => element('td', { class: 'number' }, [numberText(count)])),
      ]),
    );
  return element('table', { class: 'plain' }, [
    element('thead', {}, [
      element(
        'tr',
        {},
        heads.map((head, at) => element('th', { scope: 'col', ...(at > 0 && { class: 'number' }) }, [head])),
      ),
    ]),
    element('tbody', {}, rows),
  ]);
}
