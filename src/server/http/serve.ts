import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { messageOf, PlaybookError } from '../../errors.ts';
import { usagePlaceOf } from '../../usage/place.ts';
import { onEndSignal } from '../end-signals.ts';
import { createLog } from '../log.ts';
import type { RuntimeOptions } from '../runtime-options.ts';
import { Runtime } from '../runtime.ts';
import { type HttpAddress, isLoopback, MCP_PATH, originOf } from './address.ts';
import { usagePages } from './admin-pages.ts';
import { createApp } from './app.ts';
import { Authentication } from './authentication.ts';
import { hostGuard } from './guard.ts';
import { InFlight } from './in-flight.ts';
import { joinReplicas } from './replicas.ts';
import { Metrics } from './metrics.ts';
import { RateLimit } from './rate-limit.ts';
import { Endpoint } from './mcp-endpoint.ts';
import { sharedInstructions } from './shared-instructions.ts';
import { Subscriptions } from './subscriptions.ts';

export interface ServeHttpOptions extends Omit<RuntimeOptions, 'log' | 'allowsProposals' | 'isRemote'> {
  readonly address: HttpAddress;
  /** Told when requests are answered; `url` is the endpoint of the protocol. */
  readonly onListening: (url: string) => void;
}

/** After a signal, requests that are running may still finish for this long. */
const DRAIN_MS = 10_000;

/**
 * Serves any number of clients over HTTP until a signal ends the process.
 *
 * @returns when running requests have been answered and every upstream server has been stopped.
 * @throws PlaybookError `http/unprotected`, `http/unavailable`, and as `Runtime.open`.
 */
export async function serveOverHttp({ address, onListening, ...options }: ServeHttpOptions): Promise<void> {
  const log = createLog(options.env);
  const ended = new Promise<void>((resolve) => onEndSignal(resolve));
  const runtime = await Runtime.open({ ...options, log, allowsProposals: false, isRemote: true });
  try {
    const serving = new Serving(runtime, { address, env: options.env, log });
    await serving.authentication.requireSense(address.host);
    runtime.follow();
    const server = await listen(serving.listener, address);
    try {
      serving.url = `${originOf({ ...address, port: portOf(server) })}${MCP_PATH}`;
      onListening(serving.url);
      await ended;
    } finally {
      await serving.end(server);
    }
  } finally {
    await runtime.close();
  }
}

interface ServingOptions {
  readonly address: HttpAddress;
  readonly env: RuntimeOptions['env'];
  readonly log: RuntimeOptions['log'];
}

/** What answers requests, from the first to the last. */
class Serving {
  readonly listener: ReturnType<typeof getRequestListener>;
  readonly authentication: Authentication;
  /** The endpoint, known when it is listened at. */
  url = '';
  readonly #inFlight = new InFlight();
  readonly #subscriptions: Subscriptions;
  readonly #close: () => Promise<void>;
  #isReady = false;

  constructor(runtime: Runtime, { address, env, log }: ServingOptions) {
    this.authentication = new Authentication({
      config: () => runtime.config.http,
      env,
      log,
      isExposed: !isLoopback(address.host),
      ownUrl: () => this.url,
    });
    this.#subscriptions = new Subscriptions({ isStill: (caller) => this.authentication.isStill(caller), log });
    const { http: config } = runtime.config;
    const replicas = joinReplicas({ config, env, log, place: usagePlaceOf(runtime.config, env) });
    const endpoint = new Endpoint({
      runtime,
      instructions: sharedInstructions(runtime, {
        access: () => (this.authentication.isOn ? [] : undefined),
        onError: (error) => log('debug', messageOf(error), {}),
      }),
      sessions: replicas.sessions,
      stateKey: replicas.key('request state'),
      changes: replicas.changes,
      onError: (error) => log('debug', messageOf(error), {}),
    });
    const app = createApp({
      guard: hostGuard(address, () => runtime.config.http),
      authentication: this.authentication,
      endpoint,
      inFlight: this.#inFlight,
      subscriptions: this.#subscriptions,
      limits: () => runtime.config.http,
      rateLimit: new RateLimit(),
      metrics: new Metrics(() => entryCount(runtime)),
      usagePage: usagePages(runtime, env),
      isReady: () => this.#isReady,
      log,
    });
    this.listener = getRequestListener(app.fetch);
    if (replicas.state !== undefined) runtime.share({ key: replicas.key('confirm'), state: replicas.state });
    this.#close = async () => {
      await endpoint.close();
      await replicas.close();
    };
    void runtime.snapshot().then(
      () => (this.#isReady = true),
      (error: unknown) => log('error', messageOf(error), {}),
    );
  }

  /** Takes no new connections, finishes what runs, ends what would never end by itself. */
  async end(server: Server): Promise<void> {
    this.#isReady = false;
    const closed = once(server, 'close');
    server.close();
    server.closeIdleConnections();
    await Promise.race([this.#inFlight.settled(), delay(DRAIN_MS, undefined, { ref: false })]);
    await this.#close();
    server.closeAllConnections();
    await closed;
    this.#subscriptions.close();
    this.authentication.close();
  }
}

async function listen(listener: Serving['listener'], { host, port }: HttpAddress): Promise<Server> {
  const server = createServer((request, response) => void listener(request, response));
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new PlaybookError('http/unavailable', `Cannot listen at ${host}:${port}: ${messageOf(error)}.`, {
      hint: 'Give another port; 0 takes any that is free.',
      cause: error,
    });
  }
  return server;
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return address === null || typeof address === 'string' ? 0 : address.port;
}

async function entryCount(runtime: Runtime): Promise<Readonly<Record<string, number>>> {
  const { entries } = (await runtime.snapshot()).catalog;
  const playbook = entries.filter(({ kind }) => kind === 'playbook').length;
  return { playbook, tool: entries.length - playbook };
}
