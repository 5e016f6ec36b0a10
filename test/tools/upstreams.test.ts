import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../src/model.ts';
import { fake, fakePath, isAlive, open, stdio, tempDir, until } from './harness.ts';

function pidsIn(file: string): readonly number[] {
  return readFileSync(file, 'utf8').trim().split('\n').map(Number);
}

describe('listing', () => {
  it('starts nothing for a server whose definitions are cached, until one of its tools is called', async () => {
    const startsFile = join(tempDir(), 'starts');
    const config = fake('plain', { startsFile });
    const first = open([config]);
    expect(first.upstreams.tools()).toEqual([]);
    await first.upstreams.listMissing();
    const listed = first.upstreams.tools();
    await first.upstreams.close();

    const second = open([config], { cacheDir: first.cacheDir });
    await second.upstreams.listMissing();
    expect(second.upstreams.tools()).toEqual(listed);
    expect(pidsIn(startsFile)).toHaveLength(1);
    expect(second.upstreams.status()).toEqual([{ name: 'plain', state: 'idle', toolCount: 7, era: 'legacy' }]);

    await second.upstreams.call('plain__return', { result: { content: [] } });
    expect(pidsIn(startsFile)).toHaveLength(2);
  });

  it('lists the healthy servers although another hangs, one exits and one does not exist', async () => {
    const hanging = fake('hang');
    const { upstreams } = open([
      hanging,
      fake('exit'),
      stdio('absent', [], { command: 'no-such-program' }),
      fake('plain'),
    ]);
    const changed: string[] = [];
    upstreams.onChange((server) => changed.push(server));
    let isDone = false;
    const listing = upstreams.listMissing().finally(() => (isDone = true));

    await until(() => changed.includes('plain'));
    expect(await upstreams.call('plain__return', { result: { content: [] } })).toEqual({ content: [] });
    expect(isDone).toBe(false);
    await until(() => upstreams.status().filter(({ state }) => state === 'failed').length === 2);
    expect(upstreams.status()).toMatchObject([
      { name: 'hang', state: 'connecting' },
      { name: 'exit', state: 'failed', reason: 'it exited with code 1; it said: Error: TOKEN is not set' },
      { name: 'absent', state: 'failed', reason: 'its command no-such-program was not found' },
      { name: 'plain', state: 'ready', toolCount: 7 },
    ]);
    await upstreams.close();
    await listing;
  });

  it('reads every page of a paged list', async () => {
    const { upstreams } = open([fake('paged')]);
    await upstreams.listMissing();
    expect(upstreams.status()).toMatchObject([{ toolCount: 7 }]);
  });

  it.each([{ mode: 'odd-list' }])('keeps the usable tools of a list with odd ones', async ({ mode }) => {
    const { upstreams } = open([fake(mode)]);
    await upstreams.listMissing();
    expect(upstreams.tools()).toMatchObject([
      { id: 'odd-list__bare', inputSchema: { type: 'object' } },
      { id: 'odd-list__kept', inputSchema: true },
    ]);
  });

  it('lets through what allow names and deny does not, and leaves a disabled server out', async () => {
    const { upstreams } = open([
      fake('plain', { allow: ['s*', 'f*'], deny: ['slow'] }),
      fake('paged', { disabled: true }),
    ]);
    await upstreams.listMissing();
    expect(upstreams.tools().map(({ id }) => id)).toEqual(['plain__fail', 'plain__say-meta']);
    expect(upstreams.status()).toMatchObject([{ state: 'ready' }, { name: 'paged', state: 'disabled' }]);
    await expect(upstreams.call('plain__slow', {})).rejects.toMatchObject({ code: 'catalog/unknown-id' });
  });

  it.each([
    { name: 'a legacy server', config: fake('plain'), id: 'plain__grow', grown: 'plain__grown-7' },
    {
      name: 'a modern server',
      config: stdio('modern', [fakePath('modern-upstream.mjs')]),
      id: 'modern__grow',
      grown: 'modern__grown',
    },
  ])('lists anew when $name says that its tools have changed', async ({ config, id, grown }) => {
    const { upstreams, cacheDir } = open([config]);
    await upstreams.listMissing();
    // A modern server only tells who has subscribed, which happens behind the back of the first call.
    await sleep(300);
    await upstreams.call(id, {});
    await until(() => upstreams.tools().some((tool) => tool.id === grown));
    await upstreams.close();
    expect(open([config], { cacheDir }).upstreams.tools()).toEqual(upstreams.tools());
  });
});

describe('the era of a server', () => {
  it.each([
    { name: 'refuses the question', config: fake('plain'), era: 'legacy', starts: 1 },
    { name: 'ignores the question', config: fake('ignores-discover'), era: 'legacy', starts: 1 },
    { name: 'dies of the question', config: fake('dies-on-discover'), era: 'legacy', starts: 2 },
    { name: 'answers the question', config: fake('modern'), era: 'modern', starts: 1 },
  ])('is $era for one that $name, and asked for once', async ({ config, era, starts }) => {
    const startsFile = join(tempDir(), 'starts');
    const counted = { ...config, args: [...config.args, startsFile] };
    const first = open([counted]);
    await first.upstreams.listMissing();
    expect(first.upstreams.status()).toMatchObject([{ state: 'ready', era }]);
    expect(pidsIn(startsFile)).toHaveLength(starts);

    const second = open([counted], { cacheDir: first.cacheDir });
    const result = { content: [{ type: 'text', text: 'x' }] };
    expect(await second.upstreams.call(`${config.name}__return`, { result })).toEqual(result);
    expect(pidsIn(startsFile)).toHaveLength(starts + 1);
  });
});

describe('a call', () => {
  it('is served by one process, however many wait for its start', async () => {
    const startsFile = join(tempDir(), 'starts');
    const config = fake('plain', { startsFile });
    const first = open([config]);
    await first.upstreams.listMissing();
    await first.upstreams.close();

    const { upstreams } = open([config], { cacheDir: first.cacheDir });
    const texts = Array.from({ length: 64 }, (_, index) => `answer ${index}`);
    const results = await Promise.all(
      texts.map((text) => upstreams.call('plain__return', { result: { content: [], text } })),
    );
    expect(results.map((result) => result['text'])).toEqual(texts);
    expect(pidsIn(startsFile)).toHaveLength(2);
  });

  it.each([
    { name: 'an unknown block', result: { content: [{ type: 'hologram', data: [1, 2] }] } },
    { name: 'no content', result: { structuredContent: { a: 1 } } },
    { name: 'content that is no list', result: { content: 'text' } },
    { name: 'a structured list', result: { content: [], structuredContent: [1, null] } },
    { name: 'base64 that is none', result: { content: [{ type: 'image', data: '§§', mimeType: 'image/png' }] } },
    { name: 'an error with fields of its own', result: { content: [], isError: true, 'x-trace': '7' } },
    {
      name: 'metadata',
      result: { content: [{ type: 'text', text: '', _meta: { a: 1 } }], _meta: { 'example.com/cost': 3 } },
    },
    { name: 'line separators', result: { content: [{ type: 'text', text: 'a\u2028b\nc\r\nd' }] } },
  ])('gives $name as the server sent it, in both eras', async ({ result }) => {
    const { upstreams } = open([fake('plain'), fake('modern')]);
    await upstreams.listMissing();
    expect(await upstreams.call('plain__return', { result })).toEqual(result);
    expect(await upstreams.call('modern__return', { result })).toEqual(result);
  });

  it('gives whatever object the server sends', async () => {
    const { upstreams } = open([fake('plain')]);
    await upstreams.listMissing();
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (value) => {
        const result = JSON.parse(JSON.stringify(value));
        const { resultType: _, ...expected } = result;
        expect(await upstreams.call('plain__return', { result })).toEqual(expected);
      }),
    );
  });

  it('leaves out the server info of the hop and keeps the rest of the metadata', async () => {
    const { upstreams } = open([stdio('modern', [fakePath('modern-upstream.mjs')])]);
    await upstreams.listMissing();
    expect(await upstreams.call('modern__echo', { text: 'hi' })).toEqual({
      content: [{ type: 'text', text: 'hi' }],
      structuredContent: { text: 'hi' },
      _meta: { 'example.com/kept': true },
    });
  });

  it('hands on the metadata of the caller, but not what belongs to the caller’s own connection', async () => {
    const { upstreams } = open([fake('plain')]);
    await upstreams.listMissing();
    const meta = { traceparent: '00-1', progressToken: 9, 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const result = await upstreams.call('plain__say-meta', {}, { meta });
    expect(result).toEqual({
      content: [],
      _meta: { received: { traceparent: '00-1', progressToken: expect.any(String) } },
    });
  });

  it('reports progress, also where it arrives together with the result', async () => {
    const { upstreams } = open([fake('plain')]);
    await upstreams.listMissing();
    const seen: JsonObject[] = [];
    await upstreams.call('plain__progress', {}, { onProgress: (progress) => seen.push(progress) });
    expect(seen).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })));
  });

  it('may take longer than its timeout as long as there is progress', async () => {
    const { upstreams } = open([fake('plain', { timeoutMs: 1000 })]);
    await upstreams.listMissing();
    const result = await upstreams.call('plain__slow', { steps: 6, stepMs: 300 });
    expect(result).toEqual({ content: [{ type: 'text', text: 'slow' }] });
  });
});

describe('a call that fails', () => {
  it('ends at ten times its timeout, whatever progress there is', async () => {
    const { upstreams } = open([fake('plain', { timeoutMs: 150 })]);
    await upstreams.listMissing();
    await expect(upstreams.call('plain__slow', { steps: 1000, stepMs: 50 })).rejects.toMatchObject({
      code: 'tools/timeout',
    });
  });

  it('does not count the time that a person takes to answer, and goes on counting afterwards', async () => {
    const { upstreams } = open([stdio('asking', [fakePath('asking-upstream.mjs')], { timeoutMs: 500 })]);
    await upstreams.listMissing();
    const ask = async (): Promise<JsonObject> => {
      await sleep(1000);
      return { action: 'accept', content: { city: 'Lisbon' } };
    };
    expect(await upstreams.call('asking__order', { what: 'tea' }, { ask })).toMatchObject({
      content: [{ text: expect.stringContaining('tea to "Lisbon", "Lisbon"') }],
    });
    await expect(upstreams.call('asking__hang', {}, { ask })).rejects.toMatchObject({ code: 'tools/timeout' });
  });

  it('tells the server of an answer that fails, and lets it go on', async () => {
    const { upstreams, log } = open([stdio('asking', [fakePath('asking-upstream.mjs')])]);
    await upstreams.listMissing();
    const ask = (): Promise<never> => Promise.reject(new Error('the model is asleep'));
    expect(await upstreams.call('asking__stubborn', {}, { ask })).toMatchObject({ content: [{ text: 'went on' }] });
    await until(() => log.some((line) => line.includes('the model is asleep')));
  });

  it('tells a server of the 2025 era the roots of each call', async () => {
    const { upstreams } = open([stdio('asking', [fakePath('asking-upstream.mjs')])]);
    await upstreams.listMissing();
    for (const roots of [['file:///a'], ['file:///b'], []]) {
      const { content } = await upstreams.call('asking__where', {}, { roots });
      expect(content).toEqual([{ type: 'text', text: JSON.stringify(roots) }]);
    }
  });

  it('knows at the next start that a server asks', async () => {
    const config = stdio('asking', [fakePath('asking-upstream.mjs')]);
    const first = open([config]);
    await first.upstreams.listMissing();
    const ask = (): Promise<JsonObject> => Promise.resolve({ action: 'accept', content: { city: 'x' } });
    await first.upstreams.call('asking__order', {}, { ask });
    await first.upstreams.close();
    const { upstreams } = open([config], { cacheDir: first.cacheDir });
    const orders = [1, 2, 3].map((what) => upstreams.call('asking__order', { what }, { ask }));
    for (const { content } of await Promise.all(orders)) {
      expect(content).toMatchObject([{ text: expect.stringContaining('at most 1 at once') }]);
    }
  });

  it('says that the server refused, in its words', async () => {
    const { upstreams } = open([fake('plain')]);
    await upstreams.listMissing();
    await expect(upstreams.call('plain__fail', {})).rejects.toMatchObject({
      code: 'tools/failed',
      message: expect.stringContaining('The wiki is closed on Sundays'),
      hint: expect.stringContaining('playbook-mcp doctor'),
    });
  });

  it('is told at once where the server lives on with its stdin closed, and the next call starts it again', async () => {
    const TOOLS_FILE = join(tempDir(), 'tools.json');
    writeFileSync(TOOLS_FILE, JSON.stringify([{ name: 'close-stdin', inputSchema: { type: 'object' } }]));
    const { upstreams } = open([fake('stays', { env: { TOOLS_FILE } })]);
    await upstreams.listMissing();
    expect(await upstreams.call('stays__close-stdin', {})).toEqual({ content: [] });
    await expect(upstreams.call('stays__return', {})).rejects.toMatchObject({
      code: 'tools/unavailable',
      message: expect.stringContaining('closed its stdin'),
    });
    expect(await upstreams.call('stays__return', { result: { content: [] } })).toEqual({ content: [] });
  });

  it('says at once what a server answers that is neither a result nor an error, and keeps its process', async () => {
    const TOOLS_FILE = join(tempDir(), 'tools.json');
    writeFileSync(TOOLS_FILE, JSON.stringify([{ name: 'answer-oddly', inputSchema: { type: 'object' } }]));
    const startsFile = join(tempDir(), 'starts');
    const { upstreams } = open([fake('plain', { startsFile, env: { TOOLS_FILE } })]);
    await upstreams.listMissing();
    for (const answer of [{ result: 'done' }, { result: null }, { error: 'broken' }, {}]) {
      await expect(upstreams.call('plain__answer-oddly', { answer })).rejects.toMatchObject({ code: 'tools/failed' });
    }
    expect(pidsIn(startsFile)).toHaveLength(1);
  });

  it('ends after the timeout and tells the server', async () => {
    const { upstreams, log } = open([fake('plain', { timeoutMs: 300 })]);
    await upstreams.listMissing();
    await expect(upstreams.call('plain__slow', { steps: 1, stepMs: 60_000 })).rejects.toMatchObject({
      code: 'tools/timeout',
    });
    await until(() => log.includes('warn plain: a call was cancelled'));
    expect(await upstreams.call('plain__return', { result: { content: [] } })).toEqual({ content: [] });
  });

  it('ends when the caller cancels and tells the server', async () => {
    const { upstreams, log } = open([fake('plain')]);
    await upstreams.listMissing();
    const caller = new AbortController();
    const call = upstreams.call('plain__slow', { steps: 1, stepMs: 60_000 }, { signal: caller.signal });
    setTimeout(() => caller.abort(), 100);
    await expect(call).rejects.toMatchObject({ code: 'tools/cancelled' });
    await until(() => log.includes('warn plain: a call was cancelled'));
  });

  it('ends when the caller cancels while the server is still starting', async () => {
    const config = fake('plain');
    const { upstreams, cacheDir } = open([config]);
    await upstreams.listMissing();
    const { upstreams: cold } = open([config], { cacheDir });
    const caller = new AbortController();
    const call = cold.call('plain__return', { result: {} }, { signal: caller.signal });
    caller.abort();
    await expect(call).rejects.toMatchObject({ code: 'tools/cancelled' });
    expect(await cold.call('plain__return', { result: { content: [] } })).toEqual({ content: [] });
  });

  it('says that the server is gone when it dies meanwhile, and the next call starts it again', async () => {
    const startsFile = join(tempDir(), 'starts');
    const { upstreams } = open([fake('plain', { startsFile })]);
    await upstreams.listMissing();
    await expect(upstreams.call('plain__crash', {})).rejects.toMatchObject({
      code: 'tools/unavailable',
      message: '"plain" exited with code 4 during crash.\nIt last said on stderr:\nfatal: out of cheese',
    });
    expect(upstreams.status()).toMatchObject([
      { state: 'idle', reason: 'the connection was lost; it said: fatal: out of cheese' },
    ]);
    expect(await upstreams.call('plain__return', { result: { content: [] } })).toEqual({ content: [] });
    expect(pidsIn(startsFile)).toHaveLength(2);
  });

  it('names what keeps a server from starting, and leaves the server alone for a while', async () => {
    const startsFile = join(tempDir(), 'starts');
    const { upstreams } = open([fake('exit', { startsFile }), fake('plain', { cwd: join(tempDir(), 'nowhere') })]);
    expect(await upstreams.probe('plain')).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('nowhere does not exist'),
    });
    expect(await upstreams.probe('exit')).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('exited with code 1'),
    });
    const starts = pidsIn(startsFile).length;
    expect(await upstreams.probe('exit')).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('exited with code 1'),
    });
    expect(pidsIn(startsFile)).toHaveLength(starts);
    await sleep(1100);
    await upstreams.probe('exit');
    expect(pidsIn(startsFile).length).toBeGreaterThan(starts);
    expect(await upstreams.probe('other')).toBeUndefined();
  });

  it('says that a server which never answers cannot be used', async () => {
    const { upstreams } = open([fake('hang')], { connectTimeoutMs: 200 });
    expect(await upstreams.probe('hang')).toMatchObject({ state: 'failed', reason: 'it did not answer within 0.2 s' });
  });

  it('offers the closest ids for one that does not exist', async () => {
    const { upstreams } = open([fake('plain')]);
    await upstreams.listMissing();
    await expect(upstreams.call('plain__retrun', {})).rejects.toMatchObject({
      code: 'catalog/unknown-id',
      hint: expect.stringContaining('plain__return'),
    });
  });
});

describe('the log', () => {
  it('has the stray lines, the stderr and the log messages of a server under its name', async () => {
    const { upstreams, log } = open([fake('banner'), fake('exit')]);
    await upstreams.listMissing();
    expect(upstreams.tools()).not.toEqual([]);
    expect(log).toEqual(
      expect.arrayContaining([
        'warn banner: Welcome to the fake upstream!',
        'warn banner: {"not": "of the protocol"}',
        'warn banner: {broken',
        'info exit: Error: TOKEN is not set',
      ]),
    );
  });
});

describe('closing', () => {
  it.each([
    { name: 'one that ends with its input', mode: 'plain' },
    { name: 'one that hangs at its start', mode: 'hang' },
    { name: 'one that ignores SIGTERM', mode: 'stubborn' },
    { name: 'one with a grandchild', mode: 'grandchild' },
  ])('ends $name', async ({ mode }) => {
    const startsFile = join(tempDir(), 'starts');
    const { upstreams } = open([fake(mode, { startsFile })]);
    const listing = upstreams.listMissing();
    await until(() => startsOf(startsFile).length >= (mode === 'grandchild' ? 2 : 1));
    await upstreams.close();
    await listing;
    expect(startsOf(startsFile).filter(isAlive)).toEqual([]);
    await expect(upstreams.probe(mode)).resolves.toMatchObject({ name: mode });
    expect(startsOf(startsFile).filter(isAlive)).toEqual([]);
  });
});

function startsOf(file: string): readonly number[] {
  try {
    return pidsIn(file);
  } catch {
    return [];
  }
}
