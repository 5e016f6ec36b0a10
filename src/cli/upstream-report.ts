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
export function isUnusable({ state, reason, toolCount }: UpstreamStatus): boolean {
  // One that starts and then does not list its tools has none.
  const hasNoTools = state !== 'disabled' && reason !== undefined && toolCount === undefined;
  return state === 'failed' || state === 'needs authorization' || hasNoTools;
}

/** Whether there is nothing to be told of a server but that it is there. */
export function isWell({ state, reason, notes }: UpstreamStatus): boolean {
  return notes === undefined && (reason === undefined || state === 'disabled');
}
