import type { HttpBindings } from '@hono/node-server';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import type { HttpConfig } from '../../config/index.ts';
import { isJsonObject } from '../../model.ts';
import { MCP_PATH } from './address.ts';
import type { Authentication } from './authentication.ts';
import type { Guard } from './guard.ts';
import type { Metrics } from './metrics.ts';
import type { RateLimit } from './rate-limit.ts';
import { messageOf } from '../../errors.ts';
import type { Log } from '../../tools/log.ts';
import type { InFlight } from './in-flight.ts';
import type { Endpoint } from './mcp-endpoint.ts';
import { readBody } from './read-body.ts';
import { refusal } from './refusal.ts';
import { neededScopes } from './scopes.ts';
import type { Subscriptions } from './subscriptions.ts';

export interface AppOptions {
  readonly guard: Guard;
  readonly authentication: Authentication;
  readonly endpoint: Pick<Endpoint, 'answer'>;
  readonly inFlight: InFlight;
  readonly subscriptions: Subscriptions;
  /** As they are now: the configuration is followed. */
  readonly limits: () => Pick<HttpConfig, 'callsPerMinute' | 'maxBodyBytes'>;
  readonly rateLimit: RateLimit;
  readonly metrics: Metrics;
  readonly usagePage: () => Promise<Response>;
  /** Whether the catalog is loaded and the server not about to end. */
  readonly isReady: () => boolean;
  readonly log: Log;
}

/** Where RFC 9728 has the metadata of a resource; the path of the resource follows. */
const METADATA_PATH = '/.well-known/oauth-protected-resource';

type App = Hono<{ Bindings: Pick<HttpBindings, 'incoming' | 'outgoing'> }>;

/** All that the server answers by HTTP. */
export function createApp(options: AppOptions): App {
  const { guard, authentication, inFlight, isReady, log, metrics, usagePage } = options;
  const app: App = new Hono();
  app.onError((error, { env }) => {
    // A client that is gone before it has told all is no failure of ours. A request is destroyed once it is read, too.
    const isGone = env.outgoing.destroyed;
    log(isGone ? 'debug' : 'error', messageOf(error), isGone ? {} : { stack: error.stack });
    return refusal(500, { error: { code: ProtocolErrorCode.InternalError, message: 'Internal error' } });
  });
  // A prober addresses a machine by whatever it has, and learns nothing else here.
  app.get('/healthz', (context) => context.text('ok\n'));
  app.get('/readyz', (context) => (isReady() ? context.text('ok\n') : context.text('not ready\n', 503)));
  app.use(async (context, next) => {
    const refused = guard(context.req.raw);
    if (refused !== undefined) return refused;
    inFlight.begin(context.env.outgoing);
    return next();
  });
  // Only pages that the guard lets through read this.
  const forPages = cors({ origin: (origin) => origin, exposeHeaders: ['WWW-Authenticate', 'Retry-After'] });
  app.use(MCP_PATH, (context, next) => (context.req.header('origin') === undefined ? next() : forPages(context, next)));
  app.get('/', async ({ req }) => (await authentication.refuseAdmin(req.raw)) ?? usagePage());
  app.get('/metrics', async ({ req }) => (await authentication.refuseAdmin(req.raw)) ?? metrics.toResponse());
  app.use(`${METADATA_PATH}/*`, cors());
  app.get(`${METADATA_PATH}/*`, (context) => {
    const metadata = authentication.metadata();
    return metadata === undefined ? context.notFound() : context.json(metadata);
  });
  app.all(MCP_PATH, ({ req, env }) =>
    answerRequest(options, { request: req.raw, incoming: env.incoming, response: env.outgoing }),
  );
  return app;
}

interface Exchange {
  readonly request: Request;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
}

/** From who calls, over whether they may, to the answer. */
async function answerRequest(options: AppOptions, { request, incoming, response }: Exchange): Promise<Response> {
  const { authentication, endpoint, inFlight, metrics, rateLimit, subscriptions } = options;
  const { callsPerMinute, maxBodyBytes } = options.limits();
  const began = performance.now();
  const counted = (body: unknown, answered: Response): Response => {
    metrics.count(body, { status: answered.status, seconds: (performance.now() - began) / 1000 });
    return answered;
  };
  const authInfo = await authentication.authenticate(request);
  if (authInfo instanceof Response) return counted(undefined, authInfo);
  const limited = authInfo && (await rateLimit.count(authInfo.clientId, callsPerMinute));
  if (limited !== undefined) return counted(undefined, limited);
  const read = await readBody(incoming, maxBodyBytes);
  if (read instanceof Response) return counted(undefined, read);
  const { body } = read;
  const missing = neededScopes(body).filter((scope) => authInfo?.scopes.includes(scope) === false);
  if (missing.length > 0) return counted(body, authentication.refuseScopes(missing));
  // An open subscription is not waited for at the end.
  if (isSubscription(body)) {
    inFlight.leave(response);
    metrics.countSubscription(response);
    subscriptions.add(response, authInfo);
  }
  return counted(body, await endpoint.answer({ request, body, authInfo }));
}

function isSubscription(body: unknown): boolean {
  return isJsonObject(body) && body['method'] === 'subscriptions/listen';
}
