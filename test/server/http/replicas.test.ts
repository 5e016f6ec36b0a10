import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, request as sendTo } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PostgresServer, postgresPrograms, run, startPostgres } from '../../usage/postgres.ts';
import { configFile, registryServer, seedFolder } from '../product.ts';
import { type HttpProduct, modernClient, post, startHttp, textOf } from './http-product.ts';

const asking = fileURLToPath(new URL('../../tools/fakes/asking-modern-upstream.mjs', import.meta.url));
const SECRET = 'a-secret-of-more-than-thirty-two-characters';

/** Hands each request to the next replica in turn. */
async function roundRobin(replicas: readonly HttpProduct[]): Promise<{ url: string; close: () => void }> {
  let turn = 0;
  const proxy = createServer((incoming, outgoing) => {
    const { url } = replicas[turn++ % replicas.length]!;
    const { method, headers } = incoming;
    const forwarded = sendTo(url, { method: method!, headers: { ...headers, host: new URL(url).host } }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`,
    close: () => {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

describe.skipIf(postgresPrograms === undefined)('two replicas behind a proxy that takes turns', () => {
  let postgres: PostgresServer;
  let proxy: Awaited<ReturnType<typeof roundRobin>>;
  let store: string;
  let replicas: readonly HttpProduct[];
  const target = seedFolder({ 'old.txt': 'old' });
  const folders = [1, 2].map(() =>
    seedFolder({ 'roll-back.md': '---\ndescription: Roll a release back.\n---\nDo.\n' }),
  );

  beforeAll(async () => {
    postgres = await startPostgres();
    store = await postgres.newDatabase();
    const servers = {
      filesystem: { ...registryServer('server-filesystem', target), confirm: 'destructive' },
      asking: { command: process.execPath, args: [asking] },
    };
    const print = ['node', '-e', 'for (let i = 0; i < 900; i++) console.log(i, "words and more words")'];
    const commands = { long: { description: 'Prints much', command: print, readOnly: true } };
    const config = configFile(servers, {
      commands,
      limits: { resultTokens: 1000 },
      usage: { store },
      http: {
        secret: SECRET,
        tokens: [
          { token: 'one', name: 'one' },
          { token: 'two', name: 'two' },
        ],
      },
    });
    const args = (folder: string) => ['--no-starter', '--config', config, '--playbooks', folder];
    replicas = await Promise.all(folders.map((folder) => startHttp({ args: args(folder) })));
    proxy = await roundRobin(replicas);
  }, 60_000);

  afterAll(async () => {
    proxy.close();
    await Promise.all(replicas.map(({ stop }) => stop()));
    await postgres.close();
  });

  it('read on in a cut result that the other holds, page by page, but for its caller only', async () => {
    const client = await modernClient(proxy.url, { token: 'one' });
    const cut = await client.callTool({ name: 'execute', arguments: { id: 'long' } });
    const next = (cut._meta as Record<string, { handle: string; cursor: string }>)['playbook-mcp/cut']!;
    const read = { id: 'results__read', arguments: { handle: next.handle } };
    for (let page = 0; page < 3; page += 1) {
      const answer = await client.callTool({ name: 'execute', arguments: read });
      expect(answer.isError).not.toBe(true);
      expect(textOf(answer)).toContain('words and more words');
    }
    const other = await modernClient(proxy.url, { token: 'two' });
    for (let tries = 0; tries < 2; tries += 1) {
      expect((await other.callTool({ name: 'execute', arguments: read })).isError).toBe(true);
    }
  });

  it('take a confirmation that the other asked for, once', async () => {
    const path = join(target, 'new.txt');
    const call = { id: 'filesystem__write_file', arguments: { path, content: 'x' } };
    const through = (args: object) => post(proxy.url)('execute', { ...call, ...args }, { token: 'one' });
    const confirm = /confirm\\": \\"([\w.-]+)/.exec((await through({})).text)?.[1] ?? '';
    expect((await post(replicas[0]!.url)('execute', { ...call, confirm }, { token: 'two' })).text).toContain(
      'unconfirmed',
    );
    expect(existsSync(path)).toBe(false);
    expect((await through({ confirm })).text).not.toContain('"isError":true');
    expect(existsSync(path)).toBe(true);
    const again = await Promise.all(
      replicas.map(({ url }) => post(url)('execute', { ...call, confirm }, { token: 'one' })),
    );
    for (const { text } of again) expect(text).toContain('used before');
  });

  it('go on with a round that the other began, for its caller', async () => {
    const client = new Client(
      { name: 'asked', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: { elicitation: {} } },
    );
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { city: 'Ulm' } }));
    const headers = { Authorization: 'Bearer one' };
    await client.connect(new StreamableHTTPClientTransport(new URL(proxy.url), { requestInit: { headers } }));
    const answer = await client.callTool({
      name: 'execute',
      arguments: { id: 'asking__order', arguments: { what: 'shoes' } },
    });
    expect(JSON.stringify(answer)).toContain('shoes to');
    await client.close();
  });

  it('tell each other’s subscribers what has changed', async () => {
    const told: string[] = [];
    for (const { url } of replicas) {
      const client = await modernClient(url, { token: 'one' });
      client.setNotificationHandler(
        'notifications/resources/updated',
        ({ params }) => void told.push(`${url} ${params.uri}`),
      );
      client.setNotificationHandler('notifications/prompts/list_changed', () => void told.push(`${url} prompts`));
      await client.listen({ promptsListChanged: true, resourceSubscriptions: ['playbook://roll-back'] });
    }
    // Only the first replica has this folder.
    writeFileSync(join(folders[0]!, 'roll-back.md'), '---\ndescription: Roll it back anew.\n---\nDo.\n');
    const expected = replicas.flatMap(({ url }) => [`${url} playbook://roll-back`, `${url} prompts`]);
    await expect.poll(() => [...told].sort(), { timeout: 15_000 }).toEqual([...expected].sort());
  });

  it('record one session of one caller’s work', async () => {
    const client = await modernClient(proxy.url, { token: 'two', name: 'session-client' });
    for (let count = 0; count < 4; count += 1)
      await client.callTool({ name: 'search', arguments: { query: 'roll back' } });
    const rows = async () =>
      run(store, `select distinct session, user_name from usage_events where client = 'session-client'`);
    await expect.poll(async () => (await rows()).length, { timeout: 15_000 }).toBeGreaterThan(0);
    await expect
      .poll(async () => run(store, `select count(*)::int as n from usage_events where client = 'session-client'`), {
        timeout: 15_000,
      })
      .toEqual([{ n: 4 }]);
    expect(await rows()).toEqual([{ session: expect.any(String), user_name: 'two' }]);
  });
});
