import { Upstream, type UpstreamServices } from './upstream.ts';

/** A server holds so many processes at most for callers; the caller who has not called for longest gives his up. */
const MOST_CALLERS = 100;
/** Where the configuration does not say when a process without calls is stopped: a caller who has gone leaves nothing behind. */
const IDLE_MS = 10 * 60_000;

/**
 * The processes of authenticated callers: what one of them has opened, logged in to or kept in the memory of a server is nothing to
 * another. A server that is configured as `stateless` keeps nothing, and one at a URL is no process of ours: all share those.
 */
export class CallerUpstreams {
  readonly #services: UpstreamServices;
  /** By the upstream that they stand for, and by caller, the latest last. */
  readonly #upstreams = new Map<Upstream, Map<string, Upstream>>();
  readonly #retire: (upstream: Upstream) => void;

  /** @param retire ends an upstream when its calls have finished */
  constructor(services: UpstreamServices, retire: (upstream: Upstream) => void) {
    this.#services = services;
    this.#retire = retire;
  }

  get all(): readonly Upstream[] {
    return [...this.#upstreams.values()].flatMap((ofServer) => [...ofServer.values()]);
  }

  /** The upstream that a caller's calls go to; undefined is a caller who did not have to authenticate. */
  of(shared: Upstream, principal: string | undefined): Upstream {
    const { transport, stateless } = shared.config;
    if (principal === undefined || transport !== 'stdio' || stateless === true) return shared;
    const ofServer = this.#upstreams.get(shared) ?? new Map<string, Upstream>();
    this.#upstreams.set(shared, ofServer);
    const own = ofServer.get(principal) ?? this.#newUpstream(shared);
    ofServer.delete(principal);
    ofServer.set(principal, own);
    const [oldest] = ofServer.keys();
    if (ofServer.size > MOST_CALLERS && oldest !== undefined) this.#giveUp(ofServer, oldest);
    return own;
  }

  /** Takes over what has changed in the configuration of a server that keeps its processes. */
  adopt(shared: Upstream): void {
    for (const own of this.#upstreams.get(shared)?.values() ?? []) own.adopt(ownConfig(shared));
  }

  /** Ends all processes that stand for a server which has left the configuration. */
  retire(shared: Upstream): void {
    const ofServer = this.#upstreams.get(shared) ?? new Map<string, Upstream>();
    for (const principal of ofServer.keys()) this.#giveUp(ofServer, principal);
    this.#upstreams.delete(shared);
  }

  #giveUp(ofServer: Map<string, Upstream>, principal: string): void {
    const own = ofServer.get(principal);
    ofServer.delete(principal);
    if (own !== undefined) this.#retire(own);
  }

  /** Each may be of a newer version than what was listed last: what one lists holds for all. */
  #newUpstream(shared: Upstream): Upstream {
    const own: Upstream = new Upstream(ownConfig(shared), {
      ...this.#services,
      onChange: () => shared.learnFrom(own),
    });
    return own;
  }
}

function ownConfig({ config }: Upstream): Upstream['config'] {
  return { ...config, idleStopMs: config.idleStopMs ?? IDLE_MS };
}
