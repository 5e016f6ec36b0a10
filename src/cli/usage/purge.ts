import { PlaybookError } from '../../errors.ts';
import { pathExists } from '../../files/places.ts';
import { failureOf } from '../../usage/failure.ts';
import { placeText } from '../../usage/place.ts';
import type { UsageStore } from '../../usage/usage-store.ts';
import { momentOf } from '../moment.ts';
import type { CommonOptions } from '../options.ts';
import { print, remark } from '../print.ts';
import { usageSetting, withStore } from './setting.ts';

interface UsagePurgeOptions {
  readonly before?: string;
  readonly all?: boolean;
}

/** Removes events and reports from before a moment, or everything. @throws PlaybookError `cli/usage`, `usage/newer`, `usage/unavailable`. */
export async function usagePurgeCommand(
  common: CommonOptions,
  { before, all = false }: UsagePurgeOptions,
): Promise<void> {
  if ((before === undefined) === !all) {
    throw new PlaybookError('cli/usage', 'What is to be removed is not said.', {
      hint: 'Give either --before <moment>, such as 90d or 2026-05-01, or --all.',
    });
  }
  const time = before === undefined ? undefined : momentOf(before, Date.now());
  const { place, isAsWritten } = await usageSetting(common);
  if (!isAsWritten) {
    throw new PlaybookError(
      'cli/usage',
      `Nothing was removed: ${placeText(place)} may not be the store that you mean.`,
      {
        hint: 'Correct `usage` of the configuration first.',
      },
    );
  }
  if (place.kind === 'sqlite' && !(await pathExists(place.path))) return print('Nothing has been recorded.');
  return withStore(place, async (store) => {
    const removed = time === undefined ? await store.removeAll() : await store.removeBefore(time);
    if (place.kind === 'sqlite') await compact(store);
    print(`${removed} ${removed === 1 ? 'row' : 'rows'} removed from ${placeText(place)}.`);
  });
}

async function compact(store: UsageStore): Promise<void> {
  try {
    await store.compact();
  } catch (error) {
    if (failureOf(error) !== 'busy') throw error;
    remark('The file is in use: it gives the room back to the disk when this is done again while no server runs.');
  }
}
