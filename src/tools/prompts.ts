import * as z from 'zod';

import type { JsonObject } from '../model.ts';
import { isJsonObject } from '../model.ts';
import { PROMPT_PREFIX, type ToolDefinition } from './definitions.ts';

const text = z.string().optional().catch(undefined);
const promptSchema = z.object({
  name: z.string().min(1),
  title: text,
  description: z.string().catch(''),
  arguments: z
    .array(z.object({ name: z.string().min(1), title: text, description: text, required: z.boolean().catch(false) }))
    .catch([]),
});

/** The prompts among what a server listed, as definitions of tools that return their text; those without a usable name are left out. */
export function readPrompts(listed: readonly unknown[]): readonly ToolDefinition[] {
  const byName = new Map<string, ToolDefinition>();
  for (const item of listed) {
    const parsed = promptSchema.safeParse(item);
    if (parsed.success && !byName.has(parsed.data.name)) byName.set(parsed.data.name, toDefinition(parsed.data));
  }
  return [...byName.values()];
}

function toDefinition({
  name,
  title,
  description,
  arguments: parameters,
}: z.infer<typeof promptSchema>): ToolDefinition {
  const properties = parameters.map(({ name: key, title: label, description: about }) => [
    key,
    {
      type: 'string',
      ...(label !== undefined && { title: label }),
      ...(about !== undefined && { description: about }),
    },
  ]);
  const required = parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  return {
    name: `${PROMPT_PREFIX}${name}`,
    title,
    description: `Prompt: ${description || title || name}`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
    },
    annotations: { readOnlyHint: true },
  };
}

/** A prompt's messages as the result of a tool: their content in order, whoever speaks named where more than one does. */
export function promptToResult({ messages, description, ...rest }: JsonObject): JsonObject {
  const spoken = Array.isArray(messages) ? messages.filter(isJsonObject) : [];
  const isDialogue = new Set(spoken.map(({ role }) => role)).size > 1;
  const content = spoken.flatMap(({ role, content: block }) => [
    ...(isDialogue ? [{ type: 'text', text: `[${String(role)}]` }] : []),
    block,
  ]);
  const about = typeof description === 'string' && content.length === 0 ? [{ type: 'text', text: description }] : [];
  return { ...rest, content: [...about, ...content] };
}
