import { axisBottom, axisLeft } from 'd3-axis';
import { scaleLinear, scaleUtc } from 'd3-scale';
import { select as selectElement } from 'd3-selection';
import { svgElement } from '../page-parts/element.ts';
import type { Bucket } from './selection.ts';
import { DAY_MS } from '../../usage/day.ts';

/** One row of bars: what they count, and which part of it is marked. */
export interface Strip {
  readonly label: string;
  readonly height: number;
  readonly whole: (bucket: Bucket) => number;
  readonly part: (bucket: Bucket) => number;
  readonly className: string;
}

export interface TimeChartOptions {
  readonly buckets: readonly Bucket[];
  readonly strips: readonly Strip[];
  /** Pixels. */
  readonly width: number;
}

const MARGIN = { left: 46, right: 18, label: 22, between: 12, bottom: 26 };
/** A single day is no beam. */
const WIDEST_BAR = 42;

/** Bars over time, one strip below the other on one axis of time: two measures on one pair of axes mislead. */
export function timeChart({ buckets, strips, width }: TimeChartOptions): SVGSVGElement {
  const height = strips.reduce((sum, strip) => sum + MARGIN.label + strip.height + MARGIN.between, MARGIN.bottom);
  const svg = svgElement('svg', { viewBox: `0 0 ${width} ${height}`, width, height, class: 'time' });
  const x = scaleUtc()
    .domain([(buckets[0]?.first ?? 0) * DAY_MS, ((buckets.at(-1)?.last ?? 0) + 1) * DAY_MS])
    .range([MARGIN.left, width - MARGIN.right]);
  let top = 0;
  for (const strip of strips) {
    svg.append(stripOf(strip, { buckets, x, width, top: top + MARGIN.label }));
    top += MARGIN.label + strip.height + MARGIN.between;
  }
  const axis = svgElement('g', { class: 'axis', transform: `translate(0,${top - MARGIN.between + 4})` });
  const ticks = Math.max(2, Math.min(buckets.length, Math.floor(width / 110)));
  selectElement(axis).call(axisBottom<Date>(toDates(x)).ticks(ticks).tickSizeOuter(0).tickSize(4));
  svg.append(axis);
  return svg;
}

type TimeScale = ReturnType<typeof scaleUtc<number, number>>;

/** d3's axis asks its scale for dates. */
function toDates(x: TimeScale): TimeScale {
  return x;
}

interface Place {
  readonly buckets: readonly Bucket[];
  readonly x: TimeScale;
  readonly width: number;
  readonly top: number;
}

function stripOf({ label, height, whole, part, className }: Strip, { buckets, x, width, top }: Place): SVGGElement {
  const most = Math.max(1, ...buckets.map(whole));
  const y = scaleLinear().domain([0, most]).nice(3).range([height, 0]);
  const axis = svgElement('g', { class: 'axis grid', transform: `translate(${MARGIN.left},0)` });
  const ticks = y.ticks(3).filter(Number.isInteger);
  selectElement(axis).call(
    axisLeft<number>(y)
      .tickValues(ticks)
      .tickSize(-(width - MARGIN.left - MARGIN.right))
      .tickPadding(6)
      .tickFormat((tick) => shortTick(tick)),
  );
  const bars = buckets.map((bucket) => barOf(bucket, { x, y, height, whole, part }));
  return svgElement('g', { class: className, transform: `translate(0,${top})` }, [
    svgElement('text', { class: 'label', x: 0, y: -9 }, [label]),
    axis,
    ...bars,
  ]);
}

function shortTick(tick: number): string {
  return tick >= 10_000 ? `${tick / 1000}k` : String(tick);
}

interface BarScales extends Pick<Strip, 'height' | 'whole' | 'part'> {
  readonly x: TimeScale;
  readonly y: (count: number) => number;
}

function barOf(bucket: Bucket, { x, y, height, whole, part }: BarScales): SVGGElement {
  const left = x(bucket.first * DAY_MS);
  const room = x((bucket.last + 1) * DAY_MS) - left;
  const wide = Math.max(0.5, Math.min(WIDEST_BAR, room * 0.8));
  const bar = (count: number, className: string): SVGRectElement =>
    svgElement('rect', {
      class: className,
      x: left + (room - wide) / 2,
      width: wide,
      y: y(count),
      height: Math.max(0, height - y(count)),
    });
  return svgElement('g', { class: 'bar' }, [bar(whole(bucket), 'whole'), bar(part(bucket), 'part')]);
}
