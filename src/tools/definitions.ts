import * as z from 'zod';

import { compareIds } from '../catalog/order.ts';
import type { TagRule, UpstreamConfig } from '../config/index.ts';
import { isJsonObject, type ToolAnnotations, type WrappedTool } from '../model.ts';
import { matchesAnyGlob } from './globs.ts';
import { digestOf } from './json.ts';
import { nameTools } from './naming.ts';
import { tagsOf } from './tags.ts';

/** What the names of prompts begin with among tools, so that a prompt and a tool of one name are two entries. */
export const PROMPT_PREFIX = 'prompt_';

const INSTRUCTION_LINES = 3;
const LONGEST_INSTRUCTIONS = 400;

const hint = z.boolean().optional().catch(undefined);

/** One odd field must not cost a whole server its tools, so all but the name have something to fall back on. */
const definitionSchema = z.object({
  name: z.string().min(1),
  title: z.string().optional().catch(undefined),
  description: z.string().catch(''),
  inputSchema: z.union([z.boolean(), z.record(z.string(), z.unknown())]).catch({ type: 'object' }),
  annotations: z
    .object({
      title: z.string().optional().catch(undefined),
      readOnlyHint: hint,
      destructiveHint: hint,
      idempotentHint: hint,
      openWorldHint: hint,
    })
    .catch({}),
  schemaProblem: z.string().optional().catch(undefined),
});

/** A tool as its upstream defines it, as far as we have a use for it. */
export type ToolDefinition = z.infer<typeof definitionSchema>;

/** The definitions among what a server listed, one a name (the first), in its order; those without a usable name are left out. */
export function readDefinitions(listed: readonly unknown[]): readonly ToolDefinition[] {
  const byName = new Map<string, ToolDefinition>();
  for (const item of listed) {
    const parsed = definitionSchema.safeParse(item);
    if (!parsed.success || byName.has(parsed.data.name)) continue;
    const schemaProblem = problemOfSchema(item) ?? parsed.data.schemaProblem;
    byName.set(parsed.data.name, { ...parsed.data, ...(schemaProblem !== undefined && { schemaProblem }) });
  }
  return [...byName.values()];
}

/** Why an item's schema was replaced by one that lets any object through; undefined where it was not. */
function problemOfSchema(item: unknown): string | undefined {
  const schema = isJsonObject(item) ? item['inputSchema'] : undefined;
  if (schema === undefined) return 'it has no inputSchema';
  return typeof schema === 'boolean' || isJsonObject(schema) ? undefined : 'its inputSchema is not a JSON Schema';
}

/** What one upstream has listed. */
export interface Listing {
  readonly config: UpstreamConfig;
  readonly definitions: readonly ToolDefinition[];
  /** As `readPrompts` gives them. */
  readonly prompts?: readonly ToolDefinition[];
  readonly instructions?: string;
}

/** The wrapped tools of all listings that `allow` and `deny` let through, in the order of their ids. */
export function wrapTools(listings: readonly Listing[], tagRules: readonly TagRule[]): readonly WrappedTool[] {
  const chosen = listings.flatMap(({ config, definitions, prompts = [], instructions }) =>
    [...definitions, ...prompts]
      .map((definition, index) => ({ config, definition, instructions, isPrompt: index >= definitions.length }))
      .filter(({ definition: { name } }) => matchesAnyGlob(config.allow, name) && !matchesAnyGlob(config.deny, name)),
  );
  const ids = nameTools(chosen.map(({ config, definition }) => ({ server: config.name, tool: definition.name })));
  return chosen
    .map((each, index) => wrapTool({ ...each, id: ids[index] ?? '', tagRules }))
    .toSorted((a, b) => compareIds(a.id, b.id));
}

interface WrapOptions {
  readonly id: string;
  readonly config: UpstreamConfig;
  readonly definition: ToolDefinition;
  readonly isPrompt: boolean;
  readonly instructions: string | undefined;
  readonly tagRules: readonly TagRule[];
}

function wrapTool({ id, config, definition, isPrompt, instructions, tagRules }: WrapOptions): WrappedTool {
  const { name, description, inputSchema, schemaProblem } = definition;
  const tool = isPrompt ? name.slice(PROMPT_PREFIX.length) : name;
  const server = config.name;
  const annotations = annotationsOf(definition);
  return {
    id,
    server,
    tool,
    name: definition.title ?? annotations.title ?? tool,
    description,
    tags: tagsOf({ id, server, tool, annotations, serverTags: config.tags, tagRules }),
    inputSchema,
    annotations,
    ...(isPrompt && { isPrompt }),
    ...(instructions !== undefined && { serverInstructions: firstLinesOf(instructions) }),
    digest: digestOf({ name, description, inputSchema }),
    ...(schemaProblem !== undefined && { schemaProblem }),
  };
}

/** What fits beside each schema of the server's tools: three lines, cut at a word. */
function firstLinesOf(instructions: string): string {
  const lines = instructions
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, INSTRUCTION_LINES)
    .join('\n');
  return lines.length <= LONGEST_INSTRUCTIONS
    ? lines
    : `${lines.slice(0, LONGEST_INSTRUCTIONS).replace(/\s+\S*$/, '')} …`;
}

function annotationsOf({ annotations }: ToolDefinition): ToolAnnotations {
  const { title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  return {
    ...(title !== undefined && { title }),
    ...(readOnlyHint !== undefined && { readOnlyHint }),
    ...(destructiveHint !== undefined && { destructiveHint }),
    ...(idempotentHint !== undefined && { idempotentHint }),
    ...(openWorldHint !== undefined && { openWorldHint }),
  };
}
