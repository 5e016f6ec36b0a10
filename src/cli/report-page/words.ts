import { DAY_MS } from '../../usage/day.ts';

const NUMBER = new Intl.NumberFormat('en-GB');
const SHORT_NUMBER = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 });
const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' });

/** `1,234`. */
export function numberText(count: number): string {
  return NUMBER.format(count);
}

/** `1.2M`. */
export function shortNumberText(count: number): string {
  return SHORT_NUMBER.format(count);
}

/** `3 Mar 2025`. @param day since 1970 */
export function dayText(day: number): string {
  return DATE.format(day * DAY_MS);
}

/** `Mon 3 Mar 2025`, or the first and last day. */
export function daysText(first: number, last: number): string {
  if (first === last) return `${WEEKDAY.format(first * DAY_MS)} ${dayText(first)}`;
  return `${dayText(first)} to ${dayText(last)}`;
}

/** `3 %`, `< 1 %`, `–` of nothing. */
export function shareText(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (100 * part) / whole;
  if (part > 0 && percent < 1) return '< 1 %';
  return part < whole && percent > 99 ? '> 99 %' : `${Math.round(percent)} %`;
}

/** `1 use`, `1,234 uses`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : many}`;
}

/** `840 ms`, `2.4 s`. */
export function durationText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
