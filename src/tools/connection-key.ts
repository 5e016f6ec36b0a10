import type { UpstreamConfig } from '../config/index.ts';
import { digestOf } from './json.ts';

/** What a connection was made with: all but how its tools are chosen, tagged and called. */
export function connectionKeyOf(config: UpstreamConfig): string {
  return digestOf(Object.fromEntries(Object.entries(config).filter(([key]) => !KEYS_OF_USE.has(key))));
}

const KEYS_OF_USE: ReadonlySet<string> = new Set([
  'tags',
  'allow',
  'deny',
  'confirm',
  'timeoutMs',
  'idleStopMs',
  'stateless',
]);
