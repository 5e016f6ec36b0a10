import { PlaybookError } from '../errors.ts';
import { cancelled } from '../tools/call-errors.ts';
import { orAborted } from '../tools/deadline.ts';
import { toolPrefixOf } from '../tools/naming.ts';
import type { UpstreamState } from '../tools/shared-connection.ts';
import type { UpstreamStatus } from '../tools/upstream-status.ts';
import type { Upstreams } from '../tools/upstreams.ts';
import type { Caller } from './mcp-server.ts';

/** How long after its start a search that found nothing waits for servers that were never listed. */
const SEARCH_WAIT_MS = 5_000;
/** Who only reads about a tool waits this long for its server, and so does every later call of one that hangs. */
const SHORT_WAIT_MS = 5_000;
/**
 * A server has this long from the first call of one of its tools: `npx` may have to download it, and most clients give a request
 * up after 60 s, without the reason that we can give.
 */
const FIRST_CALL_WAIT_MS = 45_000;

/** States in which a server that was never listed will not be listed soon. */
const HOPELESS: ReadonlySet<UpstreamState> = new Set(['failed', 'needs authorization', 'disabled']);

/** Who waits for a listing. */
export interface ListingWait {
  /** Who wants to call something: that is worth a longer wait, and a login where the server wants one. */
  readonly caller?: Pick<Caller, 'ask' | 'signal'>;
  /** Of somebody who only reads. */
  readonly signal?: AbortSignal;
  /** Whether whoever waits may know of a server; all where absent. */
  readonly isVisible?: (server: string) => boolean;
}

/** Waiting for servers that were never listed, on behalf of calls. */
export class FirstListings {
  readonly #upstreams: Upstreams;
  /** When a server was first waited for by a call, by name. */
  readonly #calledAt = new Map<string, number>();
  #beganAt = Number.NEGATIVE_INFINITY;

  constructor(upstreams: Upstreams) {
    this.#upstreams = upstreams;
  }

  /** To be called when listing begins. */
  begin(): void {
    this.#beganAt = performance.now();
  }

  /** The servers whose tools are not known. */
  unlisted(): readonly UpstreamStatus[] {
    return this.#upstreams.status().filter(({ toolCount }) => toolCount === undefined);
  }

  /**
   * Waits, while servers are being listed for the first time, for the next of them to be done: a search that found nothing may
   * find something then. Only in the first 5 s, so that a server which hangs delays one search and no more.
   *
   * @returns whether there may be more tools than before.
   */
  async next(): Promise<boolean> {
    const leftMs = this.#beganAt + SEARCH_WAIT_MS - performance.now();
    if (leftMs <= 0 || this.unlisted().every(({ state }) => HOPELESS.has(state))) return false;
    return new Promise((resolve) => {
      const done = (hasMore: boolean): void => {
        clearTimeout(timer);
        stop();
        resolve(hasMore);
      };
      const stop = this.#upstreams.onChange(() => done(true));
      const timer = setTimeout(done, leftMs, false);
    });
  }

  /**
   * Waits, for a while, for the first listing of the server that an unknown id belongs to: `github__create_issue` must
   * work in the first second of the first run too.
   *
   * @throws PlaybookError `tools/unavailable`, `tools/unauthorized` where that server has no tools to look the id up in;
   * `tools/cancelled`; as `Upstreams.logIn`.
   */
  async ofOwner(id: string, wait: ListingWait): Promise<void> {
    const { isVisible = () => true } = wait;
    const owner = this.unlisted().find(({ name }) => isVisible(name) && id.startsWith(toolPrefixOf(name)));
    if (owner === undefined) return;
    const { name } = owner;
    let status = await this.#listed(name, id, wait);
    if (status?.state === 'needs authorization' && wait.caller && (await this.#upstreams.logIn(name, wait.caller)))
      status = await this.#listed(name, id, wait);
    if (status !== undefined) throw unlistedError(status);
  }

  /** Waits for a listing. @returns undefined where there is one, else how the server is doing. */
  async #listed(
    server: string,
    id: string,
    { caller, signal = caller?.signal }: ListingWait,
  ): Promise<UpstreamStatus | undefined> {
    const limit = AbortSignal.timeout(caller ? this.#callWaitMs(server) : SHORT_WAIT_MS);
    const given = signal === undefined ? limit : AbortSignal.any([limit, signal]);
    // A probe never rejects: only the wait for it ends early.
    await Promise.allSettled([orAborted(this.#upstreams.probe(server), given)]);
    if (signal?.aborted === true) throw cancelled({ server, tool: id }, signal.reason);
    return this.unlisted().find(({ name }) => name === server);
  }

  #callWaitMs(server: string): number {
    const now = performance.now();
    const since = this.#calledAt.get(server) ?? now;
    this.#calledAt.set(server, since);
    return Math.ceil(Math.max(SHORT_WAIT_MS, since + FIRST_CALL_WAIT_MS - now));
  }
}

function unlistedError({ name, state, reason }: UpstreamStatus): PlaybookError {
  if (state === 'needs authorization') {
    return new PlaybookError('tools/unauthorized', `The server "${name}" cannot be used: ${reason ?? ''}.`, {
      hint: 'A person must log in there; executing a tool of it gives the address, in any terminal the command does.',
    });
  }
  const why = reason ?? (state === 'disabled' ? 'it is disabled in the configuration' : 'it is still starting');
  return new PlaybookError('tools/unavailable', `The server "${name}" has not listed its tools: ${why}.`, {
    hint: 'Go on without it or try again later; `playbook-mcp doctor` checks every server.',
  });
}
