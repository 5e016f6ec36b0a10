import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fakePath, isAlive } from '../../tools/harness.ts';
import { configFile, seedFolder } from '../product.ts';
import { modernRequest, startHttp } from './http-product.ts';

/** Starts a server that is used by two people, each twice. @returns the processes that were started, of a server that keeps state and of one that is said to keep none */
async function used(): Promise<Readonly<Record<'stateful' | 'stateless', readonly number[]>> & { end: () => unknown }> {
  const folder = seedFolder({});
  const fake = (mark: string) => ({
    command: process.execPath,
    args: [fakePath('raw-upstream.mjs'), 'plain', join(folder, mark)],
  });
  const tokens = ['ann', 'bob'].map((name) => ({ token: `${name}-secret`, name }));
  const servers = { stateful: fake('stateful'), stateless: { ...fake('stateless'), stateless: true } };
  const product = await startHttp({ args: ['--no-starter', '--config', configFile(servers, { http: { tokens } })] });
  const call = async (server: string, token: string): Promise<void> => {
    const given = { id: `${server}__return`, arguments: { result: { content: [{ type: 'text', text: token }] } } };
    const request = modernRequest('tools/call', { name: 'execute', arguments: given }, { token });
    expect(await (await fetch(product.url, request)).text()).toContain(`"text":"${token}"`);
  };
  for (const server of ['stateful', 'stateless']) {
    for (const token of ['ann-secret', 'bob-secret', 'ann-secret', 'bob-secret']) await call(server, token);
  }
  const started = (mark: string): readonly number[] =>
    readFileSync(join(folder, mark), 'utf8').trim().split('\n').map(Number);
  return { stateful: started('stateful'), stateless: started('stateless'), end: () => product.stop() };
}

it('callers over HTTP have a process of a server each, unless it is said to keep nothing, and none is left behind', async () => {
  const { stateful, stateless, end } = await used();
  // One more has listed the tools before anybody called.
  expect(stateful).toHaveLength(3);
  expect(stateless).toHaveLength(1);
  await end();
  await expect.poll(() => [...stateful, ...stateless].filter(isAlive)).toEqual([]);
});
