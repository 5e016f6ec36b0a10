import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import type { RemoteUpstreamConfig } from '../../src/config/index.ts';
import type { Question } from '../../src/tools/provider.ts';
import { type OAuthServer, type OAuthServerOptions, startOAuthServer } from './fakes/oauth-server.ts';
import { type Opened, open, remote, tempDir } from './harness.ts';

async function start(options: OAuthServerOptions = {}): Promise<OAuthServer> {
  const server = await startOAuthServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** Opens the address as a browser does, which follows redirects. */
async function browse(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url);
  return { status: response.status, text: await response.text() };
}

/** A person who opens whatever address is put to them. */
const person = (seen: Question[] = []) => ({
  ask: async (question: Question) => {
    seen.push(question);
    await browse(String(question.params['url']));
    return { action: 'accept' };
  },
});

/** Upstreams where somebody has logged in to `wiki`. */
async function loggedIn(
  server: OAuthServer,
  more: Partial<RemoteUpstreamConfig> = {},
  cacheDir = tempDir(),
): Promise<Opened> {
  const opened = open([remote('wiki', server.url, more)], { cacheDir });
  await opened.upstreams.probe('wiki');
  await opened.upstreams.logIn('wiki', person());
  await opened.upstreams.probe('wiki');
  return opened;
}

const done = (name: string) => ({ content: [{ type: 'text', text: `${name} done` }] });
const tokenRequests = ({ asked }: OAuthServer): number => asked.filter((line) => line === 'POST /token').length;

it.each([{ era: 'modern' as const }, { era: 'legacy' as const }])(
  'a person who is asked logs in to a server of the $era era, and the call goes on',
  async ({ era }) => {
    const server = await start({ era, isOpenToList: true });
    const { upstreams } = open([remote('wiki', server.url)]);
    await upstreams.listMissing();
    const seen: Question[] = [];
    expect(await upstreams.call('wiki__echo', {}, person(seen))).toMatchObject(done('echo'));
    expect(seen).toMatchObject(
      [{ method: 'elicitation/create', params: { mode: 'url', message: /wiki/ } }].map(({ method, params }) => ({
        method,
        params: { ...params, message: expect.stringMatching(params.message) },
      })),
    );
    expect(await upstreams.call('wiki__echo', {}, {})).toMatchObject(done('echo'));
  },
);

it('listing begins no login, and tells that one is needed', async () => {
  const server = await start();
  const { upstreams, cacheDir } = open([remote('wiki', server.url)]);
  await upstreams.listMissing();
  await upstreams.probe('wiki');
  expect(upstreams.status()).toMatchObject([
    { state: 'needs authorization', reason: expect.stringContaining('playbook-mcp tools login wiki') },
  ]);
  expect(server.asked).toEqual([]);
  expect(readdirSync(cacheDir)).not.toContain('oauth');
});

it('an Authorization header of the configuration is left alone, and its refusal is a failure', async () => {
  const server = await start();
  const { upstreams } = open([remote('wiki', server.url, { headers: { authorization: 'Bearer mine' } })]);
  expect(await upstreams.probe('wiki')).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/401|[Uu]nauthorized/),
  });
  expect(await upstreams.logIn('wiki', person())).toBe(false);
});

it('tokens are stored for the user alone, and are used by the next process', async () => {
  const server = await start();
  const { upstreams, cacheDir } = await loggedIn(server);
  expect(upstreams.status()).toMatchObject([{ state: 'ready', toolCount: 2 }]);
  if (process.platform !== 'win32') {
    expect(statSync(join(cacheDir, 'oauth')).mode & 0o777).toBe(0o700);
    expect(statSync(join(cacheDir, 'oauth', 'credentials.json')).mode & 0o777).toBe(0o600);
  }
  const other = open([remote('wiki', server.url)], { cacheDir });
  expect(await other.upstreams.call('wiki__echo', {}, {})).toMatchObject(done('echo'));
  expect(tokenRequests(server)).toBe(1);
});

it('a token that is refused is renewed once, however many calls are in flight', async () => {
  const server = await start();
  const { upstreams } = await loggedIn(server);
  server.expire();
  const calls = Array.from({ length: 20 }, () => upstreams.call('wiki__echo', {}, {}));
  expect(await Promise.all(calls)).toEqual(Array(20).fill(expect.objectContaining(done('echo'))));
  expect(tokenRequests(server)).toBe(2);
});

it('a token that is about to expire is renewed before it is used', async () => {
  const server = await start({ expiresIn: 5 });
  const { upstreams } = await loggedIn(server);
  const before = tokenRequests(server);
  await upstreams.call('wiki__echo', {}, {});
  expect(tokenRequests(server)).toBe(before + 1);
});

it('two that share the file renew at once without losing a rotated refresh token', async () => {
  const server = await start();
  const { upstreams, cacheDir } = await loggedIn(server);
  const other = open([remote('wiki', server.url)], { cacheDir });
  await other.upstreams.call('wiki__echo', {}, {});
  for (let round = 0; round < 5; round += 1) {
    server.expire();
    const both = [upstreams, other.upstreams].map((each) => each.call('wiki__echo', {}, {}));
    expect(await Promise.all(both)).toHaveLength(2);
  }
  expect(tokenRequests(server)).toBe(6);
});

it('a login that was revoked is asked for anew', async () => {
  const server = await start();
  const { upstreams } = await loggedIn(server);
  server.revoke();
  await expect(upstreams.call('wiki__echo', {}, {})).rejects.toMatchObject({
    code: 'tools/unauthorized',
    message: expect.stringContaining('expired or was revoked'),
    hint: expect.stringContaining('playbook-mcp tools login wiki'),
  });
  expect(upstreams.status()).toMatchObject([{ state: 'needs authorization' }]);
  expect(await upstreams.call('wiki__echo', {}, person())).toMatchObject(done('echo'));
  expect(server.asked.filter((line) => line === 'POST /register')).toHaveLength(1);
});

it('a call that needs more scope asks for it, and keeps what was granted', async () => {
  const server = await start();
  const { upstreams } = await loggedIn(server);
  const seen: Question[] = [];
  expect(await upstreams.call('wiki__admin', {}, person(seen))).toMatchObject(done('admin'));
  expect(new URL(String(seen[0]?.params['url'])).searchParams.get('scope')).toBe('read admin');
});

it('a server of the HTTP and SSE transport is logged in to, renewed, and asks for more, as any other', async () => {
  const server = await start({ era: 'sse' });
  const { upstreams } = await loggedIn(server, { transport: 'sse' });
  server.expire();
  expect(await upstreams.call('wiki__echo', {}, {})).toMatchObject(done('echo'));
  expect(await upstreams.call('wiki__admin', {}, person())).toMatchObject(done('admin'));
  server.revoke();
  await expect(upstreams.call('wiki__echo', {}, {})).rejects.toMatchObject({ code: 'tools/unauthorized' });
});

it('a client that cannot be asked gets the address, and the repeated call works', async () => {
  const server = await start({ isOpenToList: true });
  const { upstreams } = open([remote('wiki', server.url)]);
  await upstreams.listMissing();
  const { PlaybookError } = await import('../../src/errors.ts');
  const ask = () => Promise.reject(new PlaybookError('tools/undeclared', 'cannot'));
  const failed = await upstreams.call('wiki__echo', {}, { ask }).catch((error: Error) => error.message);
  const [url = ''] = /http:[^\s"]+/.exec(JSON.stringify(failed)) ?? [];
  const again = await upstreams.call('wiki__echo', {}, { ask }).catch((error: Error) => error.message);
  expect(again).toBe(failed);
  expect(await browse(url)).toMatchObject({ status: 200, text: expect.stringContaining('logged in to wiki') });
  expect(await upstreams.call('wiki__echo', {}, { ask })).toMatchObject(done('echo'));
});

it.each([
  { name: 'another authorization server answers', options: { iss: 'https://evil.example' }, reason: /Issuer mismatch/ },
  { name: 'the server registers nobody', options: { registers: false }, reason: /registration/i },
])('a login fails with the reason where $name', async ({ options, reason }) => {
  const server = await start({ ...options, isOpenToList: true });
  const { upstreams } = open([remote('wiki', server.url)]);
  await upstreams.listMissing();
  await expect(upstreams.call('wiki__echo', {}, person())).rejects.toMatchObject({
    code: 'tools/unauthorized',
    message: expect.stringMatching(reason),
  });
  expect(tokenRequests(server)).toBe(0);
});

it('a redirect with another state is none, and the wait goes on', async () => {
  const server = await start();
  const { upstreams } = open([remote('wiki', server.url)]);
  await upstreams.probe('wiki');
  const login = await upstreams.authorizationOf('wiki')?.begin();
  const url = new URL(login?.url ?? '');
  const back = new URL(url.searchParams.get('redirect_uri') ?? '');
  back.searchParams.set('state', 'guessed');
  back.searchParams.set('code', 'mine');
  expect((await browse(back.href)).status).toBe(400);
  expect((await browse(url.href)).status).toBe(200);
  await login?.done;
  await expect(browse(back.href)).rejects.toThrow(/fetch failed/);
});

it('a login that a person is at outlives the renewal of the token', async () => {
  const server = await start();
  const { upstreams } = await loggedIn(server);
  const login = await upstreams.authorizationOf('wiki')?.begin();
  server.expire();
  await upstreams.call('wiki__echo', {}, {});
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect((await browse(login?.url ?? '')).status).toBe(200);
  await login?.done;
});

it('the secret of a configured client is kept from any authorization server but its own', async () => {
  const server = await start({ isOpenToList: true });
  const oauth = { clientId: 'ours', clientSecret: 'planted-client-secret', issuer: 'https://login.example' };
  const { upstreams } = open([remote('wiki', server.url, { oauth })]);
  await upstreams.listMissing();
  await expect(upstreams.call('wiki__echo', {}, person())).rejects.toMatchObject({
    code: 'tools/unauthorized',
    message: expect.stringContaining('https://login.example'),
  });
  expect(tokenRequests(server)).toBe(0);
});

it('a client of the configuration is used as it is, with its scopes', async () => {
  const server = await start({ registers: false });
  const oauth = { clientId: 'ours', clientSecret: 'planted-client-secret', scopes: ['read', 'admin'] };
  const { upstreams } = await loggedIn(server, { oauth });
  expect(await upstreams.call('wiki__admin', {}, {})).toMatchObject(done('admin'));
  expect(server.asked).not.toContain('POST /register');
});

it('no secret reaches the log, an error, the status or any other file', async () => {
  const server = await start();
  const { upstreams, cacheDir, log } = await loggedIn(server);
  server.expire();
  await upstreams.call('wiki__echo', {}, {});
  server.revoke();
  const error = await upstreams.call('wiki__echo', {}, {}).catch((thrown: unknown) => thrown);
  const told = [JSON.stringify(upstreams.status()), String(error), JSON.stringify(error), ...log];
  const files = readdirSync(cacheDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'credentials.json')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  expect(files.length).toBeGreaterThan(0);
  expect(server.secrets.length).toBeGreaterThan(3);
  for (const text of [...told, ...files]) for (const secret of server.secrets) expect(text).not.toContain(secret);
});
