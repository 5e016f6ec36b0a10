import type { WrappedTool } from '../model.ts';
import { type SearchDocument, toSearchDocument } from '../search/document.ts';

/** A wrapped tool's words, as search sees them. Parameter names were measured to be of no use. */
export function documentOfTool(tool: WrappedTool): SearchDocument {
  return toSearchDocument({
    key: tool.id,
    id: tool.id,
    name: tool.name === tool.tool ? tool.tool : `${tool.tool} ${tool.name}`,
    server: tool.server,
    description: tool.description,
    tags: tool.tags,
    body: '',
    examples: [],
  });
}
