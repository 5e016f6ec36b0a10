import { describe, expect, it } from 'vitest';
import { textOf } from '../../scripts/demo/path.ts';
import { configFile, connectModern, registryServer, seedFolder } from './product.ts';

const scripts = seedFolder({
  'hang.mjs': 'process.stdin.resume(); setInterval(() => {}, 1000);',
  'exit.mjs': 'console.error("no licence"); process.exit(3);',
});

describe('a server that cannot be used', () => {
  it('delays no other, and is named with its reason where its tools are asked for', async () => {
    const config = configFile({
      hangs: { command: process.execPath, args: [`${scripts}/hang.mjs`] },
      exits: { command: process.execPath, args: [`${scripts}/exit.mjs`] },
      memory: registryServer('server-memory'),
    });
    const { call } = await connectModern({ args: ['--no-starter', '--config', config] });
    expect((await call('execute', { id: 'memory__read_graph' })).isError).not.toBe(true);
    const exits = await call('execute', { id: 'exits__anything' });
    expect(exits).toMatchObject({ isError: true, _meta: { 'playbook-mcp/error': 'tools/unavailable' } });
    expect(textOf(exits)).toContain('The server "exits" has not listed its tools');
    const schemas = await call('get_schema', { ids: ['memory__read_graph', 'hangs__anything'] });
    expect(schemas.isError).not.toBe(true);
    expect(textOf(schemas)).toContain('# memory__read_graph');
    expect(textOf(schemas)).toContain('The server "hangs" has not listed its tools: it is still starting.');
    const found = textOf(await call('search', { query: 'read the knowledge graph' }));
    expect(found).toMatch(/^memory__read_graph/);
    expect(found).toContain('Still starting, tools not listed yet: hangs.');
    expect(found).toContain('Not available, tools unknown: exits;');
  });
});
