import type { Prompt } from '@modelcontextprotocol/server';
import type { Catalog } from '../catalog/catalog.ts';
import type { Parameter, PlaybookEntry } from '../model.ts';
import { namePrompts } from '../tools/naming.ts';
import { listedDescription } from './listed-playbooks.ts';
import { summaryOf } from './summary.ts';
import { valueText } from '../playbooks/parameters.ts';

export const REVIEW_PROMPT = 'review_playbook';

/**
 * The prompt of our own. No prompt has a title: Claude Code makes the slash command of it, and cannot find one with spaces.
 *
 * @see https://github.com/anthropics/claude-code/issues/10992
 */
export const reviewPromptDefinition: Prompt = {
  name: REVIEW_PROMPT,
  description: 'Asks whether a playbook is a duplicate or unneeded, with its nearest neighbours beside it.',
  arguments: [
    { name: 'id', description: 'Id of the playbook', required: true },
    { name: 'workspace', description: 'Absolute path of the repository that it lies in', required: false },
  ],
};

/** A playbook that can be asked for as a prompt. */
export interface NamedPlaybook {
  readonly name: string;
  readonly entry: PlaybookEntry;
}

/**
 * Every playbook of the catalog by the name of its prompt: its id, with `_` for all that is not `A-Za-z0-9_-`. Slash commands end at
 * a space, and VS Code replaces what is not `A-Za-z0-9_.-` by itself. Retired ones keep their names, so that no other playbook is
 * called by them.
 */
export function promptNames(catalog: Catalog): ReadonlyMap<string, NamedPlaybook> {
  const known = namesOf.get(catalog);
  if (known !== undefined) return known;
  const entries = catalog.entries.filter((entry): entry is PlaybookEntry => entry.kind === 'playbook');
  const names = namePrompts(entries.map(({ id, qualifiedId }) => (id === REVIEW_PROMPT ? qualifiedId : id)));
  const byName = new Map(entries.map((entry, at) => [names[at] ?? entry.id, { name: names[at] ?? entry.id, entry }]));
  namesOf.set(catalog, byName);
  return byName;
}

const namesOf = new WeakMap<Catalog, ReadonlyMap<string, NamedPlaybook>>();

/** A playbook as `prompts/list` gives it. */
export function toPrompt({ name, entry }: NamedPlaybook): Prompt {
  const { parameters } = entry.playbook;
  return {
    name,
    description: listedDescription(entry),
    ...(parameters.length > 0 && { arguments: parameters.map(toArgument) }),
  };
}

function toArgument(parameter: Parameter): NonNullable<Prompt['arguments']>[number] {
  const { name, description, isRequired, enum: choices, default: value } = parameter;
  const parts = [
    ...(description === undefined ? [] : [summaryOf(description)]),
    ...(choices === undefined ? [] : [`One of ${choices.map(String).join(', ')}.`]),
    ...(value === undefined ? [] : [`By default ${valueText(value)}.`]),
  ];
  return { name, ...(parts.length > 0 && { description: parts.join(' ') }), required: isRequired };
}
