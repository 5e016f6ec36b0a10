import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../scripts/demo/path.ts';
import { connectModern, envelope, eras, handshake, pipe, seedFolder } from './product.ts';

/** Playbooks with 50 tags of a domain. */
const many = (count: number): string =>
  seedFolder(
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        `area-${i % 50}/task-${i}.md`,
        `---\ndescription: Task ${i}. Use when ${i} is due.\ntags: [domain:area-${i % 50}, action:run]\n---\nDo ${i}.\n`,
      ]),
    ),
  );

const tokensOf = (value: unknown): number => encode(JSON.stringify(value)).length;

describe('tools/list', () => {
  it('is the committed surface, within its token budget', async () => {
    const { tools } = await connectModern({ args: ['--no-starter'] });
    const listed = (await tools()) as { name: string; description: string; inputSchema: object }[];
    await expect(`${JSON.stringify(listed, undefined, 2)}\n`).toMatchFileSnapshot('tools.golden.json');
    expect(
      tokensOf(listed.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
    ).toBeLessThanOrEqual(400);
    expect(tokensOf(listed)).toBeLessThanOrEqual(500);
  });

  it('is byte-identical with 0 and with 3,000 playbooks, in both eras', { timeout: 180_000 }, async () => {
    const thousands = many(3_000);
    const answers: string[] = [];
    for (const args of [['--no-starter'], ['--no-starter', '--playbooks', thousands]]) {
      for (const opening of [handshake, []]) {
        const product = pipe({ args });
        for (const message of opening) product.send(message);
        product.send({ id: 2, method: 'tools/list', params: opening.length === 0 ? { _meta: envelope } : {} });
        const before = await product.answer(2);
        product.send({
          id: 3,
          method: 'tools/call',
          params: { name: 'search', arguments: { query: 'task' }, ...(opening.length === 0 && { _meta: envelope }) },
        });
        await product.answer(3);
        product.send({ id: 4, method: 'tools/list', params: opening.length === 0 ? { _meta: envelope } : {} });
        const after = await product.answer(4);
        answers.push(JSON.stringify(before.result?.tools), JSON.stringify(after.result?.tools));
        await product.end();
      }
    }
    expect(answers).toHaveLength(8);
    expect(new Set(answers).size).toBe(1);
  });
});

describe.each(eras)('instructions to a client of the $era era', ({ connect }) => {
  it('cost at most 200 tokens, with the tags that the last run knew', async () => {
    const env = { PLAYBOOK_MCP_HOME: seedFolder({}) };
    const args = ['--no-starter', '--playbooks', many(300)];
    const first = await connect({ args, env, isAlone: true });
    const firstInstructions = first.instructions() ?? '';
    await first.call('search', { query: 'task' });
    await first.close();
    const second = await connect({ args, env, isAlone: true });
    const instructions = second.instructions() ?? '';
    expect(firstInstructions).toContain('Before starting a task');
    expect(firstInstructions).not.toContain('Most used tags');
    expect(instructions).toContain('Most used tags: action:run, domain:area-');
    expect(tokensOf(instructions)).toBeLessThanOrEqual(200);
  });
});

describe('a call of a fourth tool', () => {
  it('is a protocol error that names the three', async () => {
    const product = pipe({ args: ['--no-starter'] });
    for (const message of handshake) product.send(message);
    product.send({ id: 2, method: 'tools/call', params: { name: 'deploy', arguments: {} } });
    expect((await product.answer(2)).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('search, get_schema, execute'),
    });
  });
});

describe('stdout', () => {
  it('carries protocol messages only, whatever goes wrong', async () => {
    const playbooks = seedFolder({
      'good.md': '---\ndescription: Good. Use when testing.\n---\nGood.',
      'broken.md': '---\ndescription: [\n---\n',
      'js.md': '---js\nconsole.log("from the front matter")\n---\n',
    });
    const noisy = seedFolder({
      'banner.mjs':
        'console.log("Welcome to the noisy server!"); console.error("and this is stderr"); process.exit(3);',
      'config.json': '{}',
    });
    const config = seedFolder({
      'config.json': JSON.stringify({
        mcpServers: {
          banner: { command: process.execPath, args: [`${noisy}/banner.mjs`] },
          missing: { command: 'no-such-program-anywhere' },
          unset: { command: 'node', env: { TOKEN: '${NO_SUCH_VARIABLE}' } },
        },
        surces: [],
      }),
    });
    const product = pipe({
      args: ['--no-starter', '--playbooks', playbooks, '--config', `${config}/config.json`],
      env: { PLAYBOOK_MCP_LOG: 'debug' },
    });
    for (const message of handshake) product.send(message);
    product.send({ id: 2, method: 'tools/list' });
    product.send({ id: 3, method: 'tools/call', params: { name: 'search', arguments: { query: 'good' } } });
    product.send({ id: 4, method: 'tools/call', params: { name: 'execute', arguments: { id: 'banner__anything' } } });
    product.send({
      id: 5,
      method: 'tools/call',
      params: { name: 'execute', arguments: { id: 'good', arguments: { x: 1 } } },
    });
    product.child.stdin.write('this is not JSON\n');
    product.send({ id: 6, method: 'no/such/method' });
    expect(textOf((await product.answer(3)).result!)).toContain('good · playbook');
    expect((await product.answer(4)).result?.isError).toBe(true);
    await Promise.all([5, 6].map((id) => product.answer(id)));
    expect(await product.end()).toBe(0);
    expect(product.lines.filter((line) => (JSON.parse(line) as { jsonrpc?: string }).jsonrpc !== '2.0')).toEqual([]);
    expect(product.stderr()).toContain('broken.md');
    expect(product.stderr()).toContain('surces');
  });

  it('answers what is in flight when stdin is closed at once, as in a shell pipe', async () => {
    const product = pipe({ args: ['--no-starter'] });
    for (const message of handshake) product.send(message);
    product.send({ id: 2, method: 'tools/call', params: { name: 'search', arguments: {} } });
    expect(await product.end()).toBe(0);
    expect(product.lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([1, 2]);
  });
});
