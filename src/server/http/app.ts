import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { MCP_PATH } from './address.ts';
import type { Authentication } from './authentication.ts';
import type { Guard } from './guard.ts';
import type { InFlight } from './in-flight.ts';
import { answer, readBody } from './mcp-endpoint.ts';
import { neededScopes } from './scopes.ts';

export interface AppOptions {
  readonly guard: Guard;
  readonly authentication: Authentication;
  readonly handler: McpHttpHandler;
  readonly inFlight: InFlight;
  readonly maxBodyBytes: number;
  /** Whether the catalog is loaded and the server not about to end. */
  readonly isReady: () => boolean;
}

/** Where RFC 9728 has the metadata of a resource; the path of the resource follows. */
const METADATA_PATH = '/.well-known/oauth-protected-resource';

type App = Hono<{ Bindings: HttpBindings }>;

/** All that the server answers by HTTP. */
export function createApp({ guard, authentication, handler, inFlight, maxBodyBytes, isReady }: AppOptions): App {
  const app: App = new Hono();
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
  app.use(MCP_PATH, cors({ origin: (origin) => origin, exposeHeaders: ['WWW-Authenticate', 'Retry-After'] }));
  app.use(MCP_PATH, bodyLimit({ maxSize: maxBodyBytes, onError: () => tooLarge(maxBodyBytes) }));
  app.use(`${METADATA_PATH}/*`, cors());
  app.get(`${METADATA_PATH}/*`, (context) => {
    const metadata = authentication.metadata();
    return metadata === undefined ? context.notFound() : context.json(metadata);
  });
  app.all(MCP_PATH, async ({ req, env }) => {
    const authInfo = await authentication.authenticate(req.raw);
    if (authInfo instanceof Response) return authInfo;
    const read = await readBody(req.raw);
    if (read instanceof Response) return read;
    const missing = neededScopes(read.body).filter((scope) => authInfo?.scopes.includes(scope) === false);
    if (missing.length > 0) return authentication.refuseScopes(missing);
    return answer(handler, inFlight, { request: req.raw, body: read.body, authInfo, response: env.outgoing });
  });
  return app;
}

function tooLarge(maxBytes: number): Response {
  const error = { code: -32_000, message: `Request body too large: the limit is ${maxBytes} bytes.` };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 413 });
}
