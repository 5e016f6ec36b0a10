import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { configFile, eras, registryServer } from './product.ts';

const asking = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../tools/fakes/asking-upstream.mjs', import.meta.url))],
};
const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? '';

interface Reads {
  readResource(params: { uri: string }): Promise<unknown>;
}

describe.each(eras)('the other primitives of upstreams, for a client of the $era era', ({ connect }) => {
  let product: Awaited<ReturnType<typeof connect>>;
  let client: Reads;

  beforeAll(async () => {
    const servers = { asking, everything: registryServer('server-everything') };
    product = await connect({ args: ['--no-starter', '--config', configFile(servers)] });
    client = product.client;
  });

  it('reads what a result links to, and what it embeds', async () => {
    const { content } = (await product.call('execute', { id: 'asking__link' })) as unknown as { content: unknown[] };
    expect(content).toMatchObject([{ type: 'resource_link', uri: 'note://one' }, { type: 'resource' }]);
    for (const uri of ['note://one', 'note://two']) {
      expect(await client.readResource({ uri })).toMatchObject({
        contents: [{ uri, mimeType: 'text/plain', text: `the note ${uri}`, _meta: { kept: true } }],
      });
    }
  });

  it('reads what server-everything links to, text and binary', async () => {
    const result = await product.call('execute', { id: 'everything__get-resource-links', arguments: { count: 2 } });
    const links = (result as unknown as { content: { type: string; uri: string }[] }).content.filter(
      ({ type }) => type === 'resource_link',
    );
    expect(links).toHaveLength(2);
    for (const { uri } of links) expect(await client.readResource({ uri })).toMatchObject({ contents: [{ uri }] });
  });

  it('finds the server of a resource that no result has named', async () => {
    expect(await client.readResource({ uri: 'note://three' })).toMatchObject({ contents: [{ uri: 'note://three' }] });
  });

  it('says that a resource is not there', async () => {
    await expect(client.readResource({ uri: 'nowhere://x' })).rejects.toMatchObject({ code: -32602 });
  });

  it('shows the first lines of what a server says of itself with the schema of its tools', async () => {
    const text = textOf(await product.call('get_schema', { ids: ['asking__where'] }));
    expect(text).toContain('asking says of itself:\n  Ask politely.\n  Second line.');
  });

  it('finds prompts as tools that return their text', async () => {
    expect(textOf(await product.call('search', { query: 'reviews a change' }))).toMatch(
      /asking__prompt_review\(change\*/,
    );
    const result = await product.call('execute', { id: 'asking__prompt_review', arguments: { change: '7' } });
    expect(result).toMatchObject({
      content: [
        { type: 'text', text: '[user]' },
        { type: 'text', text: 'Review 7.' },
        { type: 'text', text: '[assistant]' },
        { type: 'text', text: 'Gladly.' },
      ],
    });
    expect(await product.call('execute', { id: 'asking__prompt_review' })).toMatchObject({ isError: true });
  });
});
