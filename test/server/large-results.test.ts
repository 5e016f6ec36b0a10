import { beforeAll, describe, expect, it } from 'vitest';
import { textOf } from '../../scripts/demo/path.ts';
import { fakePath } from '../tools/harness.ts';
import { configFile, type Connected, erasInFull, registryServer, seedFolder } from './product.ts';

const log = Array.from({ length: 2_000 }, (_, index) => `${index}: something happened\n`).join('');
const folder = seedFolder({ 'log.txt': log });
const servers = {
  filesystem: registryServer('server-filesystem', folder),
  raw: { command: process.execPath, args: [fakePath('raw-upstream.mjs'), 'plain'] },
};

describe.each(erasInFull)('results over the limit, for a client of the $era era', ({ connect }) => {
  let product: Connected;

  beforeAll(async () => {
    const config = configFile(servers, { limits: { resultTokens: 1_000 } });
    product = await connect({ args: ['--no-starter', '--config', config] });
  });

  it('come page by page, and whole in the end', async () => {
    let result = await product.call('execute', {
      id: 'filesystem__read_text_file',
      arguments: { path: `${folder}/log.txt` },
    });
    expect(result).not.toHaveProperty('structuredContent');
    let text = '';
    for (;;) {
      const [page, ...notes] = result.content;
      text += page?.text ?? '';
      const [, next] = /execute (\{.*\})\]$/.exec(notes.at(-1)?.text ?? '') ?? [];
      if (next === undefined) break;
      result = await product.call('execute', JSON.parse(next) as Record<string, unknown>);
      expect(result.isError).not.toBe(true);
    }
    expect(text).toBe(log);
    expect(textOf(result)).toContain('The last page');
  });

  it('pass unchanged where they are under it, and where they are no text', async () => {
    const answer = {
      content: [{ type: 'image', data: 'AAAA'.repeat(20_000), mimeType: 'image/png' }],
      structuredContent: { n: 1 },
      _meta: { 'example.com/kept': true },
    };
    const result = await product.call('execute', { id: 'raw__return', arguments: { result: answer } });
    expect(result).toMatchObject(answer);
  });

  it('are told to be gone where the handle is not known', async () => {
    const gone = await product.call('execute', { id: 'results__read', arguments: { handle: 'abc' } });
    expect(gone).toMatchObject({ isError: true, _meta: { 'playbook-mcp/error': 'tools/unknown-handle' } });
  });

  it('are read by an entry that search finds', async () => {
    const found = await product.call('search', { query: 'next page of a cut result', kind: 'tool' });
    expect(textOf(found)).toContain('results__read(handle*, cursor)');
  });
});
