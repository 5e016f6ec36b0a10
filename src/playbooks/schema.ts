import * as z from 'zod';

import type { Deprecation, JsonObject, Parameter, Status } from '../model.ts';
import { parameterListSchema } from './parameter-schema.ts';
import { ALL_ARGUMENTS } from './shell-arguments.ts';
import { sentencesSchema, textSchema, wordsSchema } from './text-schema.ts';
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

const ourParameters = parameterListSchema({ isRequiredUnlessSaid: false });

/** The front matter as people write it, all foreign forms included, read from texts. Unknown keys pass. */
const frontMatterSchema = z.object({
  name: textSchema.optional(),
  tags: wordsSchema.optional(),
  // Some write text here, and it is only passed on: no fault of theirs.
  metadata: z.preprocess(
    (value) => (typeof value === 'object' && !Array.isArray(value) ? value : undefined),
    z.object({ tags: wordsSchema.optional() }).optional(),
  ),
  domain: wordsSchema.optional(),
  action: wordsSchema.optional(),
  parameters: ourParameters.optional(),
  inputs: parameterListSchema({ isRequiredUnlessSaid: true }).optional(),
  arguments: z.preprocess(argumentNames, ourParameters.optional()),
  'argument-hint': z.preprocess(hintText, textSchema.optional()),
  references: wordsSchema.optional(),
  tools: wordsSchema.optional(),
  examples: sentencesSchema.optional(),
  triggers: wordsSchema.optional(),
  owner: textSchema.optional(),
  status: z
    .preprocess(
      (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
      z.enum(['active', 'draft', 'deprecated', 'retired'], {
        error: 'expected one of active, draft, deprecated, retired',
      }),
    )
    .optional(),
  deprecated: z.preprocess(deprecationForm, deprecationSchema.optional()),
});
type FrontMatter = z.infer<typeof frontMatterSchema>;

const PASSED_ON = new Set(['metadata']);
const OUR_KEYS = new Set(['description', ...Object.keys(frontMatterSchema.shape).filter((key) => !PASSED_ON.has(key))]);

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
