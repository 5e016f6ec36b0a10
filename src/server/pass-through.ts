import {
  type CallToolResult,
  type ContentBlock,
  isInputRequiredResult,
  isSpecType,
  type TextContent,
} from '@modelcontextprotocol/server';
import { PlaybookError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../model.ts';
import { type AskClient, refuseIfLacking } from './ask-client.ts';
import type { Answer } from './input-rounds.ts';

/**
 * What a tool's provider answered, for the client of the call: a result, or the questions of an upstream of 2026-07-28.
 *
 * @throws PlaybookError `tools/undeclared` for a question that this client cannot be asked, `tools/failed` for one that nobody can.
 */
export function toProtocolAnswer(answer: JsonObject, client: Pick<AskClient, 'lacks'>): Answer {
  if (!isInputRequiredResult(answer)) return toProtocolResult(answer);
  for (const { method, params } of Object.values(answer.inputRequests ?? {})) {
    if (method !== 'elicitation/create' && method !== 'sampling/createMessage') {
      throw new PlaybookError('tools/failed', `The tool asks for ${method}, which no client can be asked for.`);
    }
    refuseIfLacking({ method, params: { ...params } }, client);
  }
  return answer;
}

/**
 * An upstream's answer as a result that the protocol lets out: equal to it, but for blocks that no revision knows, which
 * become text that says what they were. (The SDK refuses a whole result for one such block.)
 */
export function toProtocolResult(answer: JsonObject): CallToolResult {
  const content = Array.isArray(answer['content']) ? answer['content'].map(toProtocolBlock) : [];
  const { isError, _meta: meta, ...rest } = answer;
  return {
    ...rest,
    content,
    ...(typeof isError === 'boolean' ? { isError } : {}),
    ...(isJsonObject(meta) ? { _meta: meta } : {}),
  };
}

/** The block that most results are made of, told without the schema. */
function isPlainText(block: unknown): block is TextContent {
  if (!isJsonObject(block) || block['type'] !== 'text' || typeof block['text'] !== 'string') return false;
  return Object.keys(block).length === 2;
}

function toProtocolBlock(block: unknown): ContentBlock {
  if (isPlainText(block) || isSpecType.ContentBlock(block)) return block;
  const type = isJsonObject(block) && typeof block['type'] === 'string' ? block['type'] : 'unknown';
  return {
    type: 'text',
    text: `[A content block of type "${type}" that the protocol does not allow, as JSON:]\n${JSON.stringify(block)}`,
  };
}
