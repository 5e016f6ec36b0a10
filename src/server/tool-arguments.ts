import * as z from 'zod';
import { nearestWord } from '../config/nearest.ts';
import { PlaybookError } from '../errors.ts';
import { isJsonObject } from '../model.ts';

/** Hits of one page, as `search` declares it. */
const MOST_HITS = 25;
const DEFAULT_HITS = 8;
const MOST_IDS = 10;
/** In characters: what is longer is no id, and would be echoed back. */
const LONGEST_ID = 512;
const LONGEST_TAG = 200;

/** Agents send a lone value, or its JSON text, where a list is meant. */
function listForm(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const parsed = value.trim().startsWith('[') ? parseJsonText(value) : value;
  return Array.isArray(parsed) ? parsed : [value];
}

/** Digits are a number, and an empty text is how some leave a number out. */
function numberForm(value: unknown): unknown {
  if (value === '') return undefined;
  return typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
}

const text = z.string();
const id = text.trim().min(1, 'must not be empty').max(LONGEST_ID, `must have at most ${LONGEST_ID} characters`);
const tag = text.max(LONGEST_TAG, `must have at most ${LONGEST_TAG} characters`);

const searchArguments = z.strictObject({
  query: text.optional(),
  tags: z.preprocess(listForm, z.array(tag).optional()),
  kind: z.enum(['playbook', 'tool'], 'must be playbook or tool').optional(),
  limit: z
    .preprocess(numberForm, z.int('must be a whole number').default(DEFAULT_HITS))
    .transform((limit) => Math.min(Math.max(limit, 1), MOST_HITS)),
  cursor: text.optional(),
  workspace: text.optional(),
});

const getSchemaArguments = z.strictObject({
  ids: z.preprocess(listForm, z.array(id).min(1, 'must not be empty').max(MOST_IDS, `must be at most ${MOST_IDS} ids`)),
  workspace: text.optional(),
});

const executeArguments = z.strictObject({
  id,
  arguments: z.preprocess(parseJsonText, z.record(z.string(), z.unknown()).default({})),
  workspace: text.optional(),
  confirm: text.optional(),
});

export type SearchArguments = z.infer<typeof searchArguments>;
export type GetSchemaArguments = z.infer<typeof getSchemaArguments>;
export type ExecuteArguments = z.infer<typeof executeArguments>;

/** @throws PlaybookError `tools/invalid-arguments` naming every field at fault. */
export const parseSearchArguments = (given: unknown): SearchArguments =>
  plainSearchArguments(given) ?? parse(searchArguments, given, 'search');
/** @throws PlaybookError `tools/invalid-arguments` naming every field at fault. */
export const parseGetSchemaArguments = (given: unknown): GetSchemaArguments =>
  parse(getSchemaArguments, given, 'get_schema');
/** @throws PlaybookError `tools/invalid-arguments` naming every field at fault. */
export const parseExecuteArguments = (given: unknown): ExecuteArguments =>
  plainExecuteArguments(given) ?? parse(executeArguments, given, 'execute');

/** A query alone, which most agents give; undefined for any other arguments. */
function plainSearchArguments(given: unknown): SearchArguments | undefined {
  if (!isJsonObject(given) || typeof given['query'] !== 'string' || Object.keys(given).length > 1) return undefined;
  return { query: given['query'], limit: DEFAULT_HITS };
}

/** Arguments as nearly every agent gives them, which the schema would let through as they are; undefined for any others. */
function plainExecuteArguments(given: unknown): ExecuteArguments | undefined {
  if (!isJsonObject(given)) return undefined;
  const { id: called, arguments: args, ...others } = given;
  if (Object.keys(others).length > 0 || !isJsonObject(args)) return undefined;
  const isId = typeof called === 'string' && called.length <= LONGEST_ID && /^\S+$/.test(called);
  return isId ? { id: called, arguments: args } : undefined;
}

/** Several agents send an object argument as its JSON text; a text that is none stays one, to be named as wrong. */
function parseJsonText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (value.trim() === '') return undefined;
  try {
    return JSON.parse(value);
  } catch (error) {
    if (error instanceof SyntaxError) return value;
    throw error;
  }
}

function parse<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  given: unknown,
  tool: string,
): z.infer<z.ZodObject<Shape>> {
  const parsed = schema.safeParse(withoutNulls(given ?? {}), { reportInput: true });
  if (parsed.success) return parsed.data;
  const known = Object.keys(schema.shape);
  const problems = parsed.error.issues.flatMap((issue) => describe(issue, known)).map((line) => `- ${line}`);
  throw new PlaybookError(
    'tools/invalid-arguments',
    `${tool} was called with wrong arguments:\n${problems.join('\n')}`,
    {
      hint: `It takes ${known.join(', ')}.`,
    },
  );
}

/** To many agents `null` is how to leave an argument out. */
function withoutNulls(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

function describe(issue: z.core.$ZodIssue, known: readonly string[]): readonly string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const nearest = nearestWord(key, known);
      return `${key}: there is no such argument${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
    });
  }
  const field = issue.path.join('.') || 'arguments';
  if (issue.code !== 'invalid_type') return [`${field}: ${issue.message}`];
  return [
    issue.input === undefined
      ? `${field}: is required`
      : `${field}: must be ${WORDS[issue.expected] ?? issue.expected}`,
  ];
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  array: 'a list of texts',
  record: 'an object',
  object: 'an object',
  int: 'a whole number',
  number: 'a whole number',
};
