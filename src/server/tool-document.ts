import type { WrappedTool } from '../model.ts';
import { BUILT_IN } from '../tools/built-in.ts';
import { type SearchDocument, toSearchDocument } from '../search/document.ts';

/**
 * A wrapped tool's words, as search sees them. Parameter names were measured to be of no use. Entries of our own are found by
 * what they say, not by the verbs in their ids: whoever wants to read a file has no use for `results__read`.
 */
export function documentOfTool(tool: WrappedTool): SearchDocument {
  const isBuiltIn = tool.server === BUILT_IN;
  const ownName = isBuiltIn ? '' : tool.tool;
  return toSearchDocument({
    key: tool.id,
    id: tool.id,
    name: tool.name === tool.tool ? tool.tool : `${ownName} ${tool.name}`,
    ...(isBuiltIn ? {} : { server: tool.server }),
    description: tool.description,
    tags: tool.tags,
    body: '',
    examples: [],
  });
}
