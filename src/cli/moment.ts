import { PlaybookError } from '../errors.ts';

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/**
 * A moment as a flag gives it: so long before now (`90d`, `12h`, `2w`, `30m`), or a date or time of ISO 8601.
 *
 * @returns milliseconds since 1970.
 * @throws PlaybookError `cli/usage`.
 */
export function momentOf(written: string, now: number): number {
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(written.trim()) ?? [];
  const length = UNITS[unit];
  if (count !== undefined && length !== undefined) return now - Number(count) * length;
  const time = /^\d{4}-\d\d(?:-\d\d|$)/.test(written.trim()) ? Date.parse(written.trim()) : Number.NaN;
  if (Number.isSafeInteger(time)) return time;
  throw new PlaybookError('cli/usage', `"${written}" is no moment.`, {
    hint: 'Give one such as 30d, 12h, 2026-05-01 or 2026-05-01T08:00:00Z.',
  });
}
