import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { expect, it, onTestFinished } from 'vitest';

import { open, remote } from './harness.ts';

async function listen(handler: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Promise<string> {
  const server = createServer((request, response) => {
    handler(request, response).catch((error: Error) => response.destroy(error));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}/mcp`;
}

/** The 2026-07-28 revision over HTTP, on the SDK's own handler. */
async function listenModern(seen: IncomingMessage[]): Promise<string> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'modern', version: '1.0.0' });
    const inputSchema = fromJsonSchema({ type: 'object', properties: { text: { type: 'string' } } });
    server.registerTool('echo', { inputSchema }, (args) => ({ content: [], structuredContent: { args } }));
    return server;
  });
  return listen(async (request, response) => {
    seen.push(request);
    const body = request.method === 'POST' ? await text(request) : null;
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const answer = await handler.fetch(
      new Request(`http://${request.headers.host}/mcp`, { method: request.method ?? 'GET', headers, body }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
}

it('a server of the 2026-07-28 revision is reached with the configured headers', async () => {
  const seen: IncomingMessage[] = [];
  const url = await listenModern(seen);
  const { upstreams } = open([remote('wiki', url, { headers: { Authorization: 'Bearer secret' } })]);
  await upstreams.listMissing();
  expect(upstreams.status()).toMatchObject([{ state: 'ready', era: 'modern', toolCount: 1 }]);
  expect(await upstreams.call('wiki__echo', { text: 'x' })).toEqual({
    content: [],
    structuredContent: { args: { text: 'x' } },
  });
  expect(new Set(seen.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer secret']));
});

/** A server of the 2025 revision with sessions, which forgets them on demand. */
async function listenWithSessions(sessions: Set<string>, calls: string[]): Promise<string> {
  return listen(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(await text(request));
    const session = String(request.headers['mcp-session-id'] ?? '');
    const answer = (result: object, headers: Record<string, string> = {}): void => {
      response.writeHead(200, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    };
    if (method === 'initialize') {
      const opened = `session-${calls.length}-${sessions.size}`;
      sessions.add(opened);
      const serverInfo = { name: 'sessions', version: '1' };
      return answer(
        { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo },
        { 'mcp-session-id': opened },
      );
    }
    if (!sessions.has(session)) return void response.writeHead(session === '' ? 400 : 404).end('unknown session');
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'tools/list') return answer({ tools: [{ name: 'touch', inputSchema: { type: 'object' } }] });
    calls.push(session);
    return answer({ content: [] });
  });
}

it('a call for which the server has forgotten the session is made once, on a new one', async () => {
  const sessions = new Set<string>();
  const calls: string[] = [];
  const { upstreams } = open([remote('s', await listenWithSessions(sessions, calls))]);
  await upstreams.listMissing();
  await upstreams.call('s__touch', {});
  sessions.clear();
  expect(await upstreams.call('s__touch', {})).toEqual({ content: [] });
  expect(calls).toHaveLength(2);
  expect(new Set(calls).size).toBe(2);
});

it.each([
  { name: 'begins its answer late', answersMs: 120 },
  { name: 'answers with the result alone', answersMs: 60_000 },
])('a server that $name hears of a cancellation after the call', async ({ answersMs }) => {
  const taken: string[] = [];
  const url = await listen(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(await text(request));
    const answer = (result: object): void => {
      if (response.destroyed) return;
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    };
    if (id === undefined) {
      if (method === 'notifications/cancelled') taken.push(method);
      return void response.writeHead(202).end();
    }
    if (method === 'initialize') {
      const serverInfo = { name: 'late', version: '1' };
      return answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo });
    }
    if (method === 'tools/list') return answer({ tools: [{ name: 'work', inputSchema: { type: 'object' } }] });
    if (method !== 'tools/call') return answer({});
    setTimeout(() => taken.push(method), 60);
    setTimeout(answer, answersMs, { content: [] }).unref();
  });
  const { upstreams } = open([remote('s', url)]);
  await upstreams.listMissing();
  const cancel = new AbortController();
  const call = upstreams.call('s__work', {}, { signal: cancel.signal });
  setTimeout(() => cancel.abort(new Error('changed my mind')), 20);
  await expect(call).rejects.toMatchObject({ code: 'tools/cancelled' });
  await expect.poll(() => taken).toEqual(['tools/call', 'notifications/cancelled']);
});

it.each([
  { name: 'nobody listens', url: 'http://127.0.0.1:1/mcp', reason: /bad port/ },
  { name: 'there is no such host', url: 'http://nowhere.invalid/mcp', reason: /ENOTFOUND|EAI_AGAIN/ },
  { name: 'the server wants another caller', url: undefined, reason: /401/ },
])('a server is named with the reason where $name', async ({ url, reason }) => {
  const address = url ?? (await listen(async (_request, response) => void response.writeHead(401).end('who are you?')));
  const headers = { Authorization: 'Bearer of-somebody-else' };
  const { upstreams } = open([remote('wiki', address, { headers })]);
  expect(await upstreams.probe('wiki')).toMatchObject({ state: 'failed', reason: expect.stringMatching(reason) });
});
