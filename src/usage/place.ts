import { join } from 'node:path';
import { stateDirs } from '../config/paths.ts';
import type { Config, Env } from '../config/types.ts';

/** Where usage is kept. */
export type UsagePlace =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** Where the configuration says that usage is kept, or would be if it were not off: turning it off hides nothing that is there. */
export function usagePlaceOf({ usage: { store } }: Pick<Config, 'usage'>, env: Env): UsagePlace {
  if (/^postgres(?:ql)?:/.test(store)) return { kind: 'postgres', url: store };
  return { kind: 'sqlite', path: join(stateDirs(env).state, 'usage.db') };
}

/** Whether calls are recorded: not with `usage.store: off`, nor with `PLAYBOOK_MCP_USAGE` set to `off`, `0` or `false`. */
export function isRecording({ usage: { store } }: Pick<Config, 'usage'>, env: Env): boolean {
  return store !== 'off' && !/^(?:off|0|false|no)$/i.test(env['PLAYBOOK_MCP_USAGE'] ?? '');
}

/** The files of a SQLite store: what was written last is kept beside the first. */
export function sqliteFiles(path: string): readonly string[] {
  return ['', '-wal', '-shm'].map((ending) => `${path}${ending}`);
}

/** The place in words, without a password. */
export function placeText(place: UsagePlace): string {
  if (place.kind === 'sqlite') return place.path;
  if (!URL.canParse(place.url)) return 'the PostgreSQL database of `usage.store`';
  const { protocol, username, host, pathname } = new URL(place.url);
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`;
}
