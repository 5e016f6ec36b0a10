import * as z from 'zod';

import type { Parameter, ParameterType } from '../model.ts';
import { coerceBoolean, coerceText, isOfType } from './coerce.ts';
import { ALSO_TEXT, itemsOf, present, SCALAR_TYPES, textSchema } from './text-schema.ts';

const nameSchema = textSchema.pipe(
  z.string().regex(/^(?!__proto__$)[\p{L}_][\p{L}\p{N}_.-]*$/u, {
    error: 'expected a name of letters, digits, `_`, `-` or `.`',
  }),
);

/** Our types, and goose's `date`, `file` and `select`, which are text to us. */
const TYPES = {
  string: 'string',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
  array: 'array',
  date: 'string',
  file: 'string',
  select: 'string',
} as const satisfies Record<string, ParameterType>;

const typeSchema = z
  .enum(['string', 'number', 'integer', 'boolean', 'array', 'date', 'file', 'select'], {
    error: 'expected one of string, number, integer, boolean, array',
  })
  .transform((type): ParameterType => TYPES[type]);

const booleanSchema = z
  .string({ error: 'expected true or false' })
  .transform((text, context) => {
    const value = coerceBoolean(text);
    if (value === undefined) context.addIssue('expected true or false');
    return value ?? z.NEVER;
  })
  .meta({ type: ['boolean', 'string'] });

const patternSchema = textSchema.refine(isRegExp, { error: 'it is not a regular expression' });
const choicesSchema = itemsOf(z.string({ error: 'expected text' }).meta({ type: SCALAR_TYPES })).min(1, {
  error: 'it is empty',
});

/** One parameter in any spelling: ours, goose's (`key`, `input_type`, `requirement`, `options`), OpenHands' (`validation`). */
const formSchema = z.object({
  name: nameSchema.optional().describe('replaced in the body where it stands in double braces'),
  key: nameSchema.optional().describe('goose: `name`'),
  type: typeSchema.optional().describe('`string` where absent'),
  input_type: typeSchema.optional().describe('goose: `type`'),
  description: textSchema.optional().describe('what to give, for the agent that calls'),
  required: booleanSchema.optional().describe('false where absent'),
  requirement: z.enum(['required', 'optional', 'user_prompt']).optional().describe('goose: `required`'),
  default: z.unknown().optional().describe('used where no value is given'),
  enum: choicesSchema.optional().describe('the only values; of a list, of each of its items'),
  options: choicesSchema.optional().describe('goose: `enum`'),
  pattern: patternSchema.optional().describe('regular expression that a value must match'),
  validation: z.object({ pattern: patternSchema.optional(), enum: choicesSchema.optional() }).optional(),
});
/** The keys of one parameter that have a meaning here; those of `validation` stand below it. */
export const PARAMETER_KEYS: ReadonlySet<string> = new Set(Object.keys(formSchema.shape));
/** See `PARAMETER_KEYS`. */
export const VALIDATION_KEYS: ReadonlySet<string> = new Set(['pattern', 'enum']);
type Form = z.infer<typeof formSchema>;

interface ParameterListOptions {
  /** OpenHands' `inputs` are always asked for; ours and goose's are optional unless they say so. */
  readonly isRequiredUnlessSaid: boolean;
}

/** A list of parameters, each of which may also be just its name. Every fault is reported where it stands. */
export function parameterListSchema({ isRequiredUnlessSaid }: ParameterListOptions): z.ZodType<readonly Parameter[]> {
  const item = z
    .preprocess((value) => (typeof value === 'string' ? { name: value } : value), formSchema)
    .transform((form, context) => toParameter(isRequiredUnlessSaid, form, context))
    .meta(ALSO_TEXT);
  return itemsOf(item).superRefine(refuseRepeats).transform(present);
}

function refuseRepeats(items: readonly (Parameter | undefined)[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    if (item === undefined) continue;
    if (seen.has(item.name))
      context.addIssue({ code: 'custom', path: [index], message: `\`${item.name}\` stands twice` });
    seen.add(item.name);
  }
}

function toParameter(isRequiredUnlessSaid: boolean, form: Form, context: z.RefinementCtx): Parameter {
  const name = form.name ?? form.key;
  if (name === undefined) {
    context.addIssue({ code: 'custom', path: ['name'], message: 'it has no name' });
    return z.NEVER;
  }
  const type = form.type ?? form.input_type ?? 'string';
  const choices = choicesOf(form, type, context);
  const fallback = defaultOf(form, { type, choices }, context);
  const pattern = form.pattern ?? form.validation?.pattern;
  return {
    name,
    type,
    ...(form.description !== undefined && { description: form.description }),
    isRequired: isRequired(form) ?? (isRequiredUnlessSaid && fallback === undefined),
    ...(fallback !== undefined && { default: fallback }),
    ...(choices !== undefined && { enum: choices }),
    ...(pattern !== undefined && { pattern }),
  };
}

function isRequired({ required, requirement, default: fallback }: Form): boolean | undefined {
  if (required !== undefined || requirement === undefined) return required;
  // goose asks its user for these; an agent asks in the same way when it must give them.
  return requirement === 'required' || (requirement === 'user_prompt' && fallback === undefined);
}

/** The choices as values of the type; for a list, those of each of its items. */
function choicesOf(form: Form, type: ParameterType, context: z.RefinementCtx): readonly unknown[] | undefined {
  const [path, written] =
    form.enum !== undefined
      ? [['enum'], form.enum]
      : form.options !== undefined
        ? [['options'], form.options]
        : [['validation', 'enum'], form.validation?.enum];
  if (written === undefined) return undefined;
  const itemType = type === 'array' ? 'string' : type;
  const choices = written.map((text) => (text === undefined ? undefined : coerceText(itemType, text)));
  for (const [index, choice] of choices.entries()) {
    if (choice !== undefined && !isOfType(itemType, choice)) {
      context.addIssue({ code: 'custom', path: [...path, index], message: `it is no ${itemType}` });
    }
  }
  return present(choices);
}

interface Bounds {
  readonly type: ParameterType;
  readonly choices: readonly unknown[] | undefined;
}

function defaultOf(form: Form, { type, choices }: Bounds, context: z.RefinementCtx): unknown {
  if (form.default === undefined) return undefined;
  const value = typeof form.default === 'string' ? coerceText(type, form.default) : form.default;
  const items = Array.isArray(value) ? value : [value];
  if (!isOfType(type, value)) {
    context.addIssue({ code: 'custom', path: ['default'], message: `it is no ${type}` });
  } else if (choices !== undefined && !items.every((item) => choices.includes(item))) {
    context.addIssue({ code: 'custom', path: ['default'], message: 'it is none of the choices' });
  }
  return value;
}

function isRegExp(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').source !== '';
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
