import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { textOf } from '../../scripts/demo/path.ts';
import { configFile, connectModern } from './product.ts';

const fake = (mode: string, env: Record<string, string> = {}) => ({
  command: process.execPath,
  args: [fileURLToPath(new URL('../tools/fakes/raw-upstream.mjs', import.meta.url)), mode],
  env,
});
/** What was reported of real servers: the first start downloads them. */
const late = { START_DELAY_MS: '30000' };

it(
  'a server that answers after 30 s is found and executed without a restart, in either era, and delays no other',
  { timeout: 120_000 },
  async () => {
    const servers = { old: fake('plain', late), modern: fake('modern', late), quick: fake('plain') };
    const { call } = await connectModern({ args: ['--no-starter', '--config', configFile(servers)] });
    const order: string[] = [];
    const execute = async (server: string): Promise<string> => {
      const given = { result: { content: [{ type: 'text', text: `from ${server}` }] } };
      const text = textOf(await call('execute', { id: `${server}__return`, arguments: given }));
      order.push(server);
      return text;
    };
    const waiting = [execute('old'), execute('modern')];
    expect(await execute('quick')).toBe('from quick');
    expect(textOf(await call('search', { query: 'return' }))).toContain('tools not listed yet: old, modern');
    expect(await Promise.all(waiting)).toEqual(['from old', 'from modern']);
    expect(order[0]).toBe('quick');
    const found = textOf(await call('search', { query: 'return', limit: 25 }));
    expect(found).toContain('old__return');
    expect(found).toContain('modern__return');
  },
);
