import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { cacheKeyOf, DefinitionCache } from '../../src/tools/definition-cache.ts';
import { readDefinitions } from '../../src/tools/definitions.ts';
import { fake, remote, tempDir } from './harness.ts';

const entry = {
  definitions: readDefinitions([{ name: 'a', inputSchema: true }]),
  era: 'legacy' as const,
  eraFoundAt: 5,
};

function open(directory = join(tempDir(), 'cache')): {
  cache: DefinitionCache;
  directory: string;
  log: readonly string[];
} {
  const log: string[] = [];
  return { cache: new DefinitionCache(directory, (level, message) => log.push(`${level} ${message}`)), directory, log };
}

describe('DefinitionCache', () => {
  it('gives back what was written, to another process too, and leaves no draft behind', async () => {
    const { cache, directory } = open();
    expect(cache.read('k')).toBeUndefined();
    await cache.write('k', 'server', entry);
    expect(open(directory).cache.read('k')).toEqual(entry);
    expect(readdirSync(directory)).toEqual(['k.json']);
  });

  it.each([
    { name: 'half a file', text: '{"format":1,' },
    {
      name: 'another format',
      text: JSON.stringify({ format: 0, server: 's', era: 'legacy', eraFoundAt: 1, tools: [] }),
    },
    {
      name: 'an unknown era',
      text: JSON.stringify({ format: 1, server: 's', era: 'bronze', eraFoundAt: 1, tools: [] }),
    },
    { name: 'other JSON', text: '[]' },
  ])('knows nothing where the file is $name', ({ text }) => {
    const { cache, directory } = open();
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'k.json'), text);
    expect(cache.read('k')).toBeUndefined();
  });

  it('removes files that nobody renewed', async () => {
    const { cache, directory } = open();
    mkdirSync(directory, { recursive: true });
    for (const [name, ageDays] of [
      ['old.json', 91],
      ['young.json', 80],
    ] as const) {
      writeFileSync(join(directory, name), '{}');
      const then = Date.now() / 1000 - ageDays * 24 * 60 * 60;
      utimesSync(join(directory, name), then, then);
    }
    await cache.write('k', 'server', entry);
    expect(readdirSync(directory).toSorted()).toEqual(['k.json', 'young.json']);
  });

  it('warns and goes on where nothing can be written', async () => {
    const file = join(tempDir(), 'file');
    writeFileSync(file, '');
    const { cache, log } = open(join(file, 'below'));
    await cache.write('k', 'server', entry);
    expect(log[0]).toMatch(/^warn cannot cache/);
  });
});

describe('cacheKeyOf', () => {
  const key = cacheKeyOf(fake('plain'), {});

  it.each([
    { name: 'its command', config: fake('plain', { command: 'other' }), capabilities: {} },
    { name: 'its arguments', config: fake('plain', { args: [] }), capabilities: {} },
    { name: 'its environment', config: fake('plain', { env: { TOKEN: 'x' } }), capabilities: {} },
    { name: 'our capabilities', config: fake('plain'), capabilities: { elicitation: {} } },
    { name: 'its transport', config: remote('plain', 'http://localhost/'), capabilities: {} },
  ])('is another for another $name', ({ config, capabilities }) => {
    expect(cacheKeyOf(config, capabilities)).not.toBe(key);
  });

  it('is the same whatever becomes of the tools afterwards', () => {
    const config = fake('plain', { allow: ['a'], deny: ['b'], tags: ['c'], timeoutMs: 1, disabled: true });
    expect(cacheKeyOf(config, {})).toBe(key);
  });

  it('is another for other headers', () => {
    const url = 'http://localhost/';
    expect(cacheKeyOf(remote('w', url), {})).not.toBe(cacheKeyOf(remote('w', url, { headers: { a: 'b' } }), {}));
  });
});
