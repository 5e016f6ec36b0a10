import * as z from 'zod';

import type { Deprecation, JsonObject, Parameter, Status } from '../model.ts';
import { parameterListSchema } from './parameter-schema.ts';
import { ALL_ARGUMENTS } from './shell-arguments.ts';
import { ALSO_TEXT, SCALAR_TYPES, sentencesSchema, textSchema, wordsSchema } from './text-schema.ts';
import { existingPart, without } from './tree-paths.ts';
import type { FieldPath } from './tree-paths.ts';

/** What the front matter says beside its description, every spelling turned into ours. */
export interface Fields {
  readonly name?: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly hasShellStyleArguments: boolean;
  readonly references: readonly string[];
  readonly tools: readonly string[];
  readonly examples: readonly string[];
  readonly notExamples: readonly string[];
  readonly owner?: string;
  readonly status: Status;
  readonly deprecation?: Deprecation;
}

/** A value that has the wrong form and is left out. */
export interface FieldIssue {
  readonly path: FieldPath;
  readonly message: string;
}

const deprecationSchema = z.object({
  since: textSchema.optional(),
  reason: textSchema.optional(),
  replacedBy: textSchema.optional(),
});

/** The keys of `deprecated` that have a meaning here. */
export const DEPRECATION_KEYS: ReadonlySet<string> = new Set(Object.keys(deprecationSchema.shape));

/** `deprecated: true` and `deprecated: <reason>` are read too. */
function deprecationForm(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (/^(?:false|no|off)$/i.test(value)) return undefined;
  return /^(?:true|yes|on)$/i.test(value) ? {} : { reason: value };
}

/** Claude Code's `arguments`: names with blanks between them, or a list. */
function argumentNames(value: unknown): unknown {
  return typeof value === 'string' ? value.split(/[\s,]+/).filter((name) => name !== '') : value;
}

/** `argument-hint: [issue]` without quotes is a list to YAML and a text to its author. */
function hintText(value: unknown): unknown {
  return Array.isArray(value) ? `[${value.join(', ')}]` : value;
}

/** See `hintText`. */
const ALSO_LIST = { type: [...SCALAR_TYPES, 'array'] };

const ourParameters = parameterListSchema({ isRequiredUnlessSaid: false });

/** The front matter as people write it, all foreign forms included, read from texts. Unknown keys pass. */
const frontMatterSchema = z.object({
  name: textSchema.optional().describe('a label; the last part of the id where absent'),
  tags: wordsSchema.optional().describe('free words, `domain:x` or `action:y`'),
  // Some write text here, and it is only passed on: no fault of theirs.
  metadata: z.preprocess(
    (value) => (typeof value === 'object' && !Array.isArray(value) ? value : undefined),
    z.object({ tags: wordsSchema.optional() }).meta(ALSO_TEXT).optional().describe('passed on; its `tags` are read'),
  ),
  domain: wordsSchema.optional().describe('the same as a tag `domain:x`'),
  action: wordsSchema.optional().describe('the same as a tag `action:x`'),
  parameters: ourParameters.optional().describe('what the caller gives; an item may be just a name'),
  inputs: parameterListSchema({ isRequiredUnlessSaid: true }).optional().describe('OpenHands: required parameters'),
  arguments: z
    .preprocess(argumentNames, ourParameters.meta(ALSO_TEXT).optional())
    .describe('Claude Code: parameters; `$ARGUMENTS`, `$1` and `$name` are replaced in the body'),
  'argument-hint': z
    .preprocess(hintText, textSchema.meta(ALSO_LIST).optional())
    .describe('Claude Code: describes `$ARGUMENTS`'),
  references: wordsSchema.optional().describe('ids of playbooks that this one leads to, beside the links in its body'),
  tools: wordsSchema.optional().describe('ids of the tools that it uses, `server__tool`'),
  examples: sentencesSchema.optional().describe('queries that should find it'),
  triggers: wordsSchema.optional().describe('OpenHands: more `examples`'),
  'not-examples': sentencesSchema.optional().describe('queries that should not find it among the first'),
  notExamples: sentencesSchema.optional().describe('the same as `not-examples`'),
  'counter-examples': sentencesSchema.optional().describe('the same as `not-examples`'),
  owner: textSchema.optional().describe('who answers for it'),
  status: z
    .preprocess(
      (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
      z.enum(['active', 'draft', 'deprecated', 'retired'], {
        error: 'expected one of active, draft, deprecated, retired',
      }),
    )
    .optional()
    .describe('`active` where absent'),
  deprecated: z
    .preprocess(deprecationForm, deprecationSchema.meta(ALSO_TEXT).optional())
    .describe('why it should not be used any more, and what replaces it'),
});
type FrontMatter = z.infer<typeof frontMatterSchema>;

const PASSED_ON = new Set(['metadata']);
/** The keys of front matter that have a meaning here. */
export const OUR_KEYS: ReadonlySet<string> = new Set([
  'description',
  ...Object.keys(frontMatterSchema.shape).filter((key) => !PASSED_ON.has(key)),
]);

/** The longest description of the Agent Skills format, in characters. @see https://agentskills.io/specification */
export const MAX_DESCRIPTION_CHARACTERS = 1_024;

/**
 * The JSON Schema (draft 7, which is what editors read) of front matter, made from the schema that reads it; published with the
 * package. Unknown keys are allowed, as they are when a playbook is read.
 */
export function playbookJsonSchema(): JsonObject {
  const whole = frontMatterSchema.extend({
    description: z
      .string()
      .min(1)
      .max(MAX_DESCRIPTION_CHARACTERS)
      .describe('what it does and when to use it: the words that it is found by'),
  });
  return z.toJSONSchema(whole, { io: 'input', target: 'draft-7', override: ({ jsonSchema }) => alsoText(jsonSchema) });
}

/** Where a form is marked with `ALSO_TEXT`, one text is allowed beside it. */
function alsoText(jsonSchema: Record<string, unknown>): void {
  if (jsonSchema.alsoText !== true) return;
  const { alsoText: _mark, description, ...form } = jsonSchema;
  for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
  Object.assign(jsonSchema, description === undefined ? {} : { description }, {
    anyOf: [{ type: SCALAR_TYPES }, form],
  });
}

/** The fields that have no meaning here or are only passed on. */
export function extraFields(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !OUR_KEYS.has(key)));
}

/** Passes in which single values are taken out; after them whole fields are, so that hostile text cannot buy many. */
const FINE_PASSES = 8;

/**
 * Reads the front matter, given as texts. What has the wrong form is taken out by itself and named, and the rest is read
 * again without it: a bad tag costs a tag.
 */
export function readFields(frontMatter: JsonObject): {
  readonly fields: Fields;
  readonly issues: readonly FieldIssue[];
} {
  const issues: FieldIssue[] = [];
  let candidate: unknown = frontMatter;
  for (let pass = 1; ; pass += 1) {
    const result = frontMatterSchema.safeParse(candidate);
    if (result.success) return { fields: toFields(result.data), issues };
    const faults = result.error.issues.map(({ path, message }) => ({
      path: existingPart(candidate, pass <= FINE_PASSES ? path : path.slice(0, 1)),
      message,
    }));
    issues.push(...faults);
    candidate = without(
      candidate,
      faults.map(({ path }) => path),
    );
  }
}

function toFields(read: FrontMatter): Fields {
  const hint = read['argument-hint'];
  const hasShellStyleArguments = read.arguments !== undefined || hint !== undefined;
  const declared = [...(read.parameters ?? []), ...(read.inputs ?? []), ...(read.arguments ?? [])];
  const { name, owner, deprecated } = read;
  return {
    ...(name !== undefined && { name: name.replace(/\s+/g, ' ') }),
    tags: tagsOf(read),
    parameters: hasShellStyleArguments && declared.length === 0 ? [allArguments(hint)] : uniqueByName(declared),
    hasShellStyleArguments,
    references: unique(read.references ?? []),
    tools: unique(read.tools ?? []),
    examples: unique([...(read.examples ?? []), ...(read.triggers ?? [])]),
    notExamples: unique([
      ...(read['not-examples'] ?? []),
      ...(read.notExamples ?? []),
      ...(read['counter-examples'] ?? []),
    ]),
    ...(owner !== undefined && { owner }),
    status: read.status ?? (deprecated === undefined ? 'active' : 'deprecated'),
    ...(deprecated !== undefined && { deprecation: toDeprecation(deprecated) }),
  };
}

function allArguments(hint: string | undefined): Parameter {
  return { name: ALL_ARGUMENTS, type: 'string', ...(hint !== undefined && { description: hint }), isRequired: false };
}

function toDeprecation({ since, reason, replacedBy }: z.infer<typeof deprecationSchema>): Deprecation {
  return {
    ...(since !== undefined && { since }),
    ...(reason !== undefined && { reason }),
    ...(replacedBy !== undefined && { replacedBy }),
  };
}

function tagsOf(read: FrontMatter): readonly string[] {
  const prefixed = (prefix: string, words: readonly string[] = []): readonly string[] =>
    words.map((word) => (word.startsWith(prefix) ? word : prefix + word));
  return unique([
    ...(read.tags ?? []),
    ...(read.metadata?.tags ?? []),
    ...prefixed('domain:', read.domain),
    ...prefixed('action:', read.action),
  ]);
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

function uniqueByName(parameters: readonly Parameter[]): readonly Parameter[] {
  // Reversed, so that the first of a name is the one that stays.
  const byName = new Map(parameters.toReversed().map((parameter) => [parameter.name, parameter]));
  return [...byName.values()].toReversed();
}
