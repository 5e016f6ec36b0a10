import { describe, expect, it } from 'vitest';
import { configFile, seedFolder } from '../product.ts';
import { eras, modernClient, modernRequest, startHttp, textOf } from './http-product.ts';

const playbooks = seedFolder({ 'deploy.md': '---\ndescription: Deploy a service to production.\n---\nShip it.\n' });
const start = (http: object) =>
  startHttp({ args: ['--no-starter', '--playbooks', playbooks, '--config', configFile({}, { http })] });
const product = start({ targetHeader: true });
const call = { name: 'execute', arguments: { id: 'deploy' } };

describe('with http.targetHeader', () => {
  it.each(eras)('a client of $era that lists the tools calls as ever', async ({ connect }) => {
    const client = await connect((await product).url);
    await client.listTools();
    expect(textOf(await client.callTool(call))).toContain('Ship it.');
  });

  it('execute declares the header, and no other argument does', async () => {
    const { tools } = await (await modernClient((await product).url)).listTools();
    expect(JSON.stringify(tools).match(/x-mcp-header/g)).toHaveLength(1);
    expect(tools.find(({ name }) => name === 'execute')?.inputSchema.properties?.['id']).toEqual({
      type: 'string',
      'x-mcp-header': 'Target',
    });
  });

  it.each([
    { name: 'without the header', headers: {} },
    { name: 'with another id in the header', headers: { 'Mcp-Param-Target': 'rollback' } },
  ])('a call $name is refused', async ({ headers }) => {
    const response = await fetch((await product).url, modernRequest('tools/call', call, { headers }));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: -32_020 } });
  });

  it('a call with the same id in the header is made', async () => {
    const headers = { 'Mcp-Param-Target': 'deploy' };
    const response = await fetch((await product).url, modernRequest('tools/call', call, { headers }));
    expect(await response.text()).toContain('Ship it.');
  });
});

it('without http.targetHeader no tool declares a header', async () => {
  const { tools } = await (await modernClient((await start({})).url)).listTools();
  expect(JSON.stringify(tools)).not.toContain('x-mcp-header');
});
