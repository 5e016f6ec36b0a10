import { PlaybookError } from '../../errors.ts';
import type { Parameter, ParameterType } from '../../model.ts';
import type { NewFields } from '../../playbooks/compose.ts';

/** `new`'s own flags, as commander reads them. */
export interface NewOptions {
  /** Undefined where it is that of what is converted. */
  readonly id?: string;
  readonly description?: string;
  readonly tag: readonly string[];
  readonly owner?: string;
  readonly parameter: readonly string[];
  readonly reference: readonly string[];
  readonly tool: readonly string[];
  readonly example: readonly string[];
  readonly shape: 'file' | 'folder';
  readonly status?: 'draft' | 'active';
  readonly dir?: string;
  readonly from?: string;
  readonly forceShadow?: boolean;
  readonly json?: boolean;
}

/** The fields that flags give; nothing for what was not said. */
export function fieldsOf(options: NewOptions): Omit<NewFields, 'description'> & { readonly description?: string } {
  return {
    ...(options.description === undefined ? {} : { description: options.description }),
    tags: options.tag,
    parameters: options.parameter.map(parameterFrom),
    references: options.reference,
    tools: options.tool,
    examples: options.example,
    ...(options.owner === undefined ? {} : { owner: options.owner }),
    ...(options.status === undefined ? {} : { status: options.status }),
  };
}

const TYPES: ReadonlyMap<string, ParameterType> = new Map(
  (['string', 'number', 'integer', 'boolean', 'array'] as const).map((type) => [type, type]),
);

/** `name:type[:required][:description]`. @throws PlaybookError `cli/usage`. */
function parameterFrom(written: string): Parameter {
  const [name = '', typeName = 'string', ...rest] = written.split(':');
  const type = TYPES.get(typeName);
  if (!/^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(name) || type === undefined) {
    throw new PlaybookError('cli/usage', `"${written}" is no parameter.`, {
      hint: `Write name:type:description or name:type:required:description; a type is ${[...TYPES.keys()].join(', ')}.`,
    });
  }
  const isRequired = rest[0] === 'required';
  const description = (isRequired ? rest.slice(1) : rest).join(':').trim();
  return { name, type, isRequired, ...(description === '' ? {} : { description }) };
}
