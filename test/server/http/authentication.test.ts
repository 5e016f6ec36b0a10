import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { configFile, seedFolder } from '../product.ts';
import { eras, modernRequest, post, startHttp, textOf } from './http-product.ts';
import { startIssuer } from './issuer.ts';

const folder = seedFolder({ 'roll-back.md': '---\ndescription: Roll a release back.\n---\nDo the thing.\n' });
const args = ['--no-starter', '--playbooks', folder];
const AUDIENCE = 'https://playbooks.example.com/mcp';
const start = (http: object, more: object = {}) =>
  startHttp({ args: [...args, '--config', configFile({}, { http, ...more })] });

const hour = 3600;
const now = Math.floor(Date.now() / 1000);
const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a bearer token of the configuration', () => {
  const tokens = [
    'plain-secret',
    { token: 'reader-secret', name: 'reader', scopes: ['search'] },
    { token: 'nothing-secret', scopes: [] },
  ];
  const product = start({ tokens });

  it.each(eras)('lets a client of $era in', async ({ connect }) => {
    const client = await connect((await product).url, { token: 'plain-secret' });
    const answer = await client.callTool({ name: 'execute', arguments: { id: 'roll-back' } });
    expect(textOf(answer)).toContain('Do the thing.');
  });

  it.each([
    { name: 'no token', headers: {} },
    { name: 'another token', headers: { Authorization: 'Bearer plain-secreT' } },
    { name: 'the beginning of one', headers: { Authorization: 'Bearer plain' } },
    { name: 'another scheme', headers: { Authorization: 'Basic plain-secret' } },
    { name: 'an empty one', headers: { Authorization: 'Bearer ' } },
  ])('refuses $name with a challenge', async ({ headers }) => {
    const { status, headers: answered } = await post((await product).url)('search', {}, { headers: { ...headers } });
    expect(status).toBe(401);
    expect(answered.get('www-authenticate')).toMatch(/^Bearer .*scope="search execute"/);
  });

  it('does not look into the address for one', async () => {
    const { url } = await product;
    expect((await post(`${url}?access_token=plain-secret`)('search', {})).status).toBe(401);
  });

  it('is told which scope it lacks', async () => {
    const call = post((await product).url);
    expect((await call('search', { query: 'roll back' }, { token: 'reader-secret' })).text).toContain('roll-back');
    const refused = await call('execute', { id: 'roll-back' }, { token: 'reader-secret' });
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toMatch(/error="insufficient_scope".*scope="execute"/);
    expect((await call('search', {}, { token: 'nothing-secret' })).status).toBe(403);
    const listed = await fetch((await product).url, modernRequest('tools/list', {}, { token: 'nothing-secret' }));
    expect(listed.status).toBe(200);
  });

  it('is asked of nobody who only asks whether the server is well', async () => {
    expect((await fetch((await product).at('/healthz'))).status).toBe(200);
  });
});

describe('where tokens come from', () => {
  it('the environment, for a server that other machines reach', async () => {
    const { url } = await startHttp({
      args: ['--http', '0.0.0.0:0', ...args],
      env: { PLAYBOOK_MCP_TOKEN: 'from-env' },
    });
    const local = url.replace('0.0.0.0', '127.0.0.1');
    expect((await post(local)('search', {})).status).toBe(401);
    expect((await post(local)('search', {}, { token: 'from-env' })).status).toBe(200);
  });

  it('a file, which is followed', async () => {
    const file = join(seedFolder({ tokens: '# a comment\nfirst-token ada search\n' }), 'tokens');
    const { url } = await start({ tokensFile: file });
    const status = async (token: string): Promise<number> => (await post(url)('search', {}, { token })).status;
    expect([await status('first-token'), await status('# a comment'), await status('ada')]).toEqual([200, 401, 401]);
    writeFileSync(file, 'second-token ada\n');
    await expect.poll(() => status('second-token'), { timeout: 10_000 }).toBe(200);
    expect(await status('first-token')).toBe(401);
  });

  it('a file that the configuration names later, which is followed as well', async () => {
    const file = join(seedFolder({ tokens: 'first-token ada\n' }), 'tokens');
    const config = configFile({}, { http: { tokens: ['plain-secret'] } });
    const { url } = await startHttp({ args: [...args, '--config', config] });
    const status = async (token: string): Promise<number> => (await post(url)('search', {}, { token })).status;
    expect(await status('plain-secret')).toBe(200);
    writeFileSync(config, JSON.stringify({ http: { tokensFile: file } }));
    await expect.poll(() => status('first-token'), { timeout: 10_000 }).toBe(200);
    expect(await status('plain-secret')).toBe(401);
    writeFileSync(file, 'second-token ada\n');
    await expect.poll(() => status('first-token'), { timeout: 10_000 }).toBe(401);
    expect(await status('second-token')).toBe(200);
  });

  it.each([
    { name: 'no variable that is set', http: { tokens: ['${NOT_SET_AT_ALL}'] } },
    { name: 'a file that is not there', http: { tokensFile: '/not/there' } },
  ])('and where they come from $name, nobody is served at all, and what to do is told', async ({ http }) => {
    await expect(start(http)).rejects.toThrow(/ended with 2: [^]*(?:Configure|correct) `http\.tokens/);
  });
});

it('ends the subscription of a caller whose token is taken away or has other scopes, and no other one', async () => {
  const tokens = ['kept', 'gone', 'less'].map((token) => ({ token, scopes: ['search', 'execute'] }));
  const config = configFile({}, { http: { tokens } });
  const { url } = await startHttp({ args: [...args, '--config', config] });
  const open = new Set(tokens.map(({ token }) => token));
  for (const { token } of tokens) {
    const { body } = await fetch(
      url,
      modernRequest('subscriptions/listen', { notifications: { promptsListChanged: true } }, { token }),
    );
    void new Response(body).text().then(
      () => open.delete(token),
      () => open.delete(token),
    );
  }
  expect(open.size).toBe(3);
  const left = [tokens[0], { token: 'less', scopes: ['search'] }];
  writeFileSync(config, JSON.stringify({ http: { tokens: left } }));
  await expect.poll(() => [...open], { timeout: 20_000 }).toEqual(['kept']);
});

it('ends the subscription of a caller who did not have to tell, when callers have to', async () => {
  const config = configFile({});
  const { url } = await startHttp({ args: [...args, '--config', config] });
  const listen = modernRequest('subscriptions/listen', { notifications: { promptsListChanged: true } });
  const { body } = await fetch(url, listen);
  const ended = new Response(body).text().then(
    () => 'ended',
    () => 'ended',
  );
  writeFileSync(config, JSON.stringify({ http: { tokens: ['one'] } }));
  await expect.poll(async () => (await fetch(url, listen)).status, { timeout: 10_000 }).toBe(401);
  expect(await ended).toBe('ended');
}, 20_000);

describe('a JWT of the configured issuer', async () => {
  const issuer = await startIssuer(AUDIENCE);
  const product = start({ issuer: issuer.url, publicUrl: AUDIENCE });
  const status = async (token: string): Promise<number> =>
    (await post((await product).url)('search', {}, { token })).status;

  it('lets its holder in, with the scopes that it has', async () => {
    const call = post((await product).url);
    expect((await call('search', {}, { token: await issuer.token() })).status).toBe(200);
    const reader = await issuer.token({ scope: null, scp: ['search'] });
    expect((await call('search', {}, { token: reader })).status).toBe(200);
    expect((await call('execute', { id: 'roll-back' }, { token: reader })).status).toBe(403);
  });

  it.each([
    { name: 'has expired', claims: { exp: now - hour }, why: 'has expired' },
    { name: 'never expires', claims: { exp: null }, why: 'exp is missing' },
    { name: 'is not valid yet', claims: { nbf: now + hour }, why: 'nbf is not what' },
    { name: 'is for another audience', claims: { aud: 'https://other.example.com/mcp' }, why: 'aud is not what' },
    { name: 'is for no audience', claims: { aud: null }, why: 'aud is missing' },
    { name: 'is of another issuer', claims: { iss: 'https://other.example.com' }, why: 'iss is not what' },
    { name: 'is nobody’s', claims: { sub: null }, why: 'does not say whose' },
  ])('is refused where it $name, and says why', async ({ claims, why }) => {
    const refused = await post((await product).url)('search', {}, { token: await issuer.token(claims) });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain(why);
  });

  it('is refused where it is not signed by the issuer’s key', async () => {
    const claims = { iss: issuer.url, aud: AUDIENCE, sub: 'ada', scope: 'search', exp: now + hour };
    const [header = '', body = '', signature = ''] = (await issuer.token()).split('.');
    const asSecret = new TextEncoder().encode(JSON.stringify(issuer.publicKey()));
    const hmac = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(asSecret);
    const forged = [
      `${base64({ alg: 'none' })}.${base64(claims)}.`,
      `${base64({ alg: 'none' })}.${base64(claims)}.${signature}`,
      `${header}.${base64(claims)}.${signature}`,
      `${header}.${body}.`,
      hmac,
    ];
    for (const token of forged) expect(await status(token)).toBe(401);
  });

  it('is signed with another key after the issuer has changed it', async () => {
    const before = await issuer.token();
    expect(await status(before)).toBe(200);
    await issuer.rotate();
    const after = await issuer.token();
    await expect.poll(() => status(after), { timeout: 20_000, interval: 500 }).toBe(200);
    expect(await status(before)).toBe(401);
  });

  it('is found by the challenge and the metadata that it names', async () => {
    const { url, at } = await product;
    const { headers } = await post(url)('search', {});
    const place = 'https://playbooks.example.com/.well-known/oauth-protected-resource/mcp';
    expect(headers.get('www-authenticate')).toContain(`resource_metadata="${place}"`);
    const metadata = await fetch(at('/.well-known/oauth-protected-resource/mcp'));
    expect(await metadata.json()).toMatchObject({ resource: AUDIENCE, authorization_servers: [issuer.url] });
  });

  it('cannot be judged while the issuer is away, which is not its holder’s fault', async () => {
    const away = await start({ issuer: 'http://127.0.0.1:9', audience: AUDIENCE });
    const { status: answered } = await post(away.url)('search', {}, { token: await issuer.token() });
    expect(answered).toBe(503);
    expect(away.told.join('\n')).toMatch(/127\.0\.0\.1:9\/\.well-known.*(?:ECONNREFUSED|bad port)/);
  });
});

describe('what one caller was given', () => {
  const line = 'a line of words that goes on for a while and then some more';
  const print = ['node', '-e', `for (let i = 0; i < 400; i++) console.log(i, ${JSON.stringify(line)})`];
  const commands = { long: { description: 'Prints much', command: print, readOnly: true } };
  const tokens = [
    { token: 'one', name: 'one' },
    { token: 'two', name: 'two' },
  ];
  const product = start({ tokens }, { commands, limits: { resultTokens: 1000 } });

  it('a handle of a cut result is no handle to another', async () => {
    const call = post((await product).url);
    const cut = await call('execute', { id: 'long' }, { token: 'one' });
    const handle = /handle\\*": *\\*"([\w-]+)/.exec(cut.text)?.[1];
    const read = { id: 'results__read', arguments: { handle } };
    expect((await call('execute', read, { token: 'two' })).text).toContain('"isError":true');
    expect((await call('execute', read, { token: 'one' })).text).not.toContain('"isError":true');
  });
});
