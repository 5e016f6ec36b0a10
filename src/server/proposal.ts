import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { PlaybookError } from '../errors.ts';
import { checkNewId, isAdvisedId } from '../files/playbook-id.ts';
import type { JsonObject, Parameter } from '../model.ts';
import { composeFrontMatter, type NewFields } from '../playbooks/compose.ts';
import { splitFrontMatter } from '../playbooks/fence.ts';
import type { ParseOutcome } from '../playbooks/parse.ts';

const words = z.array(z.string()).default([]);

/** The arguments of `playbooks__propose`, which fit its JSON Schema already. */
const proposalSchema = z.object({
  id: z.string(),
  description: z.string(),
  instructions: z.string(),
  name: z.string().optional(),
  tags: words,
  parameters: z
    .array(
      z.object({
        name: z.string(),
        type: z.enum(['string', 'number', 'integer', 'boolean', 'array']).default('string'),
        description: z.string().optional(),
        required: z.boolean().default(false),
        default: z.unknown().optional(),
        enum: z.array(z.unknown()).optional(),
        pattern: z.string().optional(),
      }),
    )
    .default([]),
  references: words,
  tools: words,
  examples: words,
});

/** A proposal as it would be written. */
export interface Proposal {
  /** Undefined where it cannot be an id; `problems` says why. */
  readonly id: string | undefined;
  readonly fields: NewFields;
  /** Line ends as `\n`, no blank lines around it. */
  readonly body: string;
  /** The whole file. */
  readonly text: string;
  /** What is wrong with it in itself, `argument: why` each. */
  readonly problems: readonly string[];
}

/** Reads the arguments and composes the file. */
export function readProposal(args: JsonObject): Proposal {
  const { id: written, instructions, parameters, description, ...rest } = proposalSchema.parse(args);
  const { id, problem } = readId(written);
  const body = instructions.replace(/\r\n?/g, '\n').trim();
  const fields: NewFields = {
    name: rest.name?.trim() ?? written.slice(written.lastIndexOf('/') + 1).replace(/\.md$/i, ''),
    description: description.trim(),
    tags: unique(rest.tags),
    parameters: parameters.map(toParameter),
    references: unique(rest.references),
    tools: unique(rest.tools),
    examples: unique(rest.examples),
    status: 'draft',
  };
  return {
    id,
    fields,
    body,
    text: `${composeFrontMatter(fields)}${body}\n`,
    problems: [...problem, ...bodyProblems(body)],
  };
}

/**
 * What the parser says of the text, and every field that would read back as something else than was given.
 */
export function readBackProblems({ fields, body }: Proposal, outcome: ParseOutcome): readonly string[] {
  if (outcome.kind === 'ignored') return [];
  const told = outcome.diagnostics.map(({ message }) => message);
  if (outcome.kind === 'unreadable' || told.length > 0) return told;
  const { playbook } = outcome;
  const read = new Map<string, unknown>(Object.entries(playbook));
  const given: readonly (readonly [string, unknown])[] = Object.entries(fields);
  return [
    ...given.flatMap(([field, value]) =>
      isDeepStrictEqual(plain(value), plain(read.get(field)))
        ? []
        : [`${field}: would read back as ${JSON.stringify(read.get(field))}; write it so that it stays the same`],
    ),
    ...(playbook.body.trimEnd() === body ? [] : ['instructions: hold characters that no file can hold']),
  ];
}

/** Without what JSON does not hold. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function readId(written: string): { readonly id: string | undefined; readonly problem: readonly string[] } {
  try {
    const id = checkNewId(written);
    if (isAdvisedId(id)) return { id, problem: [] };
    return {
      id: undefined,
      problem: [`id: "${written}" must be lower-case words with hyphens, \`/\` between folders`],
    };
  } catch (error) {
    if (!(error instanceof PlaybookError)) throw error;
    return { id: undefined, problem: [`id: ${error.message} ${error.hint ?? ''}`] };
  }
}

function bodyProblems(body: string): readonly string[] {
  if (body === '') return ['instructions: are blank'];
  const isFile = splitFrontMatter(body).kind === 'found' && /^---[ \t]*\n[\w-]+[ \t]*:/.test(body);
  return isFile ? ['instructions: begin with front matter; give its fields as arguments instead'] : [];
}

function toParameter({
  required,
  description,
  default: fallback,
  enum: choices,
  pattern,
  ...rest
}: GivenParameter): Parameter {
  return {
    ...rest,
    ...(description === undefined ? {} : { description: description.trim() }),
    isRequired: required,
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(choices === undefined ? {} : { enum: choices }),
    ...(pattern === undefined ? {} : { pattern }),
  };
}

type GivenParameter = z.infer<typeof proposalSchema>['parameters'][number];

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.map((text) => text.trim()))];
}
