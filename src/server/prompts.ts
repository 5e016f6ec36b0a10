import { readFile } from 'node:fs/promises';
import type { GetPromptResult, ListPromptsResult } from '@modelcontextprotocol/server';
import { closestIds } from '../catalog/closest.ts';
import { findEntry } from '../catalog/lookup.ts';
import { compareIds } from '../catalog/order.ts';
import { PlaybookError } from '../errors.ts';
import { isSystemError } from '../files/places.ts';
import type { JsonObject, Playbook, PlaybookEntry } from '../model.ts';
import { coerceStrings } from '../playbooks/parameters.ts';
import { playbookText } from './execute-tool.ts';
import { pageOf } from './paging.ts';
import { promptNames, REVIEW_PROMPT, reviewPromptDefinition, toPrompt } from './prompt-definitions.ts';
import type { Runtime } from './runtime.ts';
import type { Snapshot } from './snapshot.ts';
import { summaryOf } from './summary.ts';
import type { PromptRequest, Reader } from './surface.ts';

const PAGE_SIZE = 100;

/** Answers `prompts/list`: every active playbook, and the prompt of our own, by name. @throws ProtocolError for a bad cursor */
export function listPrompts({ catalog }: Snapshot, cursor: string | undefined): ListPromptsResult {
  const active = [...promptNames(catalog).values()].filter(({ entry }) => entry.status === 'active');
  const all = [{ name: REVIEW_PROMPT }, ...active].sort((a, b) => compareIds(a.name, b.name));
  const { items, ...rest } = pageOf(all, {
    list: 'prompts/list',
    cursor,
    size: PAGE_SIZE,
    keyOf: ({ name }) => name,
  });
  return { prompts: items.map((item) => ('entry' in item ? toPrompt(item) : reviewPromptDefinition)), ...rest };
}

/** The playbook that a prompt is, by the prompt's name or the playbook's own id; undefined for others. */
export function playbookOfPrompt({ catalog }: Snapshot, name: string): PlaybookEntry | undefined {
  const entry = promptNames(catalog).get(name)?.entry ?? catalog.byId.get(name);
  return entry?.kind === 'playbook' ? entry : undefined;
}

/**
 * Answers `prompts/get`: a playbook as `execute` gives it, or the question of a review.
 *
 * @throws PlaybookError `catalog/unknown-id`, `catalog/retired`, `tools/invalid-arguments`, and as `Runtime.snapshot`.
 */
export async function getPrompt(
  runtime: Runtime,
  { name, args }: PromptRequest,
  { roots, access }: Reader,
): Promise<GetPromptResult> {
  if (name === REVIEW_PROMPT)
    return reviewPrompt(await runtime.snapshot(args['workspace'], roots, access), args['id'] ?? '');
  const snapshot = await runtime.snapshot(undefined, roots, access);
  const entry = playbookOfPrompt(snapshot, name);
  if (entry === undefined) throw unknownPrompt(snapshot, name);
  const { validators, config } = runtime;
  const context = { snapshot, validators, resultTokens: config.limits.resultTokens };
  const text = await playbookText(context, entry, argumentsOf(entry.playbook, args));
  return { description: summaryOf(entry.description), messages: [userMessage(text)] };
}

/** Every value is a text, and a field that was left empty was not filled in. */
function argumentsOf({ parameters }: Playbook, args: PromptRequest['args']): JsonObject {
  return coerceStrings(parameters, Object.fromEntries(Object.entries(args).filter(([, value]) => value !== '')));
}

/** @throws PlaybookError `tools/invalid-arguments`, and as `findEntry`. */
async function reviewPrompt({ catalog }: Snapshot, given: string): Promise<GetPromptResult> {
  const id = given.trim();
  if (id === '') {
    throw new PlaybookError('tools/invalid-arguments', `${REVIEW_PROMPT} needs the argument id: the id of a playbook.`);
  }
  const entry = findEntry(catalog, id);
  if (entry.kind !== 'playbook') {
    throw new PlaybookError('tools/invalid-arguments', `"${id}" is a tool; playbooks are reviewed.`);
  }
  const { playbook } = entry;
  const [{ findNeighbourEntries }, { reviewQuestion }] = await Promise.all([
    import('./duplicate-lookup.ts'),
    import('./review-question.ts'),
  ]);
  const neighbours = (await findNeighbourEntries([playbook], catalog)).get(playbook) ?? [];
  const text = reviewQuestion([{ id: entry.id, text: await fileText(playbook), neighbours }]);
  return { description: `Whether ${entry.id} is a duplicate or unneeded`, messages: [userMessage(text)] };
}

function userMessage(text: string): GetPromptResult['messages'][number] {
  return { role: 'user', content: { type: 'text', text } };
}

/** The file as it is, or what is served of it where it has just gone. */
async function fileText(playbook: Playbook): Promise<string> {
  try {
    return await readFile(playbook.path, 'utf8');
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return `${playbook.description}\n\n${playbook.body}`;
  }
}

/** The refusal of a name that no prompt has. */
export function unknownPrompt({ catalog }: Snapshot, name: string): PlaybookError {
  const closest = closestIds([REVIEW_PROMPT, ...promptNames(catalog).keys()], name);
  return new PlaybookError('catalog/unknown-id', `There is no prompt "${name}".`, {
    ...(closest.length > 0 && { hint: `Closest: ${closest.join(', ')}.` }),
  });
}
