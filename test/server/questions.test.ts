import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configFile, envelope, legacyTransport, modernTransport, pipe, seedFolder } from './product.ts';

const fake = (file: string) => ({
  command: process.execPath,
  args: [fileURLToPath(new URL(`../tools/fakes/${file}`, import.meta.url))],
});
const servers = { old: fake('asking-upstream.mjs'), new: fake('asking-modern-upstream.mjs') };
const workspace = seedFolder({ 'a.txt': 'a' });
const options = (wrapped: Readonly<Record<string, unknown>> = servers) => ({
  args: ['--no-starter', '--config', configFile(wrapped), '--workspace', workspace],
});

interface Person {
  /** Everything that was asked, in order. */
  readonly asked: unknown[];
  action: 'accept' | 'decline';
}

interface Asked {
  readonly message: string;
  readonly mode?: string | undefined;
}

const answerTo = (person: Person, params: Asked) => {
  person.asked.push(params.message);
  if (params.mode === 'url' || person.action === 'decline') return { action: person.action };
  return { action: 'accept' as const, content: { city: `answer ${person.asked.length}` } };
};
const written = { model: 'mine', role: 'assistant' as const, content: { type: 'text' as const, text: 'short' } };
const all = { elicitation: { form: {}, url: {} }, sampling: {} };

interface Connected {
  readonly call: (tool: string, args?: object, given?: { signal?: AbortSignal }) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

async function connectModern(person: Person, capabilities: object): Promise<Connected> {
  const client = new ModernClient(
    { name: 'modern', version: '1' },
    { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  if ('elicitation' in capabilities) {
    client.setRequestHandler('elicitation/create', ({ params }) => answerTo(person, params));
  }
  if ('sampling' in capabilities) client.setRequestHandler('sampling/createMessage', () => written);
  await client.connect(modernTransport(options()));
  return {
    call: (id, args = {}, given = {}) =>
      client.callTool({ name: 'execute', arguments: { id, arguments: args } }, given),
    close: () => client.close(),
  };
}

async function connectOld(person: Person, capabilities: object): Promise<Connected> {
  const client = new OldClient({ name: 'old', version: '1' }, { capabilities });
  if ('elicitation' in capabilities) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answerTo(person, params));
  }
  if ('sampling' in capabilities) client.setRequestHandler(CreateMessageRequestSchema, () => written);
  await client.connect(legacyTransport(options()));
  return {
    call: (id, args = {}, given = {}) =>
      client.callTool({ name: 'execute', arguments: { id, arguments: args } }, undefined, given),
    close: () => client.close(),
  };
}

const callers = [
  { caller: '2026-07-28', connect: connectModern },
  { caller: '2025', connect: connectOld },
];
const cells = callers.flatMap((each) => [
  { ...each, server: 'old', upstream: '2025' },
  { ...each, server: 'new', upstream: '2026-07-28' },
]);
const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text;

describe.each(cells)('a client of $caller and an upstream of $upstream', ({ connect, server }) => {
  const person: Person = { asked: [], action: 'accept' };
  let able: Connected;
  let unable: Connected;

  beforeAll(async () => {
    [able, unable] = await Promise.all([connect(person, all), connect(person, {})]);
  });
  afterAll(() => Promise.all([able.close(), unable.close()]));

  it('has the person asked, as often as the upstream asks', async () => {
    person.asked.length = 0;
    const result = await able.call(`${server}__order`, { what: 'tea' });
    expect(person.asked).toEqual(['Where to, for tea?', 'Which street?']);
    expect(textOf(result)).toMatch(/^tea to "answer 1", "answer 2"/);
  });

  it('hands on that the person declines', async () => {
    person.action = 'decline';
    expect(textOf(await able.call(`${server}__order`, { what: 'tea' }))).toBe('not ordered: decline');
    person.action = 'accept';
  });

  it('has the person sent to a page', async () => {
    expect(textOf(await able.call(`${server}__visit`))).toBe('accept');
  });

  it('has the model of the client write', async () => {
    expect(textOf(await able.call(`${server}__summarize`))).toBe('mine: short');
  });

  it('tells the upstream the workspace as its root', async () => {
    expect(textOf(await unable.call(`${server}__where`))).toBe(JSON.stringify([pathToFileURL(workspace).href]));
  });

  it.each([
    { tool: 'order', lacking: 'elicitation' },
    { tool: 'visit', lacking: 'elicitation' },
    { tool: 'summarize', lacking: 'sampling' },
  ])('says what the client lacks for $tool', async ({ tool, lacking }) => {
    expect(await unable.call(`${server}__${tool}`)).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining(`\`${lacking}\``) }],
      _meta: { 'playbook-mcp/error': 'tools/undeclared' },
    });
    expect(textOf(await unable.call(`${server}__where`))).toContain('file:');
  });

  it('answers calls that ask at the same time, each with its own', async () => {
    const results = await Promise.all(['a', 'b', 'c'].map((what) => able.call(`${server}__order`, { what })));
    expect(results.map((result) => textOf(result)?.slice(0, 4))).toEqual(['a to', 'b to', 'c to']);
    if (server === 'old') expect(results.map(textOf)).toEqual(results.map(() => expect.stringMatching(/at most 1 at/)));
  });
});

describe('the rounds of 2026-07-28 on the wire', () => {
  const meta = { ...envelope, 'io.modelcontextprotocol/clientCapabilities': all };
  const execute = (id: number, server: string, more: object = {}) => ({
    id,
    method: 'tools/call',
    params: {
      name: 'execute',
      arguments: { id: `${server}__order`, arguments: { what: 'tea' } },
      _meta: meta,
      ...more,
    },
  });
  const answersTo = (requests: Asking['inputRequests']) =>
    Object.fromEntries(Object.keys(requests ?? {}).map((key) => [key, { action: 'decline' }]));
  interface Asking {
    readonly resultType?: string;
    readonly requestState?: string;
    readonly inputRequests?: Readonly<Record<string, object>>;
  }

  it.each([{ server: 'old' }, { server: 'new' }])(
    'carry a state that is signed, for this call only ($server upstream)',
    async ({ server }) => {
      const product = pipe(options());
      product.send(execute(1, server));
      const { requestState = '', inputRequests = {}, resultType } = (await product.answer(1)).result as Asking;
      expect(resultType).toBe('input_required');
      expect(Object.values(inputRequests)).toMatchObject([{ method: 'elicitation/create' }]);
      const [key = ''] = Object.keys(inputRequests);
      const inputResponses = { [key]: { action: 'decline' } };

      product.send(
        execute(2, server, {
          inputResponses,
          requestState: requestState.replace(/.$/, (c) => (c === 'A' ? 'Q' : 'A')),
        }),
      );
      expect((await product.answer(2)).error).toMatchObject({ code: -32602 });
      product.send(
        execute(3, server, { inputResponses, requestState, arguments: { id: `${server}__visit`, arguments: {} } }),
      );
      expect((await product.answer(3)).error).toMatchObject({ code: -32602 });
      product.send(execute(4, server, { inputResponses, requestState }));
      expect(textOf((await product.answer(4)).result)).toBe('not ordered: decline');
      await product.end();
    },
  );

  it('ask again for an answer that is missing, and tell a state that has been used up', async () => {
    const product = pipe(options());
    product.send(execute(1, 'old'));
    const { requestState } = (await product.answer(1)).result as Asking;
    product.send(execute(2, 'old', { requestState }));
    const again = (await product.answer(2)).result as Asking;
    const [key = ''] = Object.keys(again.inputRequests ?? {});
    const answered = { inputResponses: { [key]: { action: 'decline' } }, requestState };
    product.send(execute(3, 'old', answered));
    expect(textOf((await product.answer(3)).result)).toBe('not ordered: decline');
    product.send(execute(4, 'old', answered));
    expect((await product.answer(4)).result).toMatchObject({ isError: true });
    expect(await product.end()).toBe(0);
  });

  it('are given up where the cancellation crosses the questions on its way: later calls have their turn', async () => {
    const product = pipe(options());
    product.send(execute(1, 'old'));
    const { requestState, inputRequests = {} } = (await product.answer(1)).result as Asking;
    const [key = ''] = Object.keys(inputRequests);
    // From now on the server is known to ask, and gets one call at a time.
    product.send(execute(2, 'old', { inputResponses: { [key]: { action: 'decline' } }, requestState }));
    await product.answer(2);
    for (const id of [3, 4]) {
      product.send(execute(id, 'old'));
      expect((await product.answer(id)).result).toMatchObject({ resultType: 'input_required' });
      product.send({ method: 'notifications/cancelled', params: { requestId: id, _meta: meta } });
    }
    expect(await product.end()).toBe(0);
  });

  it('hold up the calls of others no longer than these may take, and say so', async () => {
    const product = pipe(options({ old: { ...servers.old, timeoutMs: 1_000 } }));
    product.send(execute(1, 'old'));
    const { requestState, inputRequests = {} } = (await product.answer(1)).result as Asking;
    product.send(execute(2, 'old', { inputResponses: answersTo(inputRequests), requestState }));
    await product.answer(2);
    // Nobody comes back with an answer to this one.
    product.send(execute(3, 'old'));
    const asked = (await product.answer(3)).result as Asking;
    product.send(execute(4, 'old'));
    expect((await product.answer(4)).result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('it waits for the answer to what it has asked in another call') }],
      _meta: { 'playbook-mcp/error': 'tools/unanswered' },
    });
    product.send(
      execute(5, 'old', {
        inputResponses: answersTo(asked.inputRequests ?? {}),
        requestState: asked.requestState,
      }),
    );
    expect(textOf((await product.answer(5)).result)).toBe('not ordered: decline');
    expect(await product.end()).toBe(0);
  });

  it('end with the client: a call that waits for an answer holds nothing up', async () => {
    const product = pipe(options());
    product.send(execute(1, 'old'));
    await product.answer(1);
    expect(await product.end()).toBe(0);
  });
});
