import type { Deprecation, Diagnostic, Parameter, Severity } from '../model.ts';

/** Environment variables, as `process.env` has them. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Where something was written, for a diagnostic about it. */
export type Position = Pick<Diagnostic, 'path' | 'line' | 'column'>;

/** A central source that is a directory; `path` is absolute. */
export interface DirectorySourceConfig {
  readonly kind: 'directory';
  readonly name: string;
  readonly path: string;
  /** Of callers over HTTP, only those that have this scope know of it. */
  readonly scope?: string;
  readonly at: Position;
}

/** A central source that is cloned; `path` is a folder inside the repository. */
export interface GitSourceConfig {
  readonly kind: 'git';
  readonly name: string;
  readonly git: string;
  readonly ref?: string;
  readonly path?: string;
  readonly refreshMinutes: number;
  /** See `DirectorySourceConfig.scope`. */
  readonly scope?: string;
  readonly at: Position;
}

export type SourceConfig = DirectorySourceConfig | GitSourceConfig;

/**
 * Which calls of a server's tools must be confirmed: of tools that destroy, of tools that change anything (each that does not
 * say that it only reads), or none.
 */
export type ConfirmPolicy = 'destructive' | 'write' | 'never';

interface UpstreamBase {
  /** Key of the server in the configuration, as written. */
  readonly name: string;
  /** Added to every tool of the server. */
  readonly tags: readonly string[];
  /** Patterns of tool names (`*` is any run of characters); `['*']` where the configuration says nothing. */
  readonly allow: readonly string[];
  /** As `allow`; wins over it. */
  readonly deny: readonly string[];
  readonly timeoutMs: number;
  /** `never` where absent: hosts ask before `execute` already. */
  readonly confirm?: ConfirmPolicy;
  /** Stop the process after this long without a call; never where absent. */
  readonly idleStopMs?: number;
  /** True for a server that keeps nothing between calls: over HTTP, one process does for all callers. */
  readonly stateless?: boolean;
  /** True where the configuration switches the server off; a server that cannot be read is absent instead. */
  readonly disabled?: boolean;
  /** See `DirectorySourceConfig.scope`. */
  readonly scope?: string;
}

/** An upstream server that is a process of ours. */
export interface StdioUpstreamConfig extends UpstreamBase {
  readonly transport: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** What the configuration adds to the environment, expanded. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd?: string;
  /** Absolute path of a file of `NAME=value` lines; `env` wins over it. */
  readonly envFile?: string;
}

/** An upstream server that is reached by URL. */
export interface RemoteUpstreamConfig extends UpstreamBase {
  /** `http` is Streamable HTTP; `sse` only where the configuration says so. */
  readonly transport: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What is configured for logging in; a server without it can be logged in to as well. */
  readonly oauth?: OAuthConfig;
}

/** The client that we are to an authorization server; registered by us where there is no `clientId`. */
export interface OAuthConfig {
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Asked for instead of those that the server names; never empty. */
  readonly scopes?: readonly string[];
  /** Port of the redirect URI on 127.0.0.1, where it is registered with one. */
  readonly callbackPort?: number;
  /** URL of our client ID metadata document, used where the authorization server reads them. */
  readonly clientMetadataUrl?: string;
  /** The authorization server that `clientId` belongs to; the first that somebody logs in at, where absent. */
  readonly issuer?: string;
}

/** One server of `mcpServers` (Claude, Cursor) or `servers` (VS Code), every variable in it expanded. */
export type UpstreamConfig = StdioUpstreamConfig | RemoteUpstreamConfig;

/** A program that the configuration makes a tool: an argv array, never a shell. */
export interface CommandConfig {
  readonly name: string;
  readonly description: string;
  /** Program and arguments; an item may hold `{parameter}`. Never empty. */
  readonly command: readonly string[];
  readonly parameters: readonly Parameter[];
  /** Absolute. */
  readonly cwd?: string;
  readonly timeoutMs: number;
  readonly readOnly: boolean;
  readonly tags: readonly string[];
  readonly at: Position;
}

/** Tags for every entry whose id matches a pattern (`*` is any run of characters). */
export interface TagRule {
  readonly match: string;
  readonly tags: readonly string[];
}

/** How loudly a lint rule speaks; `off` silences it. */
export type RuleLevel = Severity | 'off';

/** A bearer token with what is known about whoever holds it. */
export interface HttpToken {
  readonly token: string;
  /** Who that is, in the usage; made from the token where absent. */
  readonly name?: string;
  /** `search` and `execute` where absent. */
  readonly scopes?: readonly string[];
}

/** How the server is reached by HTTP, and by whom. */
export interface HttpConfig {
  readonly tokens: readonly (string | HttpToken)[];
  /** Absolute path of a file of tokens, one a line. */
  readonly tokensFile?: string;
  /** Whether the file asks for tokens at all: one whose tokens are all unusable lets nobody in, instead of everybody. */
  readonly isGuarded?: boolean;
  /** Authorization server whose JWTs are accepted. */
  readonly issuer?: string;
  /** What those JWTs must be made for; `publicUrl` where absent. */
  readonly audience?: string;
  readonly jwksUrl?: string;
  /** The address that clients know. */
  readonly publicUrl?: string;
  /** Names that requests may be addressed to, besides the server's own. */
  readonly hosts?: readonly string[];
  /** Hosts of web pages that may call it. */
  readonly origins?: readonly string[];
  /** At least 32 characters that all replicas know; each process has its own where absent. */
  readonly secret?: string;
  readonly callsPerMinute: number;
  readonly maxBodyBytes: number;
  /** Whether `execute` names its id in a header too (`x-mcp-header`). */
  readonly targetHeader: boolean;
}

/** Everything that can be configured, complete: every key has a value or a documented absence. */
export interface Config {
  readonly sources: readonly SourceConfig[];
  /** Whether the playbooks that the package brings are served. */
  readonly starter: boolean;
  readonly workspace: {
    /** Folders that are looked for, relative, the one that wins first. */
    readonly folders: readonly string[];
    readonly policy: 'all' | 'trusted' | 'none';
  };
  /** In the order written; names are unique. */
  readonly upstreams: readonly UpstreamConfig[];
  /** In the order written; names are unique. */
  readonly commands: readonly CommandConfig[];
  readonly tagRules: readonly TagRule[];
  /** By entry id. */
  readonly retired: ReadonlyMap<string, Deprecation>;
  readonly code: {
    /** Absolute directories whose repositories can be searched. */
    readonly roots: readonly string[];
  };
  readonly limits: {
    /** Tokens of one result, above which it is cut. */
    readonly resultTokens: number;
    /** Elements of arrays and members of objects that the arguments of a call may have together. */
    readonly inputElements: number;
  };
  readonly usage: {
    /** `sqlite`, `off`, or the URL of a PostgreSQL database. */
    readonly store: string;
    readonly queries: 'text' | 'hash' | 'off';
    readonly retentionDays: number;
  };
  readonly http: HttpConfig;
  readonly lint: { readonly rules: ReadonlyMap<string, RuleLevel> };
  readonly search: {
    /** Whether queries that led to an execute teach the ranking. */
    readonly learn: boolean;
    readonly synonyms: ReadonlyMap<string, readonly string[]>;
  };
  readonly review: {
    /** Days without use after which an entry should go. */
    readonly unusedDays: number;
    /** Searches that must have listed an entry before its description is judged. */
    readonly minShown: number;
    /** What is chosen less than this share of what its places in lists promise is to be rewritten: 0..1. */
    readonly maxChoiceRatio: number;
    /** What fails in more than this share of the sessions that use it is to be fixed: 0..1. */
    readonly maxFailureRatio: number;
    /** People, or sessions where people are not known, that must have asked in vain before a playbook is missing. */
    readonly minAskedBy: number;
  };
}

/** What one configuration file says: any key of `Config`, and any key of its sections, may be absent. */
export interface PartialConfig {
  readonly sources?: Config['sources'];
  readonly starter?: boolean;
  readonly workspace?: Partial<Config['workspace']>;
  readonly upstreams?: Config['upstreams'];
  readonly commands?: Config['commands'];
  readonly tagRules?: Config['tagRules'];
  readonly retired?: Config['retired'];
  readonly code?: Partial<Config['code']>;
  readonly limits?: Partial<Config['limits']>;
  readonly usage?: Partial<Config['usage']>;
  readonly http?: Partial<Config['http']>;
  readonly lint?: Partial<Config['lint']>;
  readonly search?: Partial<Config['search']>;
  readonly review?: Partial<Config['review']>;
}

/** What the command line says about playbooks; the rest of it belongs to single commands. */
export interface Flags {
  /** `--playbooks`, as written. */
  readonly playbooks: readonly string[];
  /** `--workspace`, as written: the allow-list. */
  readonly workspaces: readonly string[];
  /** False for `--no-starter`. */
  readonly starter: boolean;
}
