import { readFile } from 'node:fs/promises';
import { type GetPromptResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { findEntry } from '../catalog/lookup.ts';
import { PlaybookError } from '../errors.ts';
import { isSystemError } from '../files/places.ts';
import type { Playbook } from '../model.ts';
import { findNeighbourEntries } from './duplicate-lookup.ts';
import type { PromptRequest } from './mcp-server.ts';
import { REVIEW_PROMPT } from './prompt-definitions.ts';
import { reviewQuestion } from './review-question.ts';
import type { Runtime } from './runtime.ts';
import type { Snapshot } from './snapshot.ts';

/** Answers `prompts/get`. @throws ProtocolError for a prompt or an id that does not exist. */
export async function getPrompt(runtime: Runtime, { name, args, roots }: PromptRequest): Promise<GetPromptResult> {
  if (name !== REVIEW_PROMPT) throw invalid(`There is no prompt "${name}".`);
  const { id = '', workspace } = args;
  if (id.trim() === '') throw invalid(`${REVIEW_PROMPT} needs the argument id: the id of a playbook.`);
  try {
    return await reviewPrompt(await runtime.snapshot(workspace, roots), id.trim());
  } catch (error) {
    if (!(error instanceof PlaybookError)) throw error;
    throw invalid([error.message, error.hint].filter(Boolean).join(' '));
  }
}

async function reviewPrompt({ catalog }: Snapshot, id: string): Promise<GetPromptResult> {
  const entry = findEntry(catalog, id);
  if (entry.kind !== 'playbook') throw invalid(`"${id}" is a tool; playbooks are reviewed.`);
  const { playbook } = entry;
  const neighbours = (await findNeighbourEntries([playbook], catalog)).get(playbook) ?? [];
  const text = reviewQuestion([{ id: entry.id, text: await fileText(playbook), neighbours }]);
  return {
    description: `Whether ${entry.id} is a duplicate or unneeded`,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
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

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
