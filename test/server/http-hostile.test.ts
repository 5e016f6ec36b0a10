import { request } from 'node:http';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { modernRequest, startHttp } from './http/http-product.ts';
import { startIssuer } from './http/issuer.ts';
import { configFile, seedFolder } from './product.ts';

const AUDIENCE = 'https://playbooks.example.com/mcp';
const issuer = await startIssuer(AUDIENCE);
const now = Math.floor(Date.now() / 1000);

const root = seedFolder({
  'open/deploy/SKILL.md': '---\nname: deploy\ndescription: Deploy a service.\n---\nSee [the notes](notes.md).\n',
  'open/deploy/notes.md': 'Notes.',
  'secret/vault.md': '---\ndescription: Open the vault.\n---\nTHE-TREASURE\n',
  'outside.md': '---\ndescription: Outside of every source.\n---\nTHE-TREASURE\n',
});
const print = ['node', '-e', 'for (let i = 0; i < 900; i++) console.log(i, "THE-TREASURE and more words")'];
const config = configFile(
  {},
  {
    sources: [
      { name: 'open', path: `${root}/open` },
      { name: 'secret', path: `${root}/secret`, scope: 'sre' },
    ],
    commands: { long: { description: 'Prints much', command: print, readOnly: true } },
    limits: { resultTokens: 1000 },
    http: {
      issuer: issuer.url,
      publicUrl: AUDIENCE,
      maxBodyBytes: 20_000,
      callsPerMinute: 100_000,
      tokens: [
        { token: 'good', name: 'good' },
        { token: 'other', name: 'other' },
        { token: 'reader', name: 'reader', scopes: ['search'] },
      ],
    },
  },
);
const product = startHttp({ args: ['--no-starter', '--config', config] });

/** What is wrong with a request, and how it must end. */
interface Hostile {
  readonly name: string;
  readonly status: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly verb?: string;
  readonly path?: string;
  /** What the answer must say. */
  readonly says?: RegExp;
}

const READ = { name: 'execute', arguments: { id: 'secret:vault' } };

/** `fetch` writes some headers itself. */
async function send(hostile: Hostile): Promise<{ status: number | undefined; text: string }> {
  const { method = 'tools/call', params = READ, headers = {}, body, verb = 'POST', path = '/mcp' } = hostile;
  const token = 'token' in hostile ? hostile.token : 'good';
  const usual = modernRequest(method, params, token === undefined ? {} : { token });
  const url = new URL(path, (await product).url);
  return new Promise((resolve, reject) => {
    const options = { method: verb, path, headers: { ...usual.headers, ...headers } };
    const sent = request(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode, text }));
      response.on('error', reject);
    });
    sent.on('error', reject).end(verb !== 'POST' ? undefined : (body ?? usual.body));
  });
}

const hosts = [
  'evil.example.com',
  'evil.example.com:8321',
  'localhost.evil.example.com',
  '127.0.0.1.evil.example.com',
  '127.0.0.2',
  '0.0.0.0',
  '10.0.0.1',
  '169.254.169.254',
  '[::ffff:10.0.0.1]',
  'playbooks.example.com.evil.com',
  'a@evil.example.com',
  'evil.example.com#localhost',
  '-',
  'xn--localhost-x.com',
].map((host): Hostile => ({
  name: `the host ${host}`,
  headers: { Host: host },
  status: /[@#]|::ffff/.test(host) ? 400 : 403,
}));

const origins = [
  'null',
  'https://evil.example.com',
  'http://localhost.evil.example.com',
  'http://127.0.0.1.evil.example.com:8321',
  'https://playbooks.example.com.evil.com',
  'file://',
  'chrome-extension://abcdef',
  'http://10.0.0.1',
  'http://0.0.0.0:8321',
  'data:text/html,x',
  'javascript:alert(1)',
  'not a url',
  'http://[::2]',
  'https://evil.example.com?localhost',
  'https://localhost@evil.example.com',
].map((origin): Hostile => ({ name: `the origin ${origin}`, headers: { Origin: origin }, status: 403 }));

const sizes = [20_001, 30_000, 100_000, 1_000_000, 4_000_000].flatMap((size): Hostile[] => [
  { name: `${size} bytes`, body: `"${'x'.repeat(size)}"`, status: 413 },
  { name: `${size} bytes in a call`, params: { name: 'search', arguments: { query: 'x'.repeat(size) } }, status: 413 },
  {
    name: `${size} bytes in pieces`,
    headers: { 'Transfer-Encoding': 'chunked' },
    body: `"${'x'.repeat(size)}"`,
    status: 413,
  },
]);

const bodies = ['', '{', '[', 'null,', '{"jsonrpc":', "{'a':1}", '\u0000', 'undefined', '{"a":1}}', '<xml/>'].map(
  (body): Hostile => ({ name: `the body ${JSON.stringify(body)}`, body, status: 400 }),
);
const noRequests = [
  '1',
  '"x"',
  'true',
  '{}',
  '{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
  '{"jsonrpc":"2.0"}',
].map((body): Hostile => ({ name: `what is no request: ${body}`, body, status: 400 }));
const types = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/html',
  'application/jsonp',
].map((type): Hostile => ({ name: `the type ${type}`, headers: { 'Content-Type': type }, status: 415 }));

const mismatched = [
  { 'Mcp-Method': 'tools/list' },
  { 'Mcp-Method': 'TOOLS/CALL' },
  { 'Mcp-Method': 'ping' },
  { 'Mcp-Method': '' },
  { 'Mcp-Name': 'search' },
  { 'Mcp-Name': 'Execute' },
  { 'Mcp-Name': '' },
  { 'Mcp-Name': 'execute,search' },
  { 'MCP-Protocol-Version': '2025-11-25' },
  { 'MCP-Protocol-Version': '2025-06-18' },
  { 'MCP-Protocol-Version': '2024-11-05' },
].map((headers): Hostile => ({ name: JSON.stringify(headers), headers, status: 400, says: /-320(20|01)|-32602/ }));

const schemes = [
  'Basic Z29vZDpnb29k',
  'Bearer',
  'Bearer  ',
  'bearer: good',
  'Token good',
  'good',
  'Digest x',
  'Bearer "good"',
].map((authorization): Hostile => ({
  name: `the authorization ${authorization}`,
  token: undefined,
  headers: { Authorization: authorization },
  status: 401,
}));
const strangers = [
  'Good',
  'goo',
  'goodd',
  'good,other',
  'null',
  'undefined',
  'Bearer',
  '[object Object]',
  "' or 1=1",
  '*',
].map((token): Hostile => ({
  name: `the token ${JSON.stringify(token)}`,
  token: undefined,
  headers: { Authorization: `Bearer ${token}` },
  status: 401,
}));

const badClaims: readonly Record<string, unknown>[] = [
  ...[1, 60, 3600, 86_400, 10 ** 8].map((ago) => ({ exp: now - 10 - ago })),
  { exp: null },
  { exp: 'never' },
  { exp: 0 },
  { nbf: now + 3600 },
  ...[
    null,
    '',
    [],
    'playbooks',
    `${AUDIENCE}/`,
    'https://playbooks.example.com',
    ['a', 'b'],
    'https://evil.example.com/mcp',
  ].map((aud) => ({ aud })),
  ...[null, '', 'https://evil.example.com', `${issuer.url}/`, `${issuer.url}.evil.com`].map((iss) => ({ iss })),
  ...[null, '', 7, ['ada'], {}].map((sub) => ({ sub })),
];
const claimed = await Promise.all(
  badClaims.map(async (claims): Promise<Hostile> => ({
    name: `a JWT with ${JSON.stringify(claims)}`,
    token: await issuer.token(claims),
    status: 401,
  })),
);

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const claims = { iss: issuer.url, aud: AUDIENCE, sub: 'ada', scope: 'search execute sre admin', exp: now + 3600 };
const [header = '', payload = '', signature = ''] = (await issuer.token()).split('.');
const publicKey = new TextEncoder().encode(JSON.stringify(issuer.publicKey()));
const modulus = Buffer.from(issuer.publicKey().n ?? '', 'base64url');
const shared = await Promise.all(
  [publicKey, modulus, new TextEncoder().encode('secret'.repeat(8))].flatMap((key) =>
    ['HS256', 'HS384', 'HS512'].map((alg) => new SignJWT(claims).setProtectedHeader({ alg }).sign(key)),
  ),
);
const forged = [
  ...['none', 'None', 'NONE', 'nOnE', ''].flatMap((alg) => [
    `${base64({ alg })}.${base64(claims)}.`,
    `${base64({ alg, typ: 'JWT' })}.${base64(claims)}.${signature}`,
  ]),
  `${header}.${base64(claims)}.${signature}`,
  `${header}.${base64(claims)}.`,
  `${header}.${payload}.`,
  `${header}.${payload}.${signature.slice(1)}`,
  `${header}.${payload}.${'A'.repeat(signature.length)}`,
  `${base64({ alg: 'RS256', kid: '../../etc/passwd' })}.${base64(claims)}.${signature}`,
  `${base64({ alg: 'RS256', jku: 'https://evil.example.com/keys' })}.${base64(claims)}.${signature}`,
  `${base64({ alg: 'RS256', jwk: issuer.publicKey(), crit: ['exp'] })}.${base64(claims)}.${signature}`,
  `${header}..${signature}`,
  '..',
  'a.b.c',
  ...shared,
].map((token, index): Hostile => ({ name: `forged JWT ${index}`, token, status: 401 }));

const scopes: readonly Hostile[] = [
  { name: 'a reader who executes', token: 'reader', status: 403, says: /insufficient_scope/ },
  {
    name: 'a reader who reads a resource',
    token: 'reader',
    method: 'resources/read',
    params: { uri: 'playbook://deploy' },
    status: 403,
  },
  {
    name: 'a reader who gets a prompt',
    token: 'reader',
    method: 'prompts/get',
    params: { name: 'deploy' },
    status: 403,
  },
  { name: 'the usage page without admin', verb: 'GET', path: '/', status: 403 },
  { name: 'metrics without admin', verb: 'GET', path: '/metrics', status: 403 },
  { name: 'the usage page of nobody', token: undefined, verb: 'GET', path: '/', status: 401 },
  { name: 'metrics of nobody', token: undefined, verb: 'GET', path: '/metrics', status: 401 },
  { name: 'a stream of the 2025 era', verb: 'GET', headers: { 'MCP-Protocol-Version': '2025-11-25' }, status: 405 },
  { name: 'a session’s end', verb: 'DELETE', headers: { 'MCP-Protocol-Version': '2025-11-25' }, status: 405 },
  { name: 'another path', path: '/mcp/../secret', status: 404 },
  { name: 'a file of the server', verb: 'GET', path: '/%2e%2e/%2e%2e/etc/passwd', status: 404 },
  { name: 'a token in the address', token: undefined, path: '/mcp?access_token=good', status: 401 },
  {
    name: 'too many elements',
    params: { name: 'search', arguments: { tags: 'x', query: 'x', a: Array.from({ length: 9000 }, () => 0) } },
    status: 200,
    says: /"isError":true|-32602/,
  },
];

const escapes = [
  'playbook://secret:vault',
  'playbook://vault',
  'playbook://secret%3Avault',
  'playbook://../secret/vault',
  'playbook://deploy/../../secret/vault.md',
  'playbook://deploy/%2e%2e/%2e%2e/secret/vault.md',
  'playbook://deploy/..%2f..%2fsecret%2fvault.md',
  'playbook://open:deploy/../../outside.md',
  'playbook://deploy/notes.md/../../../outside.md',
  'playbook:///etc/passwd',
  'playbook://deploy//etc/passwd',
  'playbook://deploy/notes.md%00.png',
  `playbook://${root}/secret/vault`,
  'skill://secret/vault/SKILL.md',
  'skill://vault/SKILL.md',
  'skill://deploy/../secret/vault.md',
  'skill://deploy/%2e%2e/%2e%2e/outside.md',
  'skill://open/deploy/../../outside.md',
  'file:///etc/passwd',
  `file://${root}/secret/vault.md`,
  'http://169.254.169.254/latest/meta-data',
  'PLAYBOOK://secret:vault',
].map((uri): Hostile => ({
  name: `the resource ${uri}`,
  method: 'resources/read',
  params: { uri },
  headers: { 'Mcp-Name': uri.replaceAll(/[^ -~]/g, '') },
  status: 200,
  says: /"error"/,
}));

const ids = [
  'secret:vault',
  'vault',
  'secret:vault#open',
  'deploy/../../secret/vault.md',
  'deploy/../../outside.md',
  'open:deploy/../../outside.md',
  'deploy//etc/passwd',
  '/etc/passwd',
  '../outside',
  `${root}/secret/vault`,
  'deploy/notes.md/../../../outside.md',
].map((id): Hostile => ({
  name: `the id ${id}`,
  params: { name: 'execute', arguments: { id } },
  status: 200,
  says: /"isError":true/,
}));

const workspaces = ['/', '/etc', root, `${root}/secret`, '~', 'file:///etc', '../..'].map((workspace): Hostile => ({
  name: `the workspace ${workspace}`,
  params: { name: 'search', arguments: { query: 'vault', workspace } },
  status: 200,
  says: /workspace\/not-allowed/,
}));

const all = [
  ...hosts,
  ...origins,
  ...sizes,
  ...bodies,
  ...noRequests,
  ...types,
  ...mismatched,
  ...schemes,
  ...strangers,
  ...claimed,
  ...forged,
  ...scopes,
  ...escapes,
  ...ids,
  ...workspaces,
];

describe('hostile requests', () => {
  it('are two hundred or more', () => {
    expect(all.length).toBeGreaterThanOrEqual(200);
  });

  it.each(all)('are refused by $status: $name', async (hostile) => {
    const { status, text } = await send(hostile);
    expect(status).toBe(hostile.status);
    expect(text).toMatch(hostile.says ?? /(?:)/);
    expect(text).not.toContain('TREASURE');
    expect(text).not.toContain('root:');
  });

  it('do not read on in another caller’s result, however they spell its handle', async () => {
    const mine = { name: 'execute', arguments: { id: 'long' } };
    const handle =
      /handle\\*":\\*"([\w-]+)/.exec((await send({ name: '', params: mine, status: 200 })).text)?.[1] ?? '';
    const read = (given: string) => ({
      name: 'execute',
      arguments: { id: 'results__read', arguments: { handle: given } },
    });
    for (const spelled of [handle, ` ${handle}`, handle.toLowerCase(), `${handle}\n`, '*', '']) {
      const { text } = await send({ name: '', token: 'other', params: read(spelled), status: 200 });
      expect(text).toContain('"isError":true');
      expect(text).not.toContain('TREASURE');
    }
    expect((await send({ name: '', params: read(handle), status: 200 })).text).toContain('TREASURE');
  });

  it('leave the server well', async () => {
    expect((await fetch((await product).at('/readyz'))).status).toBe(200);
    const { text } = await send({ name: '', params: { name: 'execute', arguments: { id: 'deploy' } }, status: 200 });
    expect(text).toContain('See [the notes]');
  });
});
