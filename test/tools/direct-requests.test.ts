import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { ProtocolError } from '@modelcontextprotocol/client';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { kindOfFailure } from '../../src/tools/call-errors.ts';
import { Deadline } from '../../src/tools/deadline.ts';
import { DirectRequests } from '../../src/tools/direct-requests.ts';

interface Sent {
  readonly id?: number;
  readonly method: string;
  readonly params: Record<string, unknown>;
}

function open(): { requests: DirectRequests; sent: Sent[] } {
  const sent: Sent[] = [];
  const requests = new DirectRequests((message) => {
    sent.push(JSON.parse(JSON.stringify(message)) as Sent);
    return Promise.resolve();
  });
  return { requests, sent };
}

const answer = (id: number | undefined, result: object): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id: id ?? 0,
  result: { ...result },
});
const call = (signal = new AbortController().signal, envelope?: object) => ({
  method: 'tools/call',
  params: { name: 'x', _meta: { progressToken: 'p' } },
  cancellation: new Deadline(60_000, signal),
  envelope: envelope && { ...envelope },
});

describe('DirectRequests', () => {
  it('gives each request its own answer, in whatever order they come', async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 }), async (order) => {
        const { requests, sent } = open();
        const results = order.map(() => requests.request(call()));
        for (const at of order) expect(requests.take(answer(sent[at]?.id, { at }))).toBe(true);
        expect(await Promise.all(results)).toEqual(order.map((_, at) => ({ at })));
      }),
    );
  });

  it('leaves messages of others alone', () => {
    const { requests } = open();
    expect(requests.take(answer(0, {}))).toBe(false);
    expect(requests.take({ jsonrpc: '2.0', id: 1_000_000_000, method: 'roots/list' })).toBe(false);
    expect(requests.take({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })).toBe(false);
    expect(requests.take(answer(1_000_000_000, {}))).toBe(false);
  });

  it.each([
    { name: 'a result that is no object', odd: { result: 'done' }, told: 'a result that is no object: "done"' },
    { name: 'no result at all', odd: {}, told: 'a result that is no object: nothing' },
    { name: 'an error that is only text', odd: { error: 'broken' }, told: '"broken"' },
    { name: 'an error without a code', odd: { error: { message: 'x' } }, told: '{"message":"x"}' },
  ])('fails at once, as an answer of the server, for $name', async ({ odd, told }) => {
    const { requests, sent } = open();
    const result = requests.request(call());
    expect(requests.take({ jsonrpc: '2.0', id: sent[0]?.id, ...odd })).toBe(true);
    const error: unknown = await result.catch((reason: unknown) => reason);
    expect(await kindOfFailure(error)).toBe('answered');
    expect(error).toMatchObject({ message: told });
  });

  it('tells the server of a cancellation, and passes over the answer that comes all the same', async () => {
    const { requests, sent } = open();
    const abort = new AbortController();
    const result = requests.request(call(abort.signal, { version: '1' }));
    abort.abort(new Error('enough'));
    await expect(result).rejects.toThrow('enough');
    expect(sent.map(({ method, params }) => ({ method, params }))).toEqual([
      { method: 'tools/call', params: { name: 'x', _meta: { version: '1', progressToken: 'p' } } },
      {
        method: 'notifications/cancelled',
        params: { requestId: sent[0]?.id, reason: 'Error: enough', _meta: { version: '1' } },
      },
    ]);
    expect(requests.take(answer(sent[0]?.id, {}))).toBe(true);
    await expect(requests.request(call(abort.signal))).rejects.toThrow('enough');
    expect(sent).toHaveLength(2);
  });

  it('fails with what the server answered, and with the end of the connection', async () => {
    const { requests, sent } = open();
    const refused = requests.request(call());
    requests.take({ jsonrpc: '2.0', id: sent[0]?.id ?? 0, error: { code: -32602, message: 'no', data: 1 } });
    await expect(refused).rejects.toSatisfy((error) => ProtocolError.isInstance(error) && error.code === -32602);
    const lost = requests.request(call());
    requests.end('the server exited with code 1');
    await expect(lost).rejects.toThrow('the server exited with code 1');
  });
});
