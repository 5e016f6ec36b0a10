import { expect, it } from 'vitest';
import type { WrappedTool } from '../../src/model.ts';
import { mergeTools } from '../../src/server/merge-tools.ts';
import type { ToolProvider } from '../../src/tools/provider.ts';

const provider = (server: string, ...ids: readonly string[]): ToolProvider => ({
  tools: () =>
    ids.map((id): WrappedTool => ({
      id,
      server,
      tool: id,
      name: id,
      description: '',
      tags: [],
      inputSchema: true,
      annotations: {},
      digest: '',
    })),
  call: async () => ({ content: [] }),
});

it('gives an id to the first provider that has it, and names the tool that is off', () => {
  const [ours, theirs] = [provider('code', 'code__search'), provider('upstream', 'code__search', 'code__list')];
  const { tools, providerById, diagnostics } = mergeTools([ours, theirs], '/config.json');
  expect(tools.map(({ id, server }) => `${id} ${server}`)).toEqual(['code__search code', 'code__list upstream']);
  expect([providerById.get('code__search'), providerById.get('code__list')]).toEqual([ours, theirs]);
  expect(diagnostics).toMatchObject([{ rule: 'tool-id-taken', path: '/config.json' }]);
});
