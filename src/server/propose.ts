import { fileURLToPath } from 'node:url';
import { PlaybookError } from '../errors.ts';
import type { JsonObject, WrappedTool } from '../model.ts';
import { BUILT_IN } from '../tools/built-in.ts';
import { digestOf } from '../tools/json.ts';
import type { CallOptions, ToolProvider } from '../tools/provider.ts';
import type { ProposalSetting } from './write-proposal.ts';

const words = (description: string): JsonObject => ({ type: 'array', items: { type: 'string' }, description });

const inputSchema = {
  type: 'object',
  properties: {
    id: {
      type: 'string',
      minLength: 1,
      description: 'lower-case words with hyphens, `/` between folders: deploy/roll-back',
    },
    description: {
      type: 'string',
      minLength: 1,
      maxLength: 1_024,
      description: 'what it does and when to use it, in the words that people will search for',
    },
    instructions: {
      type: 'string',
      minLength: 1,
      maxLength: 200_000,
      description:
        'markdown without front matter: the steps with their commands, the traps, how to tell that it is done; `{{name}}` where a parameter goes; link playbooks by [text](playbook://id)',
    },
    name: { type: 'string', minLength: 1, description: 'the last part of the id where absent' },
    tags: words('domain:x, action:y, free words'),
    parameters: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          type: { enum: ['string', 'number', 'integer', 'boolean', 'array'], default: 'string' },
          description: { type: 'string' },
          required: { type: 'boolean', default: false },
          default: {},
          enum: { type: 'array' },
          pattern: { type: 'string' },
        },
        required: ['name'],
        additionalProperties: false,
      },
    },
    references: words('ids of playbooks that it leads to, beside those linked in the text'),
    tools: words('ids of the tools that it uses'),
    examples: words('queries that should find it'),
  },
  required: ['id', 'description', 'instructions'],
  additionalProperties: false,
};

const description =
  'Save what you learned while solving a task as a playbook of the repository you work in, so that the next agent finds it: a draft that a ' +
  'person reviews. Refused where a playbook tells the same already; never overwrites.';

/** What the catalog knows of it. */
export const proposeTool: WrappedTool = {
  id: 'playbooks__propose',
  server: BUILT_IN,
  tool: 'propose',
  name: 'Propose a new playbook',
  description,
  tags: [],
  inputSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  digest: digestOf({ name: 'propose', description, inputSchema }),
};

/** The built-in entry `playbooks__propose`. */
export class Proposals implements ToolProvider {
  readonly #settingOf: (directory: string) => Promise<Omit<ProposalSetting, 'recent'>>;
  readonly #recent: ProposalSetting['recent'] = new Set();
  #last: Promise<unknown> = Promise.resolve();

  /** @param settingOf what a proposal from a directory is compared with, and where it may go */
  constructor(settingOf: (directory: string) => Promise<Omit<ProposalSetting, 'recent'>>) {
    this.#settingOf = settingOf;
  }

  tools(): readonly WrappedTool[] {
    return [proposeTool];
  }

  /**
   * @throws PlaybookError `workspace/unknown`, `workspace/not-allowed`, `tools/invalid-arguments`, `catalog/taken-id`,
   *   `catalog/duplicate`, `files/exists`, `files/unwritable`.
   */
  call(_id: string, args: JsonObject, { roots = [] }: CallOptions): Promise<JsonObject> {
    // One at a time: comparing takes memory.
    const answer = this.#last.then(() => this.#propose(args, roots));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #propose(args: JsonObject, [root]: readonly string[]): Promise<JsonObject> {
    if (root === undefined) {
      throw new PlaybookError(
        'workspace/unknown',
        'Nothing was written: no workspace is known to save a playbook in.',
        {
          hint: 'Pass `workspace` to execute: the absolute path of the repository that you work in.',
        },
      );
    }
    const { writeProposal } = await import('./write-proposal.ts');
    return writeProposal(args, { ...(await this.#settingOf(fileURLToPath(root))), recent: this.#recent });
  }
}
