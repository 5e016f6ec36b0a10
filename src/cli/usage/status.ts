import { isRecording, placeText } from '../../usage/place.ts';
import { usageStatus } from '../../usage/status.ts';
import type { CommonOptions } from '../options.ts';
import { print, printJson, remark, table } from '../print.ts';
import { usageSetting } from './setting.ts';

/** Prints where usage is kept, what is kept of it, and how much there is. */
export async function usageStatusCommand(common: CommonOptions, { json }: { readonly json?: boolean }): Promise<void> {
  const { usage, place } = await usageSetting(common);
  const isOn = isRecording({ usage }, process.env);
  const status = await usageStatus(place, remark);
  const { queries, retentionDays } = usage;
  const about = { recording: isOn, store: placeText(place), queries, retentionDays };
  if (json === true) return printJson({ ...about, ...(status ?? { events: 0, entries: 0, reports: 0, bytes: 0 }) });
  const kept = status?.events ?? 0;
  return print(
    table([
      ['Recording', isOn ? 'on' : `off (${usage.store === 'off' ? '`usage.store`' : 'PLAYBOOK_MCP_USAGE'})`],
      ['Store', `${placeText(place)}${status === undefined ? ' (nothing written yet)' : ''}`],
      ['Events', `${count(kept)}${kept === 0 ? '' : `, ${day(status?.first)} to ${day(status?.last)}`}`],
      ['Entries', count(status?.entries ?? 0)],
      ['Reports', count(status?.reports ?? 0)],
      ['Size', `${((status?.bytes ?? 0) / 1_048_576).toFixed(1)} MiB`],
      ['Queries', { text: 'kept as they are', hash: 'kept as hashes', off: 'not kept' }[queries]],
      ['Kept for', `${count(retentionDays)} days`],
    ]),
  );
}

const count = (number: number): string => number.toLocaleString('en-US');

function day(time: number | null | undefined): string {
  return new Date(time ?? 0).toISOString().slice(0, 10);
}
