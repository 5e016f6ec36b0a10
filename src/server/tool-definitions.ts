import type { Tool } from '@modelcontextprotocol/server';

/**
 * The three tools, as `tools/list` gives them: constant whatever the catalog, the connection or the client.
 *
 * Plain JSON Schema documents, terse on purpose: every connected agent pays for this text in every conversation. A
 * schema library would add `$schema` and bounds (measured: 402 tokens instead of 335). `test/server/tools.golden.json`
 * pins them: a change of the surface must be meant.
 */
const workspace = { type: 'string', description: 'Absolute path of the repository you work in' };

const search: Tool = {
  name: 'search',
  title: 'Search playbooks and tools',
  description:
    'Find playbooks (how a task is done here) and tools. Search before starting a task. Without query: browse by tags.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'Keywords or the task in words' },
      tags: {
        type: 'array',
        items: { type: 'string' },
        description: 'All must match, e.g. domain:git, action:cleanup',
      },
      kind: { enum: ['playbook', 'tool'] },
      limit: { type: 'integer', minimum: 1, maximum: 25, default: 8 },
      cursor: { type: 'string' },
      workspace,
    },
  },
  annotations: { readOnlyHint: true },
};

const getSchema: Tool = {
  name: 'get_schema',
  title: 'Get schema',
  description: 'Full description, argument schema, references and risks of up to 10 found ids.',
  inputSchema: {
    type: 'object',
    properties: {
      ids: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 10 },
      workspace,
    },
    required: ['ids'],
  },
  annotations: { readOnlyHint: true },
};

const execute: Tool = {
  name: 'execute',
  title: 'Execute',
  description:
    'Playbook id: returns its instructions to follow. Tool id: runs the tool. id#heading: one section; id/file: a supporting file.',
  inputSchema: {
    type: 'object',
    properties: {
      id: { type: 'string' },
      arguments: { type: 'object', description: "By the entry's schema" },
      workspace,
      confirm: { type: 'string', description: 'Code that a refusal handed out' },
    },
    required: ['id'],
  },
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
};

export const toolDefinitions: readonly Tool[] = [search, getSchema, execute];

/** As `toolDefinitions`, with the id of `execute` also in the header `Mcp-Param-Target`, for what routes and counts requests. @see SEP-2243. */
export const toolsWithTarget: readonly Tool[] = toolDefinitions.map((tool) => {
  if (tool !== execute) return tool;
  const { inputSchema } = execute;
  const properties = { ...inputSchema.properties, id: { type: 'string', 'x-mcp-header': 'Target' } };
  return { ...execute, inputSchema: { ...inputSchema, properties } };
});

/** What an agent is told that cannot save playbooks, as over HTTP. */
export const remoteInstructions = [
  'Procedural memory of this organisation: playbooks (how a task is done here) and the tools of other servers.',
  '1. Before starting a task, call search with the task in words.',
  '2. If a hit has arguments marked *, or you are unsure of it, call get_schema.',
  '3. Call execute with its id: a playbook returns instructions to follow, a tool runs.',
  '4. Load a referenced playbook only when the step at hand needs it.',
  '5. A step that proves wrong or outdated: execute playbooks__report.',
].join('\n');

/** What an agent is told once per connection; at most 200 tokens together with the tags appended to it. */
export const baseInstructions = `${remoteInstructions}
6. To keep what you learned as a draft, execute playbooks__propose.`;
