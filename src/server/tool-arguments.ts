import * as z from 'zod';
import { PlaybookError } from '../errors.ts';

/** Hits of one page, as `search` declares it. */
const MOST_HITS = 25;
const DEFAULT_HITS = 8;
const MOST_IDS = 10;

/** Agents send a lone value where a list is meant; a list of one is what they mean. */
const listOf = (item: z.ZodString): z.ZodType<string[]> =>
  z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(item));

const text = z.string();
const id = z.string().trim().min(1, 'must not be empty');

const searchArguments = z.strictObject({
  query: text.optional(),
  tags: listOf(text).optional(),
  kind: z.enum(['playbook', 'tool']).optional(),
  limit: z.coerce
    .number()
    .int()
    .transform((limit) => Math.min(Math.max(limit, 1), MOST_HITS))
    .default(DEFAULT_HITS),
  cursor: text.optional(),
  workspace: text.optional(),
});

const getSchemaArguments = z.strictObject({
  ids: listOf(id).refine((ids) => ids.length >= 1 && ids.length <= MOST_IDS, `must be 1 to ${MOST_IDS} ids`),
  workspace: text.optional(),
});

const executeArguments = z.strictObject({
  id,
  arguments: z
    .preprocess(parseJsonText, z.record(z.string(), z.unknown()).nullable())
    .transform((given) => given ?? {})
    .default({}),
  workspace: text.optional(),
  confirm: text.optional(),
});

export type SearchArguments = z.infer<typeof searchArguments>;
export type GetSchemaArguments = z.infer<typeof getSchemaArguments>;
export type ExecuteArguments = z.infer<typeof executeArguments>;

/** @throws PlaybookError `tools/invalid-arguments` naming every field at fault. */
export const parseSearchArguments = (given: unknown): SearchArguments => parse(searchArguments, given, 'search');
/** @throws PlaybookError `tools/invalid-arguments` naming every field at fault. */
export const parseGetSchemaArguments = (given: unknown): GetSchemaArguments =>
  parse(getSchemaArguments, given, 'get_schema');
/** @throws PlaybookError `tools/invalid-arguments` naming every field at fault. */
export const parseExecuteArguments = (given: unknown): ExecuteArguments => parse(executeArguments, given, 'execute');

/** Several agents send an object argument as its JSON text. */
function parseJsonText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (value.trim() === '') return {};
  try {
    return JSON.parse(value);
  } catch (error) {
    if (error instanceof SyntaxError) return value;
    throw error;
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, given: unknown, tool: string): z.infer<Schema> {
  const parsed = schema.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `- ${path.join('.') || 'arguments'}: ${message}`);
  throw new PlaybookError(
    'tools/invalid-arguments',
    `${tool} was called with wrong arguments:\n${problems.join('\n')}`,
    {
      hint: `Call ${tool} again with arguments that fit its schema.`,
    },
  );
}
