import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { MCP_PATH } from './address.ts';
import type { Guard } from './guard.ts';
import type { InFlight } from './in-flight.ts';
import { answer, readBody } from './mcp-endpoint.ts';

export interface AppOptions {
  readonly guard: Guard;
  readonly handler: McpHttpHandler;
  readonly inFlight: InFlight;
  readonly maxBodyBytes: number;
  /** Whether the catalog is loaded and the server not about to end. */
  readonly isReady: () => boolean;
}

type App = Hono<{ Bindings: HttpBindings }>;

/** All that the server answers by HTTP. */
export function createApp({ guard, handler, inFlight, maxBodyBytes, isReady }: AppOptions): App {
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
  app.all(MCP_PATH, async ({ req, env }) => {
    const read = await readBody(req.raw);
    if (read instanceof Response) return read;
    return answer(handler, inFlight, {
      request: req.raw,
      body: read.body,
      authInfo: undefined,
      response: env.outgoing,
    });
  });
  return app;
}

function tooLarge(maxBytes: number): Response {
  const error = { code: -32_000, message: `Request body too large: the limit is ${maxBytes} bytes.` };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 413 });
}
