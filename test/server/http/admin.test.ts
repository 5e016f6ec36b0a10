import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { configFile, seedFolder } from '../product.ts';
import { runCli } from '../../cli/run-cli.ts';
import { modernClient, post, startHttp } from './http-product.ts';

const folder = seedFolder({ 'roll-back.md': '---\ndescription: Roll a release back.\n---\nDo the thing.\n' });
const args = ['--no-starter', '--playbooks', folder];
const tokens = [
  { token: 'admin-secret', name: 'ops', scopes: ['search', 'execute', 'admin'] },
  { token: 'agent-secret', name: 'agent' },
];
const product = startHttp({ args: [...args, '--config', configFile({}, { http: { tokens } })] });

const basic = (password: string) => ({ Authorization: `Basic ${Buffer.from(`me:${password}`).toString('base64')}` });
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

describe.each(['/', '/metrics'])('GET %s', (path) => {
  const statusWith = async (headers: Record<string, string>): Promise<number> =>
    (await fetch((await product).at(path), { headers })).status;

  it('is for holders of a token with the scope admin, also as a browser asks for it', async () => {
    expect(await statusWith({})).toBe(401);
    expect(await statusWith(basic('wrong'))).toBe(401);
    expect(await statusWith(bearer('agent-secret'))).toBe(403);
    expect(await statusWith(basic('agent-secret'))).toBe(403);
    expect(await statusWith(bearer('admin-secret'))).toBe(200);
    expect(await statusWith(basic('admin-secret'))).toBe(200);
  });

  it('makes a browser ask', async () => {
    const { headers } = await fetch((await product).at(path));
    expect(headers.get('www-authenticate')).toMatch(/Basic realm=/);
  });
});

describe('the usage', () => {
  it('tells who called, and joins what one client does into a session', async () => {
    const { url, at } = await startHttp({ args: [...args, '--config', configFile({}, { http: { tokens } })] });
    const client = await modernClient(url, { token: 'agent-secret', name: 'page-client' });
    await client.callTool({ name: 'search', arguments: { query: 'roll a release back' } });
    await client.callTool({ name: 'execute', arguments: { id: 'roll-back' } });
    const page = async (): Promise<Response> => fetch(at('/'), { headers: bearer('admin-secret') });
    // Events are written a moment later; the page is made anew after half a minute.
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const response = await page();
    expect(response.headers.get('content-security-policy')).toContain('frame-ancestors');
    const html = await response.text();
    expect(html).toContain('Content-Security-Policy');
    expect(html).toContain('page-client');
    expect(html).toContain('roll-back');
  });

  it('has what a caller reports under the name of its token, and tells the caller nothing of the store', async () => {
    const env = { PLAYBOOK_MCP_HOME: seedFolder({}) };
    const { url } = await startHttp({ args: [...args, '--config', configFile({}, { http: { tokens } })], env });
    const report = { id: 'playbooks__report', arguments: { id: 'roll-back', problem: 'There is no such thing.' } };
    const { text } = await post(url)('execute', report, { token: 'agent-secret' });
    expect(text).toContain('is stored, where');
    expect(runCli(['usage', 'export'], { env }).stdout).toMatch(/"type":"report".*"user":"agent"/);
  });

  it('is open to this machine where nobody has to tell who they are', async () => {
    const { at } = await startHttp({ args });
    expect((await fetch(at('/'))).status).toBe(200);
  });
});

describe('/metrics', () => {
  it('counts requests by method, tool and status, whatever clients call theirs', async () => {
    const { url, at } = await product;
    await post(url)('search', {}, { token: 'agent-secret' });
    await post(url)('search', {}, { token: 'wrong' });
    await fetch(url, { method: 'POST', headers: bearer('agent-secret'), body: '{"method":"made/up"}' });
    const response = await fetch(at('/metrics'), { headers: bearer('admin-secret') });
    const text = await response.text();
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text).toMatch(/playbook_mcp_requests_total\{method="tools\/call",tool="search",status="200"\} 1/);
    expect(text).toMatch(/playbook_mcp_requests_total\{method="other",tool="",status="401"\} 1/);
    expect(text).toMatch(/playbook_mcp_entries\{kind="playbook"\} 1/);
    expect(text).toMatch(/process_resident_memory_bytes \d/);
    expect(text).not.toContain('made/up');
  });
});

it('lets each caller make so many requests a minute, and says when to come back', async () => {
  const config = configFile({}, { http: { tokens, callsPerMinute: 5 } });
  const { url } = await startHttp({ args: [...args, '--config', config] });
  const statuses = [];
  for (let count = 0; count < 7; count += 1) {
    statuses.push((await post(url)('search', {}, { token: 'agent-secret' })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  const { headers } = await post(url)('search', {}, { token: 'agent-secret' });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await post(url)('search', {}, { token: 'admin-secret' })).status).toBe(200);
  writeFileSync(config, JSON.stringify({ http: { tokens, callsPerMinute: 500, maxBodyBytes: 5000 } }));
  const again = (query: string) => post(url)('search', { query }, { token: 'agent-secret' });
  await expect.poll(async () => (await again('roll')).status, { timeout: 10_000 }).toBe(200);
  expect((await again('x'.repeat(6000))).status).toBe(413);
});
