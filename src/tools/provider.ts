import type { JsonObject, WrappedTool } from '../model.ts';

/** What is asked of whoever called: of the person (`elicitation/create`) or of the client's model (`sampling/createMessage`). */
export interface Question {
  readonly method: 'elicitation/create' | 'sampling/createMessage';
  readonly params: JsonObject;
}

/** What a caller brings when it calls again after `input_required`. */
export interface GivenInput {
  /** By the keys of the `inputRequests`. */
  readonly responses: JsonObject;
  /** The upstream's own `requestState`, as it came. */
  readonly state?: string;
}

/** How a call is made, besides what is called. */
export interface CallOptions {
  /** The caller's cancellation, handed on to whatever runs. */
  readonly signal?: AbortSignal;
  /** Gets each progress notification, less its token. */
  readonly onProgress?: (progress: JsonObject) => void;
  /** The caller's `_meta`; keys that belong to the caller's own connection are left out. */
  readonly meta?: JsonObject;
  /**
   * Puts a question of the upstream to the caller and gives the answer: an elicitation's or a sampling's result.
   * @throws PlaybookError `tools/undeclared`, which ends the call; any other error is the upstream's to hear.
   */
  readonly ask?: (question: Question) => Promise<JsonObject>;
  /** What an earlier round of this call asked for; absent in the first. */
  readonly input?: GivenInput;
  /** What the caller's client calls itself; null where it does not. */
  readonly client?: string | null;
  /** Who calls, for what must not be handed from one caller to another. */
  readonly identity?: string;
  /** Whom the caller has authenticated as: servers run in a process for each. Absent where nobody has to. */
  readonly principal?: string;
  /** What usage calls that caller; absent where nobody has to authenticate. */
  readonly user?: string | undefined;
  /** Scopes of the caller; one without them sees everything. */
  readonly access?: readonly string[];
  /** `file:` URLs of the workspace, which the upstream may ask for; [] where there is none. */
  readonly roots?: readonly string[];
}

/** Whatever offers tools to the catalog: upstream servers, commands of the configuration, our own built-in entries. */
export interface ToolProvider {
  /** What it offers now, ordered by id. */
  tools(): readonly WrappedTool[];
  /**
   * Runs one of its tools; the arguments fit the tool's schema.
   * @returns a `tools/call` result, or one of type `input_required`, whose questions the caller answers by calling again.
   * @throws PlaybookError of the stage `tools`.
   */
  call(id: string, args: JsonObject, options: CallOptions): Promise<JsonObject>;
}
