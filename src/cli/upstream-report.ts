import type { UpstreamStatus } from '../tools/upstream-status.ts';
import { bold, dim, green, print, red, table, yellow } from './print.ts';

/** Prints how each upstream server is doing, with the reason where it is not well; nothing where there is none. */
export function printUpstreams(upstreams: readonly UpstreamStatus[]): void {
  if (upstreams.length === 0) return;
  print(`\n${bold('Upstream servers')}`);
  const colour = {
    ready: green,
    failed: red,
    disabled: yellow,
    idle: dim,
    connecting: yellow,
    'needs authorization': yellow,
  };
  const rows = upstreams.map(({ name, state, reason, toolCount, notes = [] }) => [
    `  ${name}`,
    colour[state](state),
    toolCount === undefined ? 'tools unknown' : `${toolCount} tools`,
    [...(reason === undefined ? [] : [reason]), ...notes].join('; '),
  ]);
  print(table(rows));
}

/** Whether nothing of a server can be called as things are. */
export function isUnusable({ state }: UpstreamStatus): boolean {
  return state === 'failed' || state === 'needs authorization';
}
