import { Document, isMap, isScalar, isSeq } from 'yaml';
import type { Parameter, Status } from '../model.ts';

/** What a new playbook says of itself. */
export interface NewFields {
  readonly name?: string;
  readonly description: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly references?: readonly string[];
  readonly tools?: readonly string[];
  readonly owner?: string;
  readonly status?: Status;
  readonly examples?: readonly string[];
}

/** Front matter, fences included, that reads back as just these fields, whatever characters are in them. */
export function composeFrontMatter(fields: NewFields): string {
  const { parameters = [], status, ...others } = fields;
  const lines = yamlLines({
    ...others,
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(toWritten) }),
    ...(status === undefined || status === 'active' ? {} : { status }),
  });
  return `---\n${lines}---\n`;
}

/** Keys and values as lines of YAML; what is empty or undefined is left out. */
export function yamlLines(values: object): string {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined && !isEmptyList(value));
  if (entries.length === 0) return '';
  const document = new Document(Object.fromEntries(entries), { aliasDuplicateObjects: false });
  const { contents } = document;
  if (isMap(contents)) {
    for (const { key, value } of contents.items) {
      // Words stand on one line, sentences each on its own.
      if (isScalar(key) && WORD_LISTS.has(String(key.value)) && isSeq(value)) value.flow = true;
    }
  }
  // Folded lines would change nothing, but nobody writes them by hand.
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

const WORD_LISTS: ReadonlySet<string> = new Set(['tags', 'references', 'tools']);

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function toWritten({ name, type, description, isRequired, ...rest }: Parameter): object {
  return {
    name,
    type,
    ...(description === undefined ? {} : { description }),
    ...(isRequired ? { required: true } : {}),
    ...rest,
  };
}

/** The sentences of a new body that stand for what its author is to write. */
export const UNFILLED = {
  why: 'What goes wrong when this is done without knowing how: say it in a sentence or two.',
  step: 'The first step, with the command that does it',
  next: 'The next one. Link what another playbook tells already instead of repeating it.',
  done: 'A command that fails as long as the task is not done, and what it prints when it is.',
} as const;

/** A body to be filled in: each parameter in its place, steps, and how to tell that it is done. */
export function composeBody(parameters: readonly Pick<Parameter, 'name'>[]): string {
  const places = parameters.map(({ name }) => `\`{{${name}}}\``).join(', ');
  return `
${UNFILLED.why}

## Steps

1. ${UNFILLED.step}${places === '' ? '' : `: ${places}`}.
2. ${UNFILLED.next}

## Done when

${UNFILLED.done}
`;
}
