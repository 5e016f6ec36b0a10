import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import type { Transport } from '@modelcontextprotocol/client';
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import type { JsonObject } from '../../src/model.ts';
import { open, remote, serverScript, stdio, tempDir } from './harness.ts';

interface CallRow {
  readonly tool: string;
  readonly args: JsonObject;
}

/** Every kind of content that server-everything can return without capabilities of ours. */
const EVERYTHING: readonly CallRow[] = [
  { tool: 'echo', args: { message: 'hello' } },
  { tool: 'echo', args: {} },
  { tool: 'get-sum', args: { a: 1, b: 2 } },
  { tool: 'get-env', args: {} },
  { tool: 'get-tiny-image', args: {} },
  { tool: 'get-annotated-message', args: { messageType: 'error', includeImage: true } },
  { tool: 'get-annotated-message', args: { messageType: 'debug' } },
  { tool: 'get-resource-links', args: { count: 4 } },
  { tool: 'get-resource-reference', args: { resourceType: 'Text', resourceId: 1 } },
  { tool: 'get-resource-reference', args: { resourceType: 'Blob', resourceId: 2 } },
  { tool: 'get-structured-content', args: { location: 'Chicago' } },
  { tool: 'gzip-file-as-resource', args: { name: 'a.gz', data: 'data:text/plain,hello', outputType: 'resource' } },
  { tool: 'gzip-file-as-resource', args: { name: 'a.gz', data: 'data:text/plain,hello', outputType: 'resourceLink' } },
  { tool: 'trigger-long-running-operation', args: { duration: 0.1, steps: 2 } },
];

/** What a client of the SDK gets on a connection of its own, nothing validated. */
async function callDirectly(transport: Transport, rows: readonly CallRow[]): Promise<readonly JsonObject[]> {
  const client = new Client({ name: 'direct', version: '1.0.0' });
  onTestFinished(() => client.close());
  await client.connect(transport);
  const results: JsonObject[] = [];
  for (const { tool, args } of rows) {
    const request = { method: 'tools/call', params: { name: tool, arguments: args } };
    results.push(await client.request(request, z.looseObject({})));
  }
  return results;
}

/** Where a resource was made differs in the time that is part of it. */
function withoutTimes(results: readonly JsonObject[]): unknown {
  return JSON.parse(JSON.stringify(results).replace(/\d{1,2}:\d\d:\d\d( [AP]M)?/g, '<time>'), (key, value) =>
    // A text with a time in it, in base64.
    key === 'blob' && typeof value === 'string' ? value.length : value,
  );
}

describe('server-everything over stdio', () => {
  it('returns every kind of content as on a direct connection', async () => {
    const args = [serverScript('server-everything')];
    const direct = await callDirectly(
      new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }),
      EVERYTHING,
    );
    const { upstreams } = open([stdio('everything', args)]);
    await upstreams.listMissing();
    const through: JsonObject[] = [];
    for (const row of EVERYTHING) through.push(await upstreams.call(`everything__${row.tool}`, row.args));
    expect(withoutTimes(through)).toEqual(withoutTimes(direct));
    const kinds = through.flatMap(({ content }) =>
      z
        .array(z.looseObject({ type: z.string() }))
        .parse(content)
        .map(({ type }) => type),
    );
    expect(new Set(kinds)).toEqual(new Set(['text', 'image', 'resource', 'resource_link']));
  });

  it('reports its progress', async () => {
    const { upstreams } = open([stdio('everything', [serverScript('server-everything')])]);
    await upstreams.listMissing();
    const seen: JsonObject[] = [];
    const options = { onProgress: (progress: JsonObject) => seen.push(progress) };
    await upstreams.call('everything__trigger-long-running-operation', { duration: 0.2, steps: 3 }, options);
    expect(seen).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3 })));
  });
});

describe('server-everything over HTTP', () => {
  let server: ChildProcess;
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    server = await startEverything(port);
  });

  afterAll(async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  });

  it('returns every kind of content as on a direct connection', async () => {
    const url = `http://127.0.0.1:${port}/mcp`;
    const direct = await callDirectly(new StreamableHTTPClientTransport(new URL(url)), EVERYTHING);
    const { upstreams } = open([remote('everything', url)]);
    await upstreams.listMissing();
    expect(upstreams.status()).toMatchObject([{ state: 'ready', era: 'legacy' }]);
    const through: JsonObject[] = [];
    for (const row of EVERYTHING) through.push(await upstreams.call(`everything__${row.tool}`, row.args));
    expect(withoutTimes(through)).toEqual(withoutTimes(direct));
  });

  it('is reached again after it was started anew, and named while it is down', async () => {
    const { upstreams } = open([remote('everything', `http://127.0.0.1:${port}/mcp`)]);
    await upstreams.listMissing();
    server.kill('SIGKILL');
    await once(server, 'exit');
    await expect(upstreams.call('everything__echo', { message: 'a' })).rejects.toMatchObject({
      code: 'tools/unavailable',
    });
    server = await startEverything(port);
    expect(await upstreams.call('everything__echo', { message: 'b' })).toEqual({
      content: [{ type: 'text', text: 'Echo: b' }],
    });
  });
});

describe.each([{ transport: 'sse' as const }, { transport: 'http' as const }])(
  'server-everything over SSE, configured as $transport',
  ({ transport }) => {
    it('returns every kind of content as on a direct connection, and reports its progress', async () => {
      const port = await freePort();
      const server = await startEverything(port, 'sse');
      onTestFinished(() => void server.kill('SIGKILL'));
      const url = `http://127.0.0.1:${port}/sse`;
      // oxlint-disable-next-line typescript/no-deprecated -- the transport of old servers is what is tested
      const direct = await callDirectly(new SSEClientTransport(new URL(url)), EVERYTHING);
      const { upstreams } = open([remote('everything', url, { transport })]);
      await upstreams.listMissing();
      expect(upstreams.status()).toMatchObject([{ state: 'ready', era: 'legacy' }]);
      const through: JsonObject[] = [];
      for (const row of EVERYTHING) through.push(await upstreams.call(`everything__${row.tool}`, row.args));
      expect(withoutTimes(through)).toEqual(withoutTimes(direct));
      const seen: JsonObject[] = [];
      const options = { onProgress: (progress: JsonObject) => seen.push(progress) };
      await upstreams.call('everything__trigger-long-running-operation', { duration: 0.2, steps: 2 }, options);
      expect(seen).toHaveLength(2);
    });
  },
);

it('server-filesystem returns what it returns on a direct connection, errors included', async () => {
  const root = tempDir();
  mkdirSync(join(root, 'deep'));
  writeFileSync(join(root, 'a.txt'), 'one\ntwo\n');
  writeFileSync(join(root, 'pixel.png'), Buffer.from('89504e470d0a1a0a', 'hex'));
  writeFileSync(join(root, 'beep.wav'), 'RIFF');
  const rows: readonly CallRow[] = [
    { tool: 'read_text_file', args: { path: join(root, 'a.txt'), head: 1 } },
    { tool: 'read_media_file', args: { path: join(root, 'pixel.png') } },
    { tool: 'read_media_file', args: { path: join(root, 'beep.wav') } },
    { tool: 'read_multiple_files', args: { paths: [join(root, 'a.txt'), join(root, 'none')] } },
    { tool: 'list_directory', args: { path: root } },
    { tool: 'directory_tree', args: { path: root } },
    { tool: 'search_files', args: { path: root, pattern: '**/*.txt' } },
    { tool: 'list_allowed_directories', args: {} },
    { tool: 'read_text_file', args: { path: '/etc/hostname' } },
    { tool: 'read_text_file', args: { path: 7 } },
  ];
  const args = [serverScript('server-filesystem'), root];
  const direct = await callDirectly(
    new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }),
    rows,
  );
  const { upstreams } = open([stdio('files', args)]);
  await upstreams.listMissing();
  const through: JsonObject[] = [];
  for (const row of rows) through.push(await upstreams.call(`files__${row.tool}`, row.args));
  expect(through).toEqual(direct);
  expect(through.map(({ isError }) => isError === true)).toEqual(rows.map((_, index) => index > 7));
  expect(upstreams.tools().find(({ tool }) => tool === 'read_text_file')?.tags).toEqual([
    'domain:files',
    'action:read',
  ]);
});

it('server-memory returns what it returns on a direct connection', async () => {
  const entity = { name: 'ada', entityType: 'person', observations: ['wrote the first program'] };
  const rows: readonly CallRow[] = [
    { tool: 'create_entities', args: { entities: [entity] } },
    { tool: 'add_observations', args: { observations: [{ entityName: 'ada', contents: ['liked horses'] }] } },
    { tool: 'read_graph', args: {} },
    { tool: 'search_nodes', args: { query: 'horses' } },
    { tool: 'open_nodes', args: { names: ['ada', 'bob'] } },
    { tool: 'delete_entities', args: { entityNames: ['ada'] } },
    { tool: 'add_observations', args: { observations: [{ entityName: 'bob', contents: ['x'] }] } },
  ];
  const args = [serverScript('server-memory')];
  const directEnv = { MEMORY_FILE_PATH: join(tempDir(), 'memory.jsonl') };
  const transport = new StdioClientTransport({ command: process.execPath, args, env: directEnv, stderr: 'ignore' });
  const direct = await callDirectly(transport, rows);
  const envFile = join(tempDir(), '.env');
  writeFileSync(envFile, `# where it remembers\nMEMORY_FILE_PATH="${join(tempDir(), 'memory.jsonl')}"\n`);
  const { upstreams } = open([stdio('memory', args, { envFile })]);
  await upstreams.listMissing();
  const through: JsonObject[] = [];
  for (const row of rows) through.push(await upstreams.call(`memory__${row.tool}`, row.args));
  expect(through).toEqual(direct);
});

async function startEverything(port: number, mode = 'streamableHttp'): Promise<ChildProcess> {
  const child = spawn(process.execPath, [serverScript('server-everything'), mode], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface({ input: child.stderr })) {
    if (/listening|running/.test(line)) break;
  }
  child.stderr.resume();
  return child;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
