import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../scripts/demo/path.ts';
import { fakePath, until } from '../tools/harness.ts';
import { configFile, connectModern, handshake, pipe, seedFolder } from './product.ts';

const plain = { command: process.execPath, args: [fakePath('raw-upstream.mjs'), 'plain'] };
const playbooks = { 'bake.md': '---\ndescription: Bake bread. Use when somebody is hungry.\n---\nBake.\n' };

/** A configuration of its own folder, with ways in which editors write. */
function editable(content: object): { path: string; replace: (to: object | string) => void } {
  const path = configFile({}, content);
  return {
    path,
    replace: (to) => {
      const draft = `${path}.draft`;
      writeFileSync(draft, typeof to === 'string' ? to : JSON.stringify(to));
      renameSync(draft, path);
    },
  };
}

describe('an edit of the configuration file', () => {
  it('is taken over while running: servers, sources and words come and go', async () => {
    const config = editable({});
    const product = await connectModern({ args: ['--no-starter', '--config', config.path] });
    const found = async (query: string): Promise<string> => textOf(await product.call('search', { query }));
    expect(await found('bake bread')).not.toContain('bake ·');

    const source = { name: 'kitchen', path: seedFolder(playbooks) };
    config.replace({ mcpServers: { plain }, sources: [source] });
    await until(async () => (await found('bake bread')).includes('bake · playbook'));
    await until(async () => (await found('say meta')).includes('plain__say-meta'));

    config.replace({ mcpServers: {}, sources: [source], search: { synonyms: { brot: ['bread'] } } });
    await until(async () => (await found('brot')).includes('bake · playbook'));
    expect(await found('say meta')).not.toContain('plain__say-meta');
    expect(await product.call('execute', { id: 'plain__return', arguments: {} })).toMatchObject({
      isError: true,
      _meta: { 'playbook-mcp/error': 'catalog/unknown-id' },
    });
  });

  it('lets a call in flight on a removed server finish', async () => {
    const config = editable({ mcpServers: { plain } });
    const product = await connectModern({ args: ['--no-starter', '--config', config.path] });
    // Once this is answered, the next call begins long before the file is looked at.
    await product.call('execute', { id: 'plain__return', arguments: { result: { content: [] } } });
    const slow = product.call('execute', { id: 'plain__slow', arguments: { steps: 1, stepMs: 4000 } });
    config.replace({});
    await until(async () => !textOf(await product.call('search', { query: 'say meta' })).includes('plain__say-meta'));
    expect(textOf(await slow)).toBe('slow');
  });

  it.each([
    { name: 'is no JSON', broken: '{ "mcpServers": {', message: 'not JSON' },
    { name: 'is gone', broken: undefined, message: 'There is no configuration file' },
  ])('leaves the old one in use where the file $name, and says so', async ({ broken, message }) => {
    const source = { name: 'kitchen', path: seedFolder(playbooks) };
    const config = editable({ sources: [source] });
    const product = pipe({ args: ['--no-starter', '--config', config.path] });
    for (const line of handshake) product.send(line);
    const search = async (id: number, query: string): Promise<string> => {
      product.send({ id, method: 'tools/call', params: { name: 'search', arguments: { query } } });
      return textOf((await product.answer(id)).result!);
    };
    expect(await search(2, 'bake bread')).toContain('bake · playbook');
    if (broken === undefined) rmSync(config.path);
    else config.replace(broken);
    await until(() => product.stderr().includes('stays in use'));
    expect(product.stderr()).toContain(message);
    expect(await search(3, 'bake bread')).toContain('bake · playbook');

    config.replace({ sources: [] });
    let id = 3;
    await until(async () => !(await search((id += 1), 'bake bread')).includes('bake · playbook'));
    expect(await product.end()).toBe(0);
  });
});
