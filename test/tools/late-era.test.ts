import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StdioUpstreamConfig } from '../../src/config/index.ts';
import { fake, fakePath, open, stdio, tempDir, until } from './harness.ts';

/** Longer than a server is waited for before it is sent the older handshake as well. */
const env = { FIRST_START_MS: '4000' };
const folder = tempDir();
const startsFile = (name: string): string => join(folder, `${name}-starts`);
const raw = (name: string, mode: string, more: Record<string, string> = {}): StdioUpstreamConfig => ({
  ...fake(mode, { env: { ...env, ...more }, startsFile: startsFile(name) }),
  name,
});
const sdk = (name: string, legacy: 'serve' | 'reject'): StdioUpstreamConfig =>
  stdio(name, [fakePath('modern-upstream.mjs'), startsFile(name)], { env: { ...env, LEGACY: legacy } });

const rows = [
  { config: raw('modern', 'modern'), era: 'modern', later: 'modern' },
  { config: raw('answers-last', 'modern', { DISCOVER_DELAY_MS: '300' }), era: 'modern', later: 'modern' },
  { config: sdk('refuses-the-older', 'reject'), era: 'modern', later: 'modern' },
  { config: sdk('speaks-both', 'serve'), era: 'legacy', later: 'modern' },
  { config: raw('old', 'plain'), era: 'legacy', later: 'legacy' },
  { config: raw('old-and-silent', 'ignores-discover'), era: 'legacy', later: 'legacy' },
];
const configs = rows.map(({ config }) => config);
const result = { content: [{ type: 'text', text: 'x' }] };

describe('servers that take longer to start than they are asked for their era', () => {
  it('are used in the era that they speak, on their one process, and asked again where that was in doubt', async () => {
    const first = open(configs);
    await first.upstreams.listMissing();
    const eras = rows.map(({ config, era }) => ({ name: config.name, state: 'ready', era }));
    expect(first.upstreams.status()).toMatchObject(eras);
    for (const { name } of configs) expect(readFileSync(startsFile(name), 'utf8').trim().split('\n')).toHaveLength(1);

    const ids = first.upstreams.tools().flatMap(({ id }) => (/__(return|echo)$/.test(id) ? [id] : []));
    expect(ids).toHaveLength(rows.length);
    for (const id of ids) expect(await first.upstreams.call(id, { text: 'x', result })).toMatchObject(result);
    await first.upstreams.close();

    const second = open(configs, { cacheDir: first.cacheDir });
    for (const id of ids) expect(await second.upstreams.call(id, { text: 'x', result })).toMatchObject(result);
    const settled = rows.map(({ config, later }) => [config.name, later]);
    await until(
      () => JSON.stringify(second.upstreams.status().map(({ name, era }) => [name, era])) === JSON.stringify(settled),
    );
  });
});
