import type { JsonObject, WrappedTool } from '../model.ts';

/** How a call is made, besides what is called. */
export interface CallOptions {
  /** The caller's cancellation, handed on to whatever runs. */
  readonly signal?: AbortSignal;
  /** Gets each progress notification, less its token. */
  readonly onProgress?: (progress: JsonObject) => void;
  /** The caller's `_meta`; keys that belong to the caller's own connection are left out. */
  readonly meta?: JsonObject;
}

/** Whatever offers tools to the catalog: upstream servers, commands of the configuration, our own built-in entries. */
export interface ToolProvider {
  /** What it offers now, ordered by id. */
  tools(): readonly WrappedTool[];
  /**
   * Runs one of its tools; the arguments fit the tool's schema.
   * @returns a `tools/call` result.
   * @throws PlaybookError of the stage `tools`.
   */
  call(id: string, args: JsonObject, options: CallOptions): Promise<JsonObject>;
}
