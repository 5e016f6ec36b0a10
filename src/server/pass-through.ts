import { type CallToolResult, type ContentBlock, isSpecType } from '@modelcontextprotocol/server';
import { isJsonObject, type JsonObject } from '../model.ts';
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

function toProtocolBlock(block: unknown): ContentBlock {
  if (isSpecType.ContentBlock(block)) return block;
  const type = isJsonObject(block) && typeof block['type'] === 'string' ? block['type'] : 'unknown';
  return {
    type: 'text',
    text: `[A content block of type "${type}" that the protocol does not allow, as JSON:]\n${JSON.stringify(block)}`,
  };
}
