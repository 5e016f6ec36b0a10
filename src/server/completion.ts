import type { CompleteRequestParams, CompleteResult } from '@modelcontextprotocol/server';
import { PlaybookError } from '../errors.ts';
import type { Parameter } from '../model.ts';
import { listedPlaybooks } from './listed-playbooks.ts';
import { REVIEW_PROMPT } from './prompt-definitions.ts';
import { playbookOfPrompt, unknownPrompt } from './prompts.ts';
import { PLAYBOOK_TEMPLATE, SKILL_TEMPLATE } from './resource-templates.ts';
import { listedSkills } from './skills.ts';
import { skillPathOf } from './resource-uris.ts';
import type { Snapshot } from './snapshot.ts';
import { valueText } from '../playbooks/parameters.ts';

/** As many as the protocol allows. */
const MOST_VALUES = 100;
/** Names of parameters whose value is the id of a playbook. */
const ID_PARAMETER = /^playbook(?:[_-]?id)?$/i;

/**
 * Answers `completion/complete`: ids for what takes an id, the choices of an enum, true and false; nothing for free text.
 *
 * @throws PlaybookError `catalog/unknown-id` for a prompt or a template that there is not.
 */
export function complete(snapshot: Snapshot, { ref, argument }: CompleteRequestParams): CompleteResult {
  const choices =
    ref.type === 'ref/prompt'
      ? choicesOfPrompt(snapshot, ref.name, argument.name)
      : choicesOfTemplate(snapshot, ref.uri, argument.name);
  const matching = matchesOf(choices, argument.value);
  return {
    completion: {
      values: matching.slice(0, MOST_VALUES),
      total: matching.length,
      hasMore: matching.length > MOST_VALUES,
    },
  };
}

function choicesOfPrompt(snapshot: Snapshot, name: string, argument: string): readonly string[] {
  if (name === REVIEW_PROMPT) return argument === 'id' ? idsIn(snapshot) : [];
  const entry = playbookOfPrompt(snapshot, name);
  if (entry === undefined) throw unknownPrompt(snapshot, name);
  const parameter = entry.playbook.parameters.find((each) => each.name === argument);
  return parameter === undefined ? [] : choicesOfParameter(snapshot, parameter);
}

function choicesOfParameter(snapshot: Snapshot, { name, type, enum: choices }: Parameter): readonly string[] {
  if (choices !== undefined) return choices.map(valueText);
  if (type === 'boolean') return ['true', 'false'];
  return ID_PARAMETER.test(name) ? idsIn(snapshot) : [];
}

function choicesOfTemplate(snapshot: Snapshot, template: string, variable: string): readonly string[] {
  switch (template) {
    case PLAYBOOK_TEMPLATE:
      return variable === 'id' ? idsIn(snapshot) : [];
    case SKILL_TEMPLATE:
      return variable === 'path'
        ? listedSkills(snapshot).map(({ playbook }) => `${skillPathOf(playbook)}/SKILL.md`)
        : [];
    default:
      throw new PlaybookError('catalog/unknown-id', `There is no resource template "${template}".`, {
        hint: `There are ${PLAYBOOK_TEMPLATE} and ${SKILL_TEMPLATE}.`,
      });
  }
}

function idsIn(snapshot: Snapshot): readonly string[] {
  return listedPlaybooks(snapshot).map(({ id }) => id);
}

/** Those that begin with the value first, then those that hold it, each in the order given; in any case of letters. */
function matchesOf(choices: readonly string[], value: string): string[] {
  const wanted = value.trim().toLowerCase();
  const beginning = choices.filter((choice) => choice.toLowerCase().startsWith(wanted));
  const holding = choices.filter((choice) => choice.toLowerCase().indexOf(wanted) > 0);
  return [...beginning, ...holding];
}
