import * as z from 'zod';

import { compareIds } from '../catalog/order.ts';
import type { TagRule, UpstreamConfig } from '../config/index.ts';
import type { ToolAnnotations, WrappedTool } from '../model.ts';
import { matchesAnyGlob } from './globs.ts';
import { digestOf } from './json.ts';
import { nameTools } from './naming.ts';
import { tagsOf } from './tags.ts';

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
});

/** A tool as its upstream defines it, as far as we have a use for it. */
export type ToolDefinition = z.infer<typeof definitionSchema>;

/** The definitions among what a server listed, one a name (the first), in its order; those without a usable name are left out. */
export function readDefinitions(listed: readonly unknown[]): readonly ToolDefinition[] {
  const byName = new Map<string, ToolDefinition>();
  for (const item of listed) {
    const parsed = definitionSchema.safeParse(item);
    if (parsed.success && !byName.has(parsed.data.name)) byName.set(parsed.data.name, parsed.data);
  }
  return [...byName.values()];
}

/** What one upstream has listed. */
export interface Listing {
  readonly config: UpstreamConfig;
  readonly definitions: readonly ToolDefinition[];
}

/** The wrapped tools of all listings that `allow` and `deny` let through, in the order of their ids. */
export function wrapTools(listings: readonly Listing[], tagRules: readonly TagRule[]): readonly WrappedTool[] {
  const chosen = listings.flatMap(({ config, definitions }) =>
    definitions
      .filter(({ name }) => matchesAnyGlob(config.allow, name) && !matchesAnyGlob(config.deny, name))
      .map((definition) => ({ config, definition })),
  );
  const ids = nameTools(chosen.map(({ config, definition }) => ({ server: config.name, tool: definition.name })));
  return chosen
    .map(({ config, definition }, index) => wrapTool({ id: ids[index] ?? '', config, definition, tagRules }))
    .toSorted((a, b) => compareIds(a.id, b.id));
}

interface WrapOptions {
  readonly id: string;
  readonly config: UpstreamConfig;
  readonly definition: ToolDefinition;
  readonly tagRules: readonly TagRule[];
}

function wrapTool({ id, config, definition, tagRules }: WrapOptions): WrappedTool {
  const { name: tool, description, inputSchema } = definition;
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
    digest: digestOf({ name: tool, description, inputSchema }),
  };
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
