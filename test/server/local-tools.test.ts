import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { textOf, type ToolResult } from '../../scripts/demo/path.ts';
import { type Connected, configFile, erasInFull } from './product.ts';

const root = mkdtempSync(join(tmpdir(), 'playbook-mcp-roots-'));
const repository = join(root, 'shop');
mkdirSync(repository);
execFileSync('git', ['init', '-q'], { cwd: repository });
writeFileSync(join(repository, 'pay.ts'), "if (isEnabled('new-checkout')) pay();\n");

const config = configFile(
  {},
  {
    code: { roots: [root] },
    commands: {
      'say-it': {
        description: 'Repeat a sentence in capitals, for the test',
        command: [process.execPath, '-e', 'console.log(process.argv[1].toUpperCase())', '--', '{sentence}'],
        parameters: [{ name: 'sentence', required: true, pattern: '^[a-z -]+$' }],
        readOnly: true,
      },
      sleep: {
        description: 'Wait for long',
        command: [process.execPath, '-e', 'setTimeout(() => {}, 1e6)'],
        timeoutMs: 500,
      },
    },
  },
);

describe.each(erasInFull)('a client of the $era era', ({ connect }) => {
  let product: Connected;
  beforeAll(async () => {
    product = await connect({ args: ['--no-starter', '--config', config] });
  });
  const execute = async (id: string, args: Record<string, unknown> = {}): Promise<ToolResult> =>
    product.call('execute', { id, arguments: args });

  it('finds a command, reads its schema and runs it', async () => {
    const found = textOf(await product.call('search', { query: 'repeat a sentence in capitals' }));
    expect(found).toMatch(/^say-it\(sentence\*\) · tool · Repeat a sentence/);
    expect(textOf(await product.call('get_schema', { ids: ['say-it'] }))).toContain('Annotations: read-only');
    expect(textOf(await execute('say-it', { sentence: '-n hello there' }))).toBe('-N HELLO THERE\n');
  });

  it('is told what is wrong with a call of a command, before and after it runs', async () => {
    const wrong = await execute('say-it', { sentence: 'NO' });
    expect([wrong.isError, textOf(wrong)]).toEqual([true, expect.stringContaining('sentence')]);
    const late = await execute('sleep');
    expect([late.isError, textOf(late)]).toEqual([true, expect.stringContaining('did not end within 0.5 s')]);
  });

  it('searches and reads the code of the repositories', async () => {
    const found = textOf(await product.call('search', { query: 'search source code of all repositories' }));
    expect(found).toMatch(/^code__search\(query\*/m);
    expect(textOf(await execute('code__search', { query: 'new-checkout' }))).toContain(
      '# shop\npay.ts\n  1: if (isEnabled(',
    );
    expect(textOf(await execute('code__read', { repository: 'shop', path: 'pay.ts' }))).toContain(
      "1\tif (isEnabled('new-checkout'))",
    );
    const outside = await execute('code__read', { repository: 'shop', path: '../x' });
    expect([outside.isError, textOf(outside)]).toEqual([true, expect.stringContaining('outside of the repository')]);
  });
});
