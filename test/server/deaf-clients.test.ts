import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { fakePath } from '../tools/harness.ts';
import { BareClient } from './bare-client.ts';
import { configFile, seedFolder } from './product.ts';

const shout = [{ name: 'shout', inputSchema: { type: 'object' } }];
const TOOLS_FILE = `${seedFolder({ 'tools.json': JSON.stringify(shout) })}/tools.json`;
const upstream = { command: process.execPath, args: [fakePath('raw-upstream.mjs')], env: { TOOLS_FILE } };
const start = (): BareClient =>
  new BareClient('2025', { args: ['--no-starter', '--config', configFile({ raw: upstream })] });
const ok = { result: { content: [] } };

describe('a client that does not read stderr', () => {
  it('is served all the same, and the process ends with it, although an upstream fills the log', async () => {
    const client = start();
    client.child.stderr.pause();
    await client.execute('raw__return', ok).answer;
    // Several times what a pipe holds.
    expect(await client.execute('raw__shout', { lines: 10_000 }).answer).toMatchObject(ok);
    expect(await client.execute('raw__return', ok).answer).toMatchObject(ok);
    client.child.stdin.end();
    const [code] = await once(client.child, 'exit');
    expect(code).toBe(0);
  });

  it('is served all the same where it has closed its end', async () => {
    const client = start();
    await client.execute('raw__return', ok).answer;
    client.child.stderr.destroy();
    expect(await client.execute('raw__shout', { lines: 10 }).answer).toMatchObject(ok);
    client.send({ id: {} });
    expect(await client.execute('raw__return', ok).answer).toMatchObject(ok);
    expect(await client.end()).toBe(0);
  });
});

describe('a client that has closed its end of stdout', () => {
  it('ends the process, though stdin stays open', async () => {
    const client = start();
    await client.execute('raw__return', ok).answer;
    client.child.stdout.destroy();
    void client.execute('raw__return', ok);
    const [code] = await once(client.child, 'exit');
    expect(code).toBe(0);
  });
});
