import { once } from 'node:events';
import { request } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { configFile, seedFolder } from '../product.ts';
import { eras, modernClient, modernRequest, post, startHttp, textOf } from './http-product.ts';

const playbook = (description: string): string => `---\ndescription: ${description}\n---\nDo the thing.\n`;
const folder = seedFolder({
  'roll-back.md': playbook('Roll a bad release back to the one before.'),
  'rotate-keys.md': playbook('Rotate the signing keys of a service.'),
});
const args = ['--no-starter', '--playbooks', folder];
const product = startHttp({ args });

/** `fetch` sets Host and Origin itself. */
function statusWith(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const { body, headers: usual } = modernRequest('tools/list', {});
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: { ...usual, ...headers } }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    sent.on('error', reject).end(body);
  });
}

describe.each(eras)('a client of $era over HTTP', ({ connect }) => {
  it('finds and executes playbooks', async () => {
    const client = await connect((await product).url);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['search', 'get_schema', 'execute']);
    const found = await client.callTool({ name: 'search', arguments: { query: 'roll back a release' } });
    expect(textOf(found)).toContain('roll-back');
    const executed = await client.callTool({ name: 'execute', arguments: { id: 'roll-back' } });
    expect(textOf(executed)).toContain('Do the thing.');
  });
});

describe('serve --http', () => {
  it('says where it serves, and nothing of it on stdout', async () => {
    expect((await product).told.join('\n')).toMatch(/Serving at http:\/\/127\.0\.0\.1:\d+\/mcp/);
  });

  it('is healthy, and ready when the catalog is', async () => {
    const { at } = await product;
    expect((await fetch(at('/healthz'))).status).toBe(200);
    await expect.poll(async () => (await fetch(at('/readyz'))).status).toBe(200);
  });

  it.each([
    { name: 'a foreign host', headers: { Host: 'evil.example.com' }, status: 403 },
    { name: 'a foreign origin', headers: { Origin: 'https://evil.example.com' }, status: 403 },
    { name: 'no origin of its own', headers: { Origin: 'null' }, status: 403 },
    { name: 'a page of this machine', headers: { Origin: 'http://localhost:6274' }, status: 200 },
  ])('answers a request with $name by $status', async ({ headers, status }) => {
    expect(await statusWith((await product).url, headers)).toBe(status);
  });

  it('refuses a body over the limit, and arguments with too many elements', async () => {
    const config = configFile({}, { http: { maxBodyBytes: 100_000 }, limits: { inputElements: 50 } });
    const { url } = await startHttp({ args: [...args, '--config', config] });
    const large = await post(url)('search', { query: 'x'.repeat(100_000) });
    expect(large.status).toBe(413);
    const full = await post(url)('execute', {
      id: 'roll-back',
      arguments: { list: Array.from({ length: 60 }, () => 0) },
    });
    expect(JSON.parse(full.text)).toMatchObject({ error: { code: -32_602 } });
  });

  it('refuses what is too deep, which would end the connection that all share to a server', async () => {
    const { url } = await product;
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const call = modernRequest('tools/call', {
      name: 'execute',
      arguments: { id: 'roll-back', arguments: { a: 'DEEP' } },
    });
    const asArgument = await fetch(url, { ...call, body: call.body.replace('"DEEP"', deep) });
    expect([asArgument.status, await asArgument.json()]).toMatchObject([400, { error: { code: -32_600 } }]);
    const asText = await post(url)('execute', { id: 'roll-back', arguments: `{"a":${deep}}` });
    expect(JSON.parse(asText.text)).toMatchObject({ error: { code: -32_602 } });
  });

  it('refuses a body that is no UTF-8, and leaves out a byte order mark', async () => {
    const { url } = await product;
    const call = modernRequest('tools/call', {
      name: 'execute',
      arguments: { id: 'roll-back', arguments: { a: 'é' } },
    });
    const foreign = await fetch(url, { ...call, body: Buffer.from(call.body, 'latin1') });
    expect([foreign.status, await foreign.json()]).toMatchObject([400, { error: { code: -32_700 } }]);
    const search = modernRequest('tools/call', { name: 'search', arguments: { query: 'roll back' } });
    const marked = await fetch(url, { ...search, body: `\uFEFF${search.body}` });
    expect(await marked.text()).toContain('roll-back');
  });

  it('refuses a compressed body, and says so', async () => {
    const { url } = await product;
    const call = modernRequest('tools/list', {});
    const headers = { ...call.headers, 'Content-Encoding': 'gzip' };
    const answer = await fetch(url, { ...call, headers, body: gzipSync(call.body) });
    expect([answer.status, await answer.text()]).toEqual([415, expect.stringContaining('gzip')]);
  });

  it('says nothing of a client that goes away before it has sent all', async () => {
    const { url, told } = await startHttp({ args });
    const { hostname, port } = new URL(url);
    const socket = connectSocket(Number(port), hostname);
    const { headers } = modernRequest('tools/list', {});
    const lines = Object.entries({ Host: `${hostname}:${port}`, 'Content-Length': '500', ...headers });
    socket.write(`POST /mcp HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n{"half":`);
    await post(url)('search', { query: 'roll' });
    socket.destroy();
    await once(socket, 'close');
    for (let count = 0; count < 3; count += 1) await post(url)('search', { query: 'roll' });
    expect(told).toEqual([expect.stringContaining('Serving at')]);
  });

  it.each([
    { name: 'another method in the header', headers: { 'Mcp-Method': 'tools/list' }, status: 400, code: -32_020 },
    { name: 'another name in the header', headers: { 'Mcp-Name': 'execute' }, status: 400, code: -32_020 },
    {
      name: 'another revision in the header',
      headers: { 'MCP-Protocol-Version': '2025-11-25' },
      status: 400,
      code: -32_020,
    },
  ])('refuses a request with $name by $code', async ({ headers, status, code }) => {
    const answer = await post((await product).url)('search', { query: 'x' }, { headers });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ error: { code } });
  });

  it('names the revisions it serves to one that asks for another', async () => {
    const init = modernRequest('tools/list', {}, { headers: { 'MCP-Protocol-Version': '2031-01-01' } });
    const body = init.body.replace('"2026-07-28"', '"2031-01-01"');
    const response = await fetch((await product).url, { ...init, body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: -32_022, data: { supported: ['2026-07-28'] } } });
  });

  it.each([
    { name: 'no JSON', body: '{', type: 'application/json', status: 400 },
    { name: 'another type', body: '{}', type: 'text/plain', status: 415 },
  ])('refuses a body of $name', async ({ body, type, status }) => {
    const response = await fetch((await product).url, { method: 'POST', headers: { 'Content-Type': type }, body });
    expect(response.status).toBe(status);
  });

  it('serves the allowed workspace and refuses every other, there or not', async () => {
    const workspace = seedFolder({ '.playbooks/local.md': playbook('Only of this repository.') });
    const { url } = await startHttp({ args: [...args, '--workspace', workspace] });
    expect((await post(url)('execute', { id: 'local' })).text).toContain('Do the thing.');
    expect((await post(url)('execute', { id: 'local', workspace })).text).toContain('Do the thing.');
    for (const other of ['/etc', '/not/there', `${workspace}/..`]) {
      expect((await post(url)('search', { query: 'x', workspace: other })).text).toContain('workspace/not-allowed');
    }
    const open = await post((await product).url)('search', { query: 'x', workspace });
    expect(open.text).toContain('workspace/not-allowed');
  });

  it('offers no proposals', async () => {
    const client = await modernClient((await product).url);
    const answer = await client.callTool({ name: 'execute', arguments: { id: 'playbooks__propose', arguments: {} } });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toContain('There is no entry');
  });

  it('answers what runs, and then ends, on a signal', async () => {
    const slow = ['node', '-e', 'setTimeout(() => console.log("slept"), 1500)'];
    const commands = { sleep: { description: 'Sleeps', command: slow, readOnly: true } };
    const { url, stop } = await startHttp({ args: [...args, '--config', configFile({}, { commands })] });
    const running = post(url)('execute', { id: 'sleep' });
    await new Promise((resolve) => setTimeout(resolve, 700));
    const code = stop();
    expect((await running).text).toContain('slept');
    expect(await code).toBe(0);
  });

  it.each(['0.0.0.0:0', '[::]:0'])('does not start at %s without authentication', async (address) => {
    await expect(startHttp({ args: ['--http', address, ...args] })).rejects.toThrow(/http\.tokens/);
  });

  it('ends with what is wrong where the port is taken', async () => {
    const { port } = new URL((await product).url);
    await expect(startHttp({ args: ['--http', port, ...args] })).rejects.toThrow(/Cannot listen at 127\.0\.0\.1/);
  });
});
