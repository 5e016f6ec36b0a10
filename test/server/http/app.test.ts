import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { expect, it } from 'vitest';
import { createApp } from '../../../src/server/http/app.ts';
import { Authentication } from '../../../src/server/http/authentication.ts';
import { InFlight } from '../../../src/server/http/in-flight.ts';
import { Metrics } from '../../../src/server/http/metrics.ts';
import { RateLimit } from '../../../src/server/http/rate-limit.ts';
import { Subscriptions } from '../../../src/server/http/subscriptions.ts';
import type { Log } from '../../../src/tools/log.ts';
import { modernRequest } from './http-product.ts';

it('tells a failure of its own as an error, also when the request has been read', async () => {
  const told: unknown[] = [];
  const log: Log = (level, message) => void told.push([level, message]);
  const limits = { callsPerMinute: 100, maxBodyBytes: 1000 };
  const subscriptions = new Subscriptions({ isStill: () => Promise.resolve(true), log });
  const app = createApp({
    guard: () => undefined,
    authentication: new Authentication({
      config: () => ({ ...limits, tokens: [], targetHeader: false }),
      env: {},
      log,
      isExposed: false,
      ownUrl: () => '',
    }),
    endpoint: { answer: () => new Promise((_, reject) => setImmediate(reject, new Error('broken'))) },
    inFlight: new InFlight(),
    subscriptions,
    limits: () => limits,
    rateLimit: new RateLimit(),
    metrics: new Metrics(() => Promise.resolve({})),
    usagePage: () => Promise.resolve(new Response()),
    isReady: () => true,
    log,
  });
  const listener = getRequestListener(app.fetch);
  const server = createServer((request, response) => void listener(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { status } = await fetch(`http://127.0.0.1:${port}/mcp`, modernRequest('tools/list', {}));
  server.close();
  server.closeAllConnections();
  subscriptions.close();
  expect([status, told]).toEqual([500, [['error', 'broken']]]);
});
