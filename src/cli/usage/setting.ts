import { type Config, loadConfig } from '../../config/index.ts';
import { unavailable } from '../../usage/open.ts';
import { type UsagePlace, usagePlaceOf } from '../../usage/place.ts';
import { UsageStore } from '../../usage/usage-store.ts';
import { type CommonOptions, runtimeOptions } from '../options.ts';
import { remark } from '../print.ts';

/** What the configuration says about usage. */
export interface UsageSetting {
  readonly usage: Config['usage'];
  readonly place: UsagePlace;
  /** False where an entry below `usage` is off, which stderr has been told: another store than the one that is meant may be in use. */
  readonly isAsWritten: boolean;
}

/** Reads the configuration; nothing else is loaded. @throws PlaybookError `config/not-json`, `config/not-found`. */
export async function usageSetting(common: CommonOptions): Promise<UsageSetting> {
  const { env, flags, configPath } = runtimeOptions(common);
  const { config, diagnostics } = await loadConfig({ env, flags, ...(configPath === undefined ? {} : { configPath }) });
  const wrong = diagnostics.filter(({ message }) => message.startsWith('`usage.'));
  for (const { path, line, column, message } of wrong) remark(`${path}:${line}:${column}: ${message}`);
  return { usage: config.usage, isAsWritten: wrong.length === 0, place: usagePlaceOf(config, env) };
}

/** Opens the store for a command that changes it. @throws PlaybookError `usage/newer`, `usage/unavailable`. */
export async function withStore<T>(place: UsagePlace, use: (store: UsageStore) => Promise<T>): Promise<T> {
  try {
    const store = await UsageStore.open(place, remark);
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  } catch (error) {
    throw unavailable(place, error);
  }
}
