import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../scripts/demo/path.ts';
import {
  configFile,
  type Connected,
  envelope,
  erasInFull,
  pipe,
  registryServer,
  seedFolder,
  type StartOptions,
} from './product.ts';

const ID = 'filesystem__write_file';

interface Stage {
  readonly product: Connected;
  /** Calls a tool that overwrites a file. */
  readonly write: (name: string, more?: object) => ReturnType<Connected['call']>;
  readonly isWritten: (name: string) => boolean;
}

/** The product with a server whose policy is given, over a folder of its own. */
async function stage(
  connect: (options: StartOptions) => Promise<Connected>,
  { onElicit, ...server }: Pick<StartOptions, 'onElicit'> & { readonly confirm?: string } = {},
): Promise<Stage> {
  const folder = seedFolder({ 'a.txt': 'a' });
  const config = configFile({
    filesystem: { ...registryServer('server-filesystem', folder), confirm: 'destructive', ...server },
  });
  const product = await connect({ args: ['--no-starter', '--config', config], ...(onElicit && { onElicit }) });
  return {
    product,
    write: (name, more) =>
      product.call('execute', { id: ID, arguments: { path: join(folder, name), content: 'x' }, ...more }),
    isWritten: (name) => existsSync(join(folder, name)),
  };
}

const unconfirmed = { isError: true, _meta: { 'playbook-mcp/error': 'tools/unconfirmed' } };
const codeIn = (text: string): string => /"confirm": "([^"]+)"/.exec(text)?.[1] ?? '';

describe.each(erasInFull)('confirmation, for a client of the $era era', ({ connect }) => {
  it('runs a destructive tool when the person accepts, and says what it would do', async () => {
    const asked: string[] = [];
    const { write, isWritten } = await stage(connect, {
      onElicit: (message) => {
        asked.push(message);
        return { action: 'accept', content: {} };
      },
    });
    expect((await write('b.txt')).isError).not.toBe(true);
    expect(isWritten('b.txt')).toBe(true);
    expect(asked).toEqual([expect.stringMatching(/^Run filesystem__write_file\? .*b\.txt/)]);
  });

  it.each(['decline', 'cancel'] as const)('does not run it when the person answers %s', async (action) => {
    const { write, isWritten } = await stage(connect, { onElicit: () => ({ action }) });
    const result = await write('b.txt');
    expect(result).toMatchObject({ isError: true, _meta: { 'playbook-mcp/error': 'tools/declined' } });
    expect(textOf(result)).toMatch(/was not executed: the person (declined|closed)/);
    expect(isWritten('b.txt')).toBe(false);
  });

  it('asks for a code where the client cannot ask, good once and for these arguments only', async () => {
    const { product, write, isWritten } = await stage(connect);
    const refusal = await write('b.txt');
    expect(refusal).toMatchObject(unconfirmed);
    const confirm = codeIn(textOf(refusal));
    const other = await write('c.txt', { confirm });
    expect(other).toMatchObject(unconfirmed);
    expect(textOf(other)).toContain('not one for this call');
    expect([isWritten('b.txt'), isWritten('c.txt')]).toEqual([false, false]);
    expect((await write('b.txt', { confirm })).isError).not.toBe(true);
    expect(isWritten('b.txt')).toBe(true);
    const again = await write('b.txt', { confirm });
    expect(again).toMatchObject(unconfirmed);
    expect(textOf(again)).toContain('used before');
    await product.close();
  });

  it('asks nothing for a tool that only reads, and nothing at all where the policy is never', async () => {
    const { product, write, isWritten } = await stage(connect, { confirm: 'never' });
    expect((await write('b.txt')).isError).not.toBe(true);
    expect(isWritten('b.txt')).toBe(true);
    await product.close();
    const asking = await stage(connect, { confirm: 'write' });
    const list = await asking.product.call('execute', { id: 'filesystem__list_allowed_directories' });
    expect(list.isError).not.toBe(true);
    // It says of itself that it destroys nothing.
    const made = await asking.product.call('execute', {
      id: 'filesystem__create_directory',
      arguments: { path: '/x' },
    });
    expect(made).toMatchObject(unconfirmed);
  });
});

describe('an answer to a question, on the wire of 2026-07-28', () => {
  it('counts once, and only beside the state that went out with the question', async () => {
    const folder = seedFolder({ 'a.txt': 'a' });
    const config = configFile({
      filesystem: { ...registryServer('server-filesystem', folder), confirm: 'destructive' },
    });
    const { send, answer, end } = pipe({ args: ['--no-starter', '--config', config] });
    const capabilities = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } };
    const call = (id: number, more: object = {}): ReturnType<typeof answer> => {
      const params = {
        name: 'execute',
        arguments: { id: ID, arguments: { path: join(folder, 'b.txt'), content: 'x' } },
        _meta: { ...envelope, ...capabilities },
        ...more,
      };
      send({ id, method: 'tools/call', params });
      return answer(id);
    };
    const question = { resultType: 'input_required', requestState: expect.any(String) };
    const { result: asked } = await call(1);
    expect(asked).toMatchObject(question);
    const { requestState, inputRequests = {} } = asked ?? {};
    const inputResponses = Object.fromEntries(
      Object.keys(inputRequests).map((key) => [key, { action: 'accept', content: {} }]),
    );
    expect((await call(2, { inputResponses })).result).toMatchObject(question);
    expect((await call(3, { inputResponses, requestState: `${requestState}x` })).error).toMatchObject({ code: -32602 });
    expect(existsSync(join(folder, 'b.txt'))).toBe(false);
    expect((await call(4, { inputResponses, requestState })).result).toMatchObject({ resultType: 'complete' });
    expect(existsSync(join(folder, 'b.txt'))).toBe(true);
    expect((await call(5, { inputResponses, requestState })).result).toMatchObject({ isError: true });
    await end();
  });
});
