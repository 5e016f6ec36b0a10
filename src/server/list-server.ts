import { setTimeout as delay } from 'node:timers/promises';
import { PlaybookError } from '../errors.ts';
import { toolPrefixOf } from '../tools/naming.ts';
import type { Upstreams } from '../tools/upstreams.ts';
import type { UpstreamStatus } from '../tools/upstream-status.ts';
import type { Caller } from './mcp-server.ts';

/** A call waits this long for a server that was never listed; a server that hangs must not hold an agent for a minute. */
const LISTING_WAIT_MS = 5_000;

/**
 * Waits, for a while, for the first listing of the server that an unknown id belongs to, where there is one.
 *
 * @param caller whose person is asked to log in where the server wants that; undefined where nobody is to be asked.
 * @throws PlaybookError `tools/unavailable` where that server has no tools to look the id up in; as `Upstreams.logIn`.
 */
export async function listServerOf(
  upstreams: Upstreams,
  id: string,
  caller?: Pick<Caller, 'ask' | 'signal'>,
): Promise<void> {
  const owner = upstreams.status().find(({ name, toolCount }) => toolCount === undefined && belongsTo(id, name));
  if (owner === undefined) return;
  let status = await listed(upstreams, owner);
  if (status?.state === 'needs authorization' && caller && (await upstreams.logIn(owner.name, caller)))
    status = await listed(upstreams, owner);
  if (status?.toolCount !== undefined) return;
  if (status?.state === 'needs authorization') {
    throw new PlaybookError(
      'tools/unauthorized',
      `The server "${owner.name}" cannot be used: ${status.reason ?? ''}.`,
      {
        hint: 'A person must log in there; executing a tool of it gives the address, in any terminal the command does.',
      },
    );
  }
  throw new PlaybookError(
    'tools/unavailable',
    `The server "${owner.name}" has not listed its tools: ${status?.reason ?? 'it is still starting'}.`,
    {
      hint: 'Go on without it or try again later; `playbook-mcp doctor` checks every server.',
    },
  );
}

async function listed(upstreams: Upstreams, owner: UpstreamStatus): Promise<UpstreamStatus | undefined> {
  return Promise.race([upstreams.probe(owner.name), delay(LISTING_WAIT_MS, owner, { ref: false })]);
}

/** Whether an id can be of a tool of the server: ids begin with its name, made safe. */
function belongsTo(id: string, server: string): boolean {
  return id.startsWith(toolPrefixOf(server));
}
