export type { ErrorCode } from './errors.ts';
export { PlaybookError } from './errors.ts';
export type {
  Diagnostic,
  Entry,
  Playbook,
  PlaybookEntry,
  Source,
  ToolEntry,
  WrappedTool,
} from './model.ts';
export type { Config, Env, Flags } from './config/index.ts';
export { configJsonSchema, parseConfig } from './config/index.ts';
export type { ParseOutcome } from './playbooks/parse.ts';
export { parsePlaybook } from './playbooks/parse.ts';
export type { Catalog } from './catalog/catalog.ts';
export { buildCatalog } from './catalog/catalog.ts';
export type { SearchHit, SearchOptions, SearchOutcome } from './search/search.ts';
export { search } from './search/search.ts';
export { serveOverStdio } from './server/stdio.ts';
