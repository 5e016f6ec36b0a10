import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../scripts/demo/path.ts';
import { twentyUpstreams } from '../../scripts/twenty-upstreams.ts';
import { configFile, connectModern, seedFolder } from './product.ts';

const bin = fileURLToPath(new URL('../../dist/bin/playbook-mcp.js', import.meta.url));

/** Longer than what `doctor` calls slow; 30 s are the same, only later. */
const delayMs = 6000;

describe('twenty upstreams, five of them sick', () => {
  it(
    'has every tool of the healthy ones found and executed while one hangs and one is slow',
    { timeout: 120_000 },
    async () => {
      const servers = twentyUpstreams({ delayMs });
      const product = await connectModern({ args: ['--no-starter', '--config', configFile(servers)] });
      expect((await product.tools()).map(({ name }) => name)).toEqual(['search', 'get_schema', 'execute']);
      const usable = Object.keys(servers).filter((name) => name !== 'hangs' && name !== 'exits');
      const tools = ['return', 'progress', 'slow', 'fail', 'crash', 'say-meta', 'grow'];
      const wanted = usable.flatMap((name) =>
        [...tools, ...(name === 'bad-schema' ? ['odd'] : [])].map((tool) => `${name}__${tool}`),
      );

      let found: readonly string[] = [];
      while (found.length < wanted.length) found = await everyTool(product.call);
      expect([...found].sort()).toEqual([...wanted].sort());

      const executed = await Promise.all(
        usable.map((name) => {
          const text = `from ${name}`;
          const given = { result: { content: [{ type: 'text', text }] } };
          return product.call('execute', { id: `${name}__return`, arguments: given });
        }),
      );
      expect(executed.map(textOf)).toEqual(usable.map((name) => `from ${name}`));
      expect(textOf(await product.call('execute', { id: 'bad-schema__odd', arguments: { any: 1 } }))).toBe('odd');
    },
  );

  it('has each sick one named by doctor, with the reason', { timeout: 120_000 }, () => {
    const args = [
      '--no-starter',
      '--config',
      configFile(twentyUpstreams({ delayMs })),
      'doctor',
      '--timeout',
      '15',
      '--json',
    ];
    const env = { ...process.env, PLAYBOOK_MCP_HOME: seedFolder({}) };
    const { status, stdout } = spawnSync(process.execPath, [bin, ...args], {
      env,
      encoding: 'utf8',
      cwd: seedFolder({}),
    });
    expect(status).toBe(5);
    const report = JSON.parse(stdout);
    const named = new Map(report.upstreams.map((each: { name: string }) => [each.name, each]));
    expect(named.get('hangs')).toMatchObject({ state: 'failed', reason: 'it did not answer within 15 s' });
    expect(named.get('exits')).toMatchObject({ state: 'failed', reason: expect.stringContaining('TOKEN is not set') });
    // On a busy machine a start may be slow besides.
    const noted = (what: string) => ({
      state: 'ready',
      notes: expect.arrayContaining([expect.stringContaining(what)]),
    });
    expect(named.get('banner')).toMatchObject(noted('Welcome'));
    expect(named.get('slow')).toMatchObject(noted('its start took'));
    expect(report.tools).toMatchObject([{ id: 'bad-schema__odd', kind: 'bad-schema', server: 'bad-schema' }]);
    const well = report.upstreams.filter(({ name }: { name: string }) => name.startsWith('well-'));
    expect(well.map(({ state }: { state: string }) => state)).toEqual(Array.from({ length: 15 }, () => 'ready'));
  });
});

/** The ids of all tools, page after page. */
async function everyTool(call: Awaited<ReturnType<typeof connectModern>>['call']): Promise<readonly string[]> {
  // The catalog grows while it is paged through.
  const ids = new Set<string>();
  let cursor: string | undefined;
  do {
    const answer = textOf(
      await call('search', { kind: 'tool', limit: 25, ...(cursor === undefined ? {} : { cursor }) }),
    );
    for (const [, id] of answer.matchAll(/^([\w-]+__[\w-]+)/gm)) ids.add(id!);
    cursor = /cursor "([^"]+)"/.exec(answer)?.[1];
  } while (cursor !== undefined);
  return [...ids];
}
