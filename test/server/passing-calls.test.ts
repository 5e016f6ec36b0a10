import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configFile, envelope, handshake, type Piped, pipe } from './product.ts';

/** What passes besides the result, on the bare wire: progress, cancellation, metadata, logs; and results of every shape. */

const fake = (mode: string) => ({
  command: process.execPath,
  args: [fileURLToPath(new URL('../tools/fakes/raw-upstream.mjs', import.meta.url)), mode],
});
const servers = { old: fake('banner'), new: fake('modern') };

const cells = ['2025', '2026-07-28'].flatMap((caller) => [
  { caller, server: 'old', upstream: '2025' },
  { caller, server: 'new', upstream: '2026-07-28' },
]);

const block = { type: 'text', text: 'kept', annotations: { audience: ['user'], priority: 0.5 }, _meta: { 'x/y': 1 } };
const results: readonly { name: string; sent: object; got?: object }[] = [
  { name: 'structured content beside no content', sent: { content: [], structuredContent: { rows: [1, null] } } },
  {
    name: 'an error with structured content',
    sent: { content: [block], structuredContent: { code: 7 }, isError: true },
  },
  { name: 'metadata', sent: { content: [], _meta: { 'example.com/trace': { deep: [1] } } } },
  { name: 'audio', sent: { content: [{ type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' }] } },
  {
    name: 'an image',
    sent: { content: [{ type: 'image', data: 'iVBORw==', mimeType: 'image/png', _meta: { a: 1 } }] },
  },
  {
    name: 'a link and resources',
    sent: {
      content: [
        { type: 'resource_link', uri: 'x://1', name: 'one', size: 3, mimeType: 'text/x' },
        { type: 'resource', resource: { uri: 'x://2', text: 't', _meta: { b: 2 } } },
        { type: 'resource', resource: { uri: 'x://3', blob: 'AAA=', mimeType: 'application/x' } },
      ],
    },
  },
  {
    name: 'a kind of block that nobody knows',
    sent: { content: [{ type: 'hologram', depth: 3 }, block] },
    got: { content: [{ type: 'text', text: expect.stringContaining('"hologram"') }, block] },
  },
  {
    name: 'no content at all',
    sent: { structuredContent: { a: 1 } },
    got: { content: [], structuredContent: { a: 1 } },
  },
];

describe.each(cells)('between a caller of $caller and an upstream of $upstream', ({ caller, server }) => {
  const isModern = caller !== '2025';
  let product: Piped;
  let lastId = 100;

  const execute = (tool: string, args: object, meta: object = {}): number => {
    lastId += 1;
    product.send({
      id: lastId,
      method: 'tools/call',
      params: {
        name: 'execute',
        arguments: { id: `${server}__${tool}`, arguments: args },
        _meta: { ...(isModern && envelope), ...meta },
      },
    });
    return lastId;
  };
  const run = async (tool: string, args: object, meta: object = {}): Promise<Record<string, unknown>> => {
    const { result } = await product.answer(execute(tool, args, meta));
    const { resultType: _, _meta: own, ...rest } = result as unknown as Record<string, unknown>;
    const { 'io.modelcontextprotocol/serverInfo': _info, ...kept } = (own ?? {}) as Record<string, unknown>;
    return { ...rest, ...(Object.keys(kept).length > 0 && { _meta: kept }) };
  };
  const saw = async (what: () => boolean): Promise<void> => {
    while (!what()) await new Promise((resolve) => setTimeout(resolve, 10));
  };

  beforeAll(async () => {
    product = pipe({ args: ['--no-starter', '--config', configFile(servers)] });
    if (!isModern) for (const message of handshake) product.send(message);
    await run('return', { result: { content: [] } });
  });
  afterAll(() => product.end());

  it.each(results)('passes $name', async ({ sent, got = sent }) => {
    expect(await run('return', { result: sent })).toEqual(got);
  });

  it('passes progress under the token of the caller, all of it before the result', async () => {
    const before = product.lines.length;
    await run('progress', {}, { progressToken: 'mine' });
    const seen = product.lines.slice(before).map((line) => JSON.parse(line) as { method?: string; params?: object });
    expect(seen.slice(0, -1).map(({ params }) => params)).toMatchObject(
      [1, 2, 3].map((progress) => ({ progressToken: 'mine', progress, total: 3, message: `step ${progress}` })),
    );
  });

  it('passes the metadata of the caller, but for the token', async () => {
    const { _meta: meta } = await run('say-meta', {}, { progressToken: 'mine', 'example.com/trace': 'abc' });
    expect(meta).toMatchObject({ received: { 'example.com/trace': 'abc' } });
    expect(meta).not.toMatchObject({ received: { progressToken: 'mine' } });
  });

  it('passes a cancellation, and logs what the upstream says under its name', async () => {
    const requestId = execute('slow', { steps: 10_000, stepMs: 20 }, { progressToken: 'slow' });
    await saw(() => product.lines.some((line) => line.includes('"slow"')));
    const params = { requestId, ...(isModern && { _meta: envelope }) };
    product.send({ method: 'notifications/cancelled', params });
    await saw(() => product.stderr().includes('a call was cancelled'));
    const logged = product
      .stderr()
      .split('\n')
      .filter((line) => line.includes('a call was cancelled'));
    expect(JSON.parse(logged[0] ?? '{}')).toMatchObject({ server });
    expect(await run('return', { result: { content: [block] } })).toEqual({ content: [block] });
    if (server === 'old') expect(product.stderr()).toContain('Welcome to the fake upstream!');
  });
});
