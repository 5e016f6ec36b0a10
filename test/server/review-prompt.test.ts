import { describe, expect, it } from 'vitest';
import { text } from '../seed.ts';
import { erasInFull, seedFolder } from './product.ts';

const playbooks = {
  'rollback.md': text(
    'Roll back a release. Use when a deploy broke.',
    'Run `ship back` and wait until each node is green.',
  ),
  'other.md': text(
    'Roll back a release of the shop. Use when it broke.',
    'Run `ship back` and wait until each node is red.',
  ),
};

interface PromptClient {
  readonly listPrompts: () => Promise<{ readonly prompts: readonly { readonly name: string }[] }>;
  readonly getPrompt: (given: {
    name: string;
    arguments: Record<string, string>;
  }) => Promise<{ readonly messages: readonly { readonly content: unknown }[] }>;
}

describe.each(erasInFull)('the prompt review_playbook, for a client of the $era era', ({ connect }) => {
  it('is listed, and asks about a playbook of the catalog or the workspace with its neighbours', async () => {
    const own = seedFolder({ '.playbooks/mine.md': text('Mine. Use when here.', 'Only here.') });
    const { client } = await connect({ args: ['--no-starter', '--playbooks', seedFolder(playbooks)], cwd: own });
    const prompts: PromptClient = client;
    expect((await prompts.listPrompts()).prompts.map(({ name }) => name)).toContain('review_playbook');
    const ask = async (id: string): Promise<string> =>
      JSON.stringify((await prompts.getPrompt({ name: 'review_playbook', arguments: { id } })).messages);
    const asked = await ask('rollback');
    expect(asked).toContain('| description: Roll back a release. Use when a deploy broke.');
    expect(asked).toMatch(/### \\"other\\": .*overlap \d+ %/);
    expect(await ask('mine')).toContain('| Only here.');
    await expect(ask('rolback')).rejects.toThrow(/There is no entry "rolback"\. Closest: rollback/);
    await expect(ask('playbooks__propose')).rejects.toThrow(/is a tool/);
  });
});
