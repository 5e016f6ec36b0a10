/** The nouns of the product: readonly data, and the one guard that says what JSON is. Every stage speaks in them. */

/** A JSON value's object form, as it arrives from a file or from the wire. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A JSON Schema document, or the boolean form. */
export type JsonSchema = JsonObject | boolean;

export type Severity = 'error' | 'warning' | 'info';

/** A problem in a text that somebody wrote: collected, never thrown. */
export interface Diagnostic {
  /** Kebab-case id of the rule, such as `unclosed-fence`. */
  readonly rule: string;
  readonly severity: Severity;
  /** Absolute path of the file. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 code units. */
  readonly column: number;
  readonly message: string;
  /** What to do next. */
  readonly hint?: string;
}

/** Whose playbooks a source holds; also the order of precedence, most specific first. */
type SourceKind = 'workspace' | 'user' | 'central';

/** A place that playbooks come from. */
export interface Source {
  /** Prefix of its playbooks' qualified ids: `platform` in `platform:deploy/rollback`. */
  readonly name: string;
  readonly kind: SourceKind;
  /** How it is shown beside its entries: the name, or `workspace:<repository>`. */
  readonly label: string;
  /** Absolute folders that are scanned, the one that wins a collision first. */
  readonly folders: readonly string[];
  /** False for a workspace that nobody trusts: its playbooks never win a bare id. */
  readonly isTrusted: boolean;
  /** Absolute folder, without links, that links in it must not lead out of: the clone of a repository that others write. */
  readonly linksWithin?: string;
}

/** One file as it was found below a folder of a source; its bytes are not decoded yet. */
export interface SourceFile {
  readonly source: Source;
  /** Absolute path. */
  readonly path: string;
  /** The path without links: two files of one real path are one playbook. */
  readonly realPath: string;
  /** Id of the playbook that it would be: path below the source's folder without `.md` or `/SKILL.md`. */
  readonly id: string;
  /** `folder` for a `SKILL.md`, whose folder belongs to it; `file` for a flat markdown file. */
  readonly shape: 'file' | 'folder';
  readonly bytes: Uint8Array;
  /** Paths relative to the playbook's folder, `/` between segments, sorted; [] for a flat file. */
  readonly supportingFiles: readonly string[];
}

export type ParameterType = 'string' | 'number' | 'integer' | 'boolean' | 'array';

/** One declared parameter of a playbook or command tool. */
export interface Parameter {
  readonly name: string;
  readonly type: ParameterType;
  readonly description?: string;
  readonly isRequired: boolean;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
}

export type Status = 'active' | 'draft' | 'deprecated' | 'retired';

/** Why an entry should not be used any more, and what to use instead. */
export interface Deprecation {
  readonly since?: string;
  readonly reason?: string;
  /** Id of the entry that replaces it. */
  readonly replacedBy?: string;
}

/** A parsed playbook. Its body is text for an agent to read; nothing in it is ever run by us. */
export interface Playbook {
  /** Path below its source's folder, unique within the source: `deploy/rollback`. */
  readonly id: string;
  readonly source: Source;
  /** Absolute path of the markdown file. */
  readonly path: string;
  /** See `SourceFile.realPath`. */
  readonly realPath: string;
  readonly shape: 'file' | 'folder';
  /** A label; not unique. */
  readonly name: string;
  readonly description: string;
  /** As written, trimmed, without repeats: free words, `domain:x` or `action:y`. */
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  /** True where the file declares Claude Code's `arguments` or `argument-hint`: `$ARGUMENTS`, `$1`, `$name` are replaced too. */
  readonly hasShellStyleArguments: boolean;
  /** Ids of the front matter's `references` list, as written; links in the body are found by `findLinks`. */
  readonly references: readonly string[];
  /** Ids of tools that it uses, as written. */
  readonly tools: readonly string[];
  /** Queries that should find it. */
  readonly examples: readonly string[];
  /** Queries that should not find it among the first: its neighbours answer them. */
  readonly notExamples: readonly string[];
  readonly owner?: string;
  readonly status: Status;
  readonly deprecation?: Deprecation;
  /** Every front matter key that has no meaning to us or is only passed on (`license`, `metadata`, …), as read. */
  readonly extra: JsonObject;
  /** The text below the front matter, line ends as `\n`. */
  readonly body: string;
  /** 1-based line of the file on which `body` begins. */
  readonly bodyLine: number;
  /** See `SourceFile.supportingFiles`. */
  readonly supportingFiles: readonly string[];
  /** SHA-256 of the file's bytes, hex. */
  readonly digest: string;
}

/** What a tool does to the world, as its author says; undefined where the author says nothing. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A tool of another MCP server or command, as one entry of the catalog. */
export interface WrappedTool {
  /** `server__tool`, made safe: `[A-Za-z0-9_-]`, at most 64 characters. */
  readonly id: string;
  /** Name of the upstream in the configuration. */
  readonly server: string;
  /** The tool's own name, as the upstream knows it. */
  readonly tool: string;
  /** Upstream's title, else `tool`. */
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly inputSchema: JsonSchema;
  readonly annotations: ToolAnnotations;
  /** True for a prompt of the server, listed as a tool that returns its text; `tool` is then the prompt's name. */
  readonly isPrompt?: true;
  /** The first lines of what its server says about itself as a whole; absent where it says nothing. */
  readonly serverInstructions?: string;
  /** SHA-256 of name, description and schema, hex. */
  readonly digest: string;
  /** Why the upstream's own schema could not be taken over, so that `inputSchema` lets any object through. */
  readonly schemaProblem?: string;
}

/** A tool whose definition is other than the approved one: out of the catalog until a person accepts it. */
export interface QuarantinedTool {
  /** As it is defined now. */
  readonly tool: WrappedTool;
  /** What is other than approved, in one line; holds no text of the new description, which nobody has approved. */
  readonly change: string;
  /** The description that was approved last. */
  readonly approvedDescription: string;
}

interface EntryBase {
  /** The id to call it by: bare where it wins its bare id, else qualified by its source. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Label of the source, or name of the upstream. */
  readonly source: string;
  readonly status: Status;
  readonly deprecation?: Deprecation;
  /** JSON Schema of its arguments. */
  readonly inputSchema: JsonSchema;
  readonly digest: string;
}

export interface PlaybookEntry extends EntryBase {
  readonly kind: 'playbook';
  readonly playbook: Playbook;
  /** `source:id`, unambiguous in the whole catalog. */
  readonly qualifiedId: string;
  /** Qualified ids of the playbooks that lost the bare id to this one. */
  readonly shadows: readonly string[];
}

export interface ToolEntry extends EntryBase {
  readonly kind: 'tool';
  readonly tool: WrappedTool;
}

/** One thing that an agent can find, read about and execute. */
export type Entry = PlaybookEntry | ToolEntry;

/** Whether a value is a JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
