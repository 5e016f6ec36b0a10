import { beforeAll, describe, expect, it } from 'vitest';
import { text } from '../seed.ts';
import { eras, seedFolder } from './product.ts';

const playbooks = {
  'flags/clean-up.md': text(
    'Remove a feature flag. Use when an experiment has ended.',
    'Remove {{flag}}, keep {{keep}}, dry run: {{dry}}, at most {{most}}. Then [roll back](../deploy/roll-back.md).',
    `parameters:
  - name: flag
    description: key of the flag
    required: true
  - name: keep
    enum: [treatment, control]
    default: treatment
  - name: dry
    type: boolean
  - name: most
    type: integer
  - name: playbook`,
  ),
  'deploy/roll-back.md': text('Roll a deployment back.', 'Run `ship back`.'),
  'deploy_roll-back.md': text('The same name, made safe.', 'Other.'),
  'review_playbook.md': text('Not the prompt of the product.', 'Mine.'),
  'old.md': text('Old. Use never.', 'Old steps.', 'status: deprecated\ndeprecated:\n  replacedBy: deploy/roll-back'),
  'gone.md': text('Gone.', 'Gone.', 'status: retired\ndeprecated:\n  replacedBy: deploy/roll-back'),
  'planned.md': text('Planned.', 'Planned.', 'status: draft'),
};

interface PromptClient {
  readonly listPrompts: (params?: { cursor: string }) => Promise<{
    readonly prompts: readonly {
      readonly name: string;
      readonly description?: string | undefined;
      readonly arguments?: unknown;
    }[];
    readonly nextCursor?: string | undefined;
  }>;
  readonly getPrompt: (given: {
    name: string;
    arguments?: Record<string, string>;
  }) => Promise<{ readonly messages: readonly { readonly role: string; readonly content: unknown }[] }>;
  readonly complete: (given: {
    ref: { type: 'ref/prompt'; name: string };
    argument: { name: string; value: string };
  }) => Promise<{ readonly completion: { readonly values: readonly string[]; readonly total?: number | undefined } }>;
}

describe.each(eras)('prompts, for a client of the $era era', ({ connect }) => {
  let client: PromptClient;
  let call: Awaited<ReturnType<typeof connect>>['call'];

  beforeAll(async () => {
    const own = seedFolder({ '.git/HEAD': '', '.playbooks/mine.md': text('Mine. Use when here.', 'Only here.') });
    ({ client, call } = await connect({ args: ['--no-starter', '--playbooks', seedFolder(playbooks)], cwd: own }));
  });

  const textIn = async (name: string, args?: Record<string, string>): Promise<string> => {
    const { messages } = await client.getPrompt({ name, ...(args && { arguments: args }) });
    expect(messages).toMatchObject([{ role: 'user', content: { type: 'text' } }]);
    return (messages[0]!.content as { text: string }).text;
  };

  it('are the active playbooks under safe names that differ, with their arguments', async () => {
    const { prompts, nextCursor } = await client.listPrompts();
    expect(nextCursor).toBeUndefined();
    expect(prompts.map(({ name }) => name)).toEqual([
      'deploy_roll-back',
      expect.stringMatching(/^deploy_roll-back_[0-9a-f]{8}$/),
      'flags_clean-up',
      'mine',
      expect.stringMatching(/_review_playbook$/),
      'review_playbook',
    ]);
    expect(prompts.find(({ name }) => name === 'flags_clean-up')).toEqual({
      name: 'flags_clean-up',
      description: 'Remove a feature flag. Use when an experiment has ended.',
      arguments: [
        { name: 'flag', description: 'key of the flag', required: true },
        { name: 'keep', description: 'One of treatment, control. By default treatment.', required: false },
        { name: 'dry', required: false },
        { name: 'most', required: false },
        { name: 'playbook', required: false },
      ],
    });
    expect(prompts.find(({ name }) => name === 'mine')?.description).toMatch(/^Mine\. .*\[untrusted workspace:/);
  });

  it('give what execute gives, with their texts read as the types of their parameters', async () => {
    const given = { flag: 'new-checkout', dry: 'yes', most: '3', keep: '' };
    const asked = await textIn('flags_clean-up', given);
    expect(asked).toContain('Remove new-checkout, keep treatment, dry run: true, at most 3.');
    const args = { flag: 'new-checkout', dry: true, most: 3 };
    const { content } = await call('execute', { id: 'flags/clean-up', arguments: args });
    expect(asked).toBe(content[0]?.text);
    expect(asked).toContain('deploy/roll-back');
    // A playbook's own id is understood as well.
    expect(await textIn('flags/clean-up', given)).toBe(asked);
    expect(await textIn('mine')).toContain('Origin: workspace:');
    expect(await textIn('old')).toContain('This playbook is deprecated. Use deploy/roll-back instead.');
  });

  it.each([
    { name: 'a missing argument', prompt: 'flags_clean-up', args: {}, says: /- flag: .*required/s },
    { name: 'an empty one', prompt: 'flags_clean-up', args: { flag: '' }, says: /- flag: .*required/s },
    { name: 'a wrong type', prompt: 'flags_clean-up', args: { flag: 'x', most: 'many' }, says: /- most: .*integer/s },
    { name: 'a wrong choice', prompt: 'flags_clean-up', args: { flag: 'x', keep: 'both' }, says: /treatment/ },
    { name: 'an unknown argument', prompt: 'flags_clean-up', args: { flag: 'x', flg: 'y' }, says: /- flg: / },
    {
      name: 'an unknown prompt',
      prompt: 'flags_cleanup',
      args: {},
      says: /no prompt "flags_cleanup"\. Closest: flags_clean-up/,
    },
    { name: 'a retired playbook', prompt: 'gone', args: {}, says: /retired.*Execute deploy\/roll-back instead/s },
  ])('refuse $name as wrong parameters, and say what is wrong', async ({ prompt, args, says }) => {
    await expect(client.getPrompt({ name: prompt, arguments: args })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(says),
    });
  });

  it('complete enums, truth values and ids, and nothing that is free text', async () => {
    const complete = async (name: string, argument: string, value: string): Promise<readonly string[]> =>
      (await client.complete({ ref: { type: 'ref/prompt', name }, argument: { name: argument, value } })).completion
        .values;
    expect(await complete('flags_clean-up', 'keep', '')).toEqual(['treatment', 'control']);
    expect(await complete('flags_clean-up', 'keep', 'CON')).toEqual(['control']);
    expect(await complete('flags_clean-up', 'dry', 't')).toEqual(['true']);
    expect(await complete('flags_clean-up', 'flag', 'x')).toEqual([]);
    expect(await complete('flags_clean-up', 'nothing', 'x')).toEqual([]);
    expect(await complete('flags_clean-up', 'playbook', 'roll')).toEqual(['deploy/roll-back', 'deploy_roll-back']);
    expect(await complete('review_playbook', 'id', 'flags')).toEqual(['flags/clean-up']);
    await expect(complete('nothing', 'x', '')).rejects.toMatchObject({ code: -32602 });
  });
});
