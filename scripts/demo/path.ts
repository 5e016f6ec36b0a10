import { setTimeout as delay } from 'node:timers/promises';

/** The main job, as an agent does it through the three tools. The demo prints it; the tests assert it in both eras. */

const MOST_TRIES = 60;

export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface Step {
  /** What the agent wants, in words. */
  readonly intent: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly result: ToolResult;
}

export type CallTool = (name: string, args: Record<string, unknown>) => Promise<ToolResult>;

/** Walks the path in the repository; each step's arguments come from the answers before it. */
export async function* walkDemoPath(call: CallTool, workspace: string): AsyncGenerator<Step> {
  const step = async (intent: string, tool: string, args: Record<string, unknown>): Promise<Step> => ({
    intent,
    tool,
    arguments: args,
    result: await call(tool, { ...args, workspace }),
  });

  const found = await step('Is there a playbook for this task?', 'search', {
    query: 'the new-checkout experiment is over, remove its flag',
  });
  yield found;
  const playbook = firstId(found.result);
  yield await step('What does it need?', 'get_schema', { ids: [playbook] });
  const instructions = await step('Follow it', 'execute', { id: playbook, arguments: { flag: 'new-checkout' } });
  yield instructions;
  yield await step('Step 1 refers to another playbook: load just that one', 'execute', {
    id: firstReference(instructions.result),
  });
  let tools = await step('Which tool reads a file?', 'search', { query: 'read the text of a file', kind: 'tool' });
  // On a first run a server may not have listed its tools yet; the answer says so, and an agent asks again.
  for (let tries = 0; isStarting(tools.result) && tries < MOST_TRIES; tries += 1) {
    await delay(500);
    tools = await step(tools.intent, tools.tool, { query: 'read the text of a file', kind: 'tool' });
  }
  yield tools;
  yield await step('Read the file of the flag', 'execute', {
    id: firstId(tools.result),
    arguments: { path: `${workspace}/src/checkout.js` },
  });
}

function isStarting(result: ToolResult): boolean {
  return textOf(result).includes('Still starting');
}

/** All text of a result. */
export function textOf({ content }: ToolResult): string {
  return content.map(({ text = '' }) => text).join('\n');
}

function firstId({ _meta }: ToolResult): string {
  const [hit] = (_meta?.['playbook-mcp/hits'] ?? []) as { id: string }[];
  if (hit === undefined) throw new Error('The search found nothing.');
  return hit.id;
}

function firstReference(result: ToolResult): string {
  const [, id] = /^References .*:\n- ([^\s:]+(?::[^\s:]+)?): /m.exec(textOf(result)) ?? [];
  if (id === undefined) throw new Error('The playbook references nothing.');
  return id;
}
