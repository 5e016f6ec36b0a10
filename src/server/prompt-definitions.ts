import type { Prompt } from '@modelcontextprotocol/server';

export const REVIEW_PROMPT = 'review_playbook';

/** The prompts of our own, as `prompts/list` gives them. */
export const promptDefinitions: readonly Prompt[] = [
  {
    name: REVIEW_PROMPT,
    title: 'Review a playbook',
    description: 'Asks whether a playbook is a duplicate or unneeded, with its nearest neighbours beside it.',
    arguments: [
      { name: 'id', description: 'Id of the playbook', required: true },
      { name: 'workspace', description: 'Absolute path of the repository that it lies in', required: false },
    ],
  },
];
