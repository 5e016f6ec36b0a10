import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { toProtocolResult } from '../../src/server/pass-through.ts';
import { type Connected, configFile, eras, registryServer, seedFolder } from './product.ts';

const files = seedFolder({ 'a.txt': 'alpha\nbeta\n', 'pixel.png': 'not really a picture', 'sub/b.txt': 'b' });
const servers = {
  everything: registryServer('server-everything'),
  filesystem: registryServer('server-filesystem', files),
  memory: registryServer('server-memory'),
  thinking: registryServer('server-sequential-thinking'),
};

/** A thought that belongs to those before it: the server counts them. */
const thought = (thoughtNumber: number, more: object = {}) => ({
  server: 'thinking' as const,
  tool: 'sequentialthinking',
  args: {
    thought: `step ${thoughtNumber}`,
    nextThoughtNeeded: thoughtNumber < 3,
    thoughtNumber,
    totalThoughts: 3,
    ...more,
  },
});

/** Calls that between them return every content kind that these servers know. */
const calls: readonly { server: keyof typeof servers; tool: string; args: Record<string, unknown> }[] = [
  { server: 'everything', tool: 'echo', args: { message: 'hello' } },
  { server: 'everything', tool: 'get-sum', args: { a: 2, b: 3 } },
  { server: 'everything', tool: 'get-tiny-image', args: {} },
  { server: 'everything', tool: 'get-annotated-message', args: { messageType: 'error', includeImage: true } },
  { server: 'everything', tool: 'get-resource-links', args: { count: 3 } },
  { server: 'everything', tool: 'get-resource-reference', args: { resourceType: 'Text', resourceId: 1 } },
  { server: 'everything', tool: 'get-resource-reference', args: { resourceType: 'Blob', resourceId: 2 } },
  { server: 'everything', tool: 'get-structured-content', args: { location: 'Chicago' } },
  { server: 'filesystem', tool: 'read_text_file', args: { path: `${files}/a.txt` } },
  { server: 'filesystem', tool: 'read_media_file', args: { path: `${files}/pixel.png` } },
  { server: 'filesystem', tool: 'list_directory', args: { path: files } },
  { server: 'filesystem', tool: 'read_text_file', args: { path: '/no/such/place' } },
  { server: 'memory', tool: 'read_graph', args: {} },
  { server: 'memory', tool: 'search_nodes', args: { query: 'nobody' } },
  thought(1),
  thought(2, { branchFromThought: 1, branchId: 'other' }),
  thought(3, { isRevision: true, revisesThought: 2 }),
];

/** What a direct connection answers, with every field as it came, less the server's own introduction. */
async function directAnswers(): Promise<readonly unknown[]> {
  const clients = new Map<string, Client>();
  for (const [name, server] of Object.entries(servers)) {
    const client = new Client({ name: 'direct', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ ...server, stderr: 'ignore' }));
    clients.set(name, client);
  }
  const answers: unknown[] = [];
  for (const { server, tool, args } of calls) {
    answers.push(
      await clients
        .get(server)!
        .request({ method: 'tools/call', params: { name: tool, arguments: args } }, z.looseObject({})),
    );
  }
  await Promise.all([...clients.values()].map((client) => client.close()));
  return answers;
}

/** An answer less the server's own introduction, and with the time of day in a generated resource made the same. */
function comparable(answer: unknown): unknown {
  const { _meta: meta, ...rest } = JSON.parse(JSON.stringify(answer, maskTime)) as { _meta?: Record<string, unknown> };
  const kept = Object.fromEntries(
    Object.entries(meta ?? {}).filter(([key]) => key !== 'io.modelcontextprotocol/serverInfo'),
  );
  return Object.keys(kept).length === 0 ? rest : { ...rest, _meta: kept };
}

function maskTime(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = key === 'blob' ? Buffer.from(value, 'base64').toString() : value;
  return text.replace(/created at \d+:\d+:\d+ [AP]M/, 'created at TIME');
}

describe.each(eras)('wrapped tools through execute, for a client of the $era era', ({ connect }) => {
  let product: Connected;
  let direct: readonly unknown[];

  beforeAll(async () => {
    direct = await directAnswers();
    product = await connect({ args: ['--no-starter', '--config', configFile(servers)] });
  });

  it.each(calls.map((call, index) => ({ ...call, index })))(
    'gives what a direct connection gives: $server $tool $args',
    async ({ server, tool, args, index }) => {
      const id = `${server}__${tool}`;
      expect(comparable(await product.call('execute', { id, arguments: args }))).toEqual(comparable(direct[index]));
    },
  );
});

it('the thoughts are compared with those of a server that keeps its state', async () => {
  expect((await directAnswers()).at(-1)).toMatchObject({
    structuredContent: { thoughtHistoryLength: 3, branches: ['other'] },
  });
});

describe('toProtocolResult', () => {
  it.each([
    { name: 'an unknown kind', block: { type: 'hologram', depth: 3 }, type: 'hologram' },
    { name: 'base64 that is none', block: { type: 'image', data: '***', mimeType: 'image/png' }, type: 'image' },
    { name: 'no object', block: 'text', type: 'unknown' },
  ])('turns $name into text that says what it was', ({ block, type }) => {
    const { content } = toProtocolResult({ content: [block, { type: 'text', text: 'kept' }] });
    expect(content[0]).toMatchObject({ type: 'text', text: expect.stringContaining(`of type "${type}"`) });
    expect(content[1]).toEqual({ type: 'text', text: 'kept' });
  });

  it('keeps structured content, isError and _meta as they are', () => {
    const answer = { content: [], structuredContent: { a: [1] }, isError: true, _meta: { 'x/y': 1 } };
    expect(toProtocolResult(answer)).toEqual(answer);
  });
});
