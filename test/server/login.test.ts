import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it, onTestFinished } from 'vitest';
import { type OAuthServer, startOAuthServer } from '../tools/fakes/oauth-server.ts';
import { configFile, connectModern, handshake, legacyTransport, modernTransport, pipe, seedFolder } from './product.ts';

async function start(): Promise<OAuthServer> {
  const server = await startOAuthServer();
  onTestFinished(() => server.close());
  return server;
}

const capabilities = { elicitation: { url: {} } };

/** What a browser does with the address; gives the address, which must not be opened twice. */
async function browse(params: unknown): Promise<{ action: 'accept' }> {
  const { url } = params as { url: string };
  await fetch(url);
  return { action: 'accept' };
}

interface Asked {
  readonly era: string;
  readonly connect: (options: { args: string[] }) => Promise<(args: object) => Promise<unknown>>;
}

const asked: Asked[] = [
  {
    era: '2026-07-28',
    connect: async (options) => {
      const client = new ModernClient(
        { name: 'asked', version: '1' },
        { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities },
      );
      client.setRequestHandler('elicitation/create', ({ params }) => browse(params));
      await client.connect(modernTransport(options));
      onTestFinished(() => client.close());
      return (args) => client.callTool({ name: 'execute', arguments: { ...args } });
    },
  },
  {
    era: '2025',
    connect: async (options) => {
      const client = new OldClient({ name: 'asked', version: '1' }, { capabilities });
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => browse(params));
      await client.connect(legacyTransport(options));
      onTestFinished(() => client.close());
      return (args) => client.callTool({ name: 'execute', arguments: { ...args } });
    },
  },
];

it.each(asked)(
  'a client of $era that can open addresses logs its person in during the first call',
  async ({ connect }) => {
    const server = await start();
    const execute = await connect({ args: ['--no-starter', '--config', configFile({ wiki: { url: server.url } })] });
    const call = { id: 'wiki__echo', arguments: { text: 'x' }, confirm: undefined };
    expect(await execute(call)).toMatchObject({ content: [{ type: 'text', text: 'echo done' }] });
  },
);

it('any other client gets the address, the call works when repeated, and no secret is told', async () => {
  const server = await start();
  const home = seedFolder({});
  const piped = pipe({
    args: ['--no-starter', '--config', configFile({ wiki: { url: server.url } })],
    env: { PLAYBOOK_MCP_HOME: home },
  });
  for (const message of handshake) piped.send(message);
  const execute = async (id: number): Promise<string> => {
    piped.send({ id, method: 'tools/call', params: { name: 'execute', arguments: { id: 'wiki__echo' } } });
    return JSON.stringify((await piped.answer(id)).result);
  };
  const refused = await execute(2);
  expect(refused).toContain('"isError":true');
  const [url = ''] = /http:[^\s"]+authorize[^\s"]+/.exec(refused) ?? [];
  expect((await fetch(url)).status).toBe(200);
  expect(await execute(3)).toContain('echo done');
  server.expire();
  expect(await execute(4)).toContain('echo done');
  server.revoke();
  expect(await execute(5)).toContain('/authorize');
  await piped.end();
  const files = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'credentials.json')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  expect(server.secrets.length).toBeGreaterThan(4);
  for (const text of [...piped.lines, piped.stderr(), ...files])
    for (const secret of server.secrets) expect(text).not.toContain(secret);
});

it('a search tells what needs authorization without beginning it', async () => {
  const server = await start();
  const { call } = await connectModern({
    args: ['--no-starter', '--config', configFile({ wiki: { url: server.url } })],
  });
  let found = '';
  // On a busy machine the first answer may come before the server's refusal.
  while (!found.includes('Needs authorization')) found = JSON.stringify(await call('search', { query: 'echo' }));
  expect(found).toContain('playbook-mcp tools login');
  expect(JSON.stringify(await call('get_schema', { ids: ['wiki__echo'] }))).toContain('needs authorization');
  expect(server.asked).toEqual([]);
});

it('two processes that renew at once lose no refresh token', async () => {
  const server = await start();
  const env = { PLAYBOOK_MCP_HOME: seedFolder({}) };
  const args = ['--no-starter', '--config', configFile({ wiki: { url: server.url } })];
  const both = await Promise.all([1, 2].map(() => connectModern({ args, env, isAlone: true })));
  const echo = { id: 'wiki__echo' };
  const refused = JSON.stringify(await both[0]!.call('execute', echo));
  await fetch(/http:[^\s"]+authorize[^\s"]+/.exec(refused)?.[0] ?? '');
  for (let round = 0; round < 5; round += 1) {
    const results = await Promise.all(both.map(({ call }) => call('execute', echo)));
    expect(results.map((result) => JSON.stringify(result))).toEqual(
      Array(2).fill(expect.stringContaining('echo done')),
    );
    server.expire();
  }
});

it('a login in one process is taken up by another that is running', async () => {
  const server = await start();
  const env = { PLAYBOOK_MCP_HOME: seedFolder({}) };
  const args = ['--no-starter', '--config', configFile({ wiki: { url: server.url } })];
  const waiting = await connectModern({ args, env, isAlone: true });
  await waiting.call('search', { query: 'echo' });
  const other = await connectModern({ args, env, isAlone: true });
  const refused = JSON.stringify(await other.call('execute', { id: 'wiki__echo' }));
  await fetch(/http:[^\s"]+authorize[^\s"]+/.exec(refused)?.[0] ?? '');
  let found = '';
  while (!found.includes('wiki__echo')) found = JSON.stringify(await waiting.call('search', { query: 'echo' }));
  expect(JSON.stringify(await waiting.call('execute', { id: 'wiki__echo' }))).toContain('echo done');
});
