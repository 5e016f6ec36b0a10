import type { JsonObject, WrappedTool } from '../model.ts';
import { BUILT_IN } from './built-in.ts';
import { digestOf } from './json.ts';
import type { CallOptions, ToolProvider } from './provider.ts';

const inputSchema = {
  type: 'object',
  properties: {
    id: { type: 'string', minLength: 1, description: 'of the playbook' },
    problem: {
      type: 'string',
      minLength: 1,
      maxLength: 2_000,
      description: 'what is wrong, and what you found to be right instead; no secrets, no personal data',
    },
    step: { type: 'string', minLength: 1, maxLength: 200, description: 'the step at fault, by its number or heading' },
  },
  required: ['id', 'problem'],
  additionalProperties: false,
};

const description =
  'Say that a step of a playbook is wrong, outdated or missing, as you found while you followed it. Whoever looks after the ' +
  'playbooks sees it beside the figures of their use, until the playbook is changed.';

/** What the catalog knows of it. */
export const reportTool: WrappedTool = {
  id: 'playbooks__report',
  server: BUILT_IN,
  tool: 'report',
  name: 'A wrong or outdated step of a playbook',
  description,
  tags: [],
  inputSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  digest: digestOf({ name: 'report', description, inputSchema }),
};

/** What an agent has to say about a playbook. */
export interface GivenReport {
  /** As written. */
  readonly id: string;
  readonly problem: string;
  readonly step: string | null;
}

/** Keeps a report, and says so in words for the agent. */
type StoreReport = (report: GivenReport, options: CallOptions) => Promise<string>;

/** The built-in entry `playbooks__report`. */
export class PlaybookReports implements ToolProvider {
  readonly #store: StoreReport;

  constructor(store: StoreReport) {
    this.#store = store;
  }

  tools(): readonly WrappedTool[] {
    return [reportTool];
  }

  /** @throws PlaybookError `catalog/unknown-id`, `usage/off`, `usage/unavailable`. */
  async call(_id: string, { id, problem, step }: JsonObject, options: CallOptions): Promise<JsonObject> {
    const report = { id: String(id), problem: String(problem), step: typeof step === 'string' ? step : null };
    return { content: [{ type: 'text', text: await this.#store(report, options) }] };
  }
}
