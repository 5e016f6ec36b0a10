import { resolve } from 'node:path';
import { type Env, parseConfig } from '../../config/index.ts';
import { homeDirectory } from '../../config/paths.ts';
import { isJsonObject, type JsonObject } from '../../model.ts';
import type { ClientId } from './client-paths.ts';

/** A client's server in the terms of our own configuration, or why it cannot be. */
export type Translation =
  | {
      readonly kind: 'server';
      readonly entry: JsonObject;
      /** Keys that mean nothing here, and variables that are not set here; never a value. */
      readonly notes: readonly string[];
    }
  | { readonly kind: 'refused'; readonly reason: string };

interface Surroundings {
  readonly client: ClientId;
  /** The project whose file it is of; undefined for a user's file. */
  readonly project: string | undefined;
  readonly env: Env;
}

/** A server of a client as one of ours, with the variables of that client's syntax in ours. */
export function translate(name: string, written: JsonObject, { client, project, env }: Surroundings): Translation {
  const syntax = SYNTAX[client];
  const unreadable = stringsOf(written).find((text) => syntax.refuses.test(text));
  if (unreadable !== undefined) {
    const [variable = ''] = syntax.refuses.exec(unreadable) ?? [];
    return { kind: 'refused', reason: `${variable}…} in it has a value only in ${client}` };
  }
  const expandable = syntax.toOurs === undefined ? written : mapStrings(written, syntax.toOurs);
  const { entry, unread } = (SHAPES[client] ?? toOurs)(isJsonObject(expandable) ? expandable : {});
  if (entry.command === undefined && entry.url === undefined) {
    return { kind: 'refused', reason: `only ${client} can start it: it names neither a program nor an address` };
  }
  const placed = project === undefined ? entry : belowProject(entry, project);
  const problem = problemOf(name, placed, env);
  if (problem !== undefined) return { kind: 'refused', reason: problem };
  const unset = variablesOf(placed).filter((variable) => env[variable] === undefined);
  const notes = [
    ...(unread.length === 0 ? [] : [`${unread.join(', ')} means nothing here`]),
    ...unset.map((variable) => `${variable} is not set here; it must be where playbook-mcp is started`),
  ];
  return { kind: 'server', entry: placed, notes };
}

interface Syntax {
  /** References that only the client itself can resolve. */
  readonly refuses: RegExp;
  readonly toOurs?: (text: string) => string;
}

const ONLY_THERE = /\$\{(?:input|workspaceFolder|file|command|config)\b/;
const EXPANDS: Syntax = { refuses: ONLY_THERE };
/** What stands there is meant as it is, and we would expand it. */
const LITERAL: Syntax = { refuses: /\$\{/ };

const SYNTAX: Readonly<Record<ClientId, Syntax>> = {
  'claude-code': EXPANDS,
  'claude-desktop': LITERAL,
  cursor: EXPANDS,
  vscode: EXPANDS,
  codex: LITERAL,
  gemini: { refuses: ONLY_THERE, toOurs: (text) => text.replaceAll(/\$([A-Za-z_]\w*)/g, '${$1}') },
  windsurf: EXPANDS,
  zed: LITERAL,
  opencode: { refuses: /\{file:|\$\{/, toOurs: (text) => text.replaceAll(/\{env:(\w+)\}/g, '${$1}') },
};

interface Shaped {
  readonly entry: JsonObject;
  /** Keys that were left out. */
  readonly unread: readonly string[];
}

const SHAPES: Partial<Record<ClientId, (written: JsonObject) => Shaped>> = {
  gemini: ({ httpUrl, url, includeTools, excludeTools, timeout, ...rest }) =>
    toOurs({
      ...rest,
      ...given({ allow: includeTools, deny: excludeTools, timeoutMs: timeout }),
      ...(httpUrl === undefined ? given({ url, ...(url !== undefined && { type: rest.type ?? 'sse' }) }) : {}),
      ...(httpUrl === undefined ? {} : { url: httpUrl, type: 'http' }),
    }),
  windsurf: ({ serverUrl, disabledTools, ...rest }) =>
    toOurs({ ...rest, ...given({ url: serverUrl, deny: disabledTools }) }),
  codex: fromCodex,
  zed: fromZed,
  opencode: fromOpenCode,
};

function fromCodex(written: JsonObject): Shaped {
  const {
    env_vars: inherited,
    bearer_token_env_var: bearer,
    http_headers: headers,
    env_http_headers,
    ...rest
  } = written;
  const { enabled, enabled_tools: allow, disabled_tools: deny, tool_timeout_sec: seconds, ...plain } = rest;
  const references = (names: unknown): JsonObject =>
    Object.fromEntries(
      (Array.isArray(names) ? names.map((each) => [each, each]) : Object.entries(isJsonObject(names) ? names : {})).map(
        ([key, variable]) => [String(key), `\${${String(variable)}}`],
      ),
    );
  const env = { ...references(inherited), ...(isJsonObject(plain.env) && plain.env) };
  const sent = {
    ...(isJsonObject(headers) && headers),
    ...references(env_http_headers),
    ...(typeof bearer === 'string' && { Authorization: `Bearer \${${bearer}}` }),
  };
  return toOurs({
    ...plain,
    ...given({ allow, deny, timeoutMs: typeof seconds === 'number' ? Math.round(seconds * 1000) : undefined }),
    ...(Object.keys(env).length > 0 && { env }),
    ...(Object.keys(sent).length > 0 && { headers: sent }),
    ...(enabled === false && { disabled: true }),
  });
}

function fromZed({ source: _source, enabled, command, ...rest }: JsonObject): Shaped {
  // Until 2025 the program was an object of its own.
  const { path, args, env } = isJsonObject(command) ? command : {};
  const program = isJsonObject(command) ? given({ command: path, args, env }) : given({ command });
  return toOurs({ ...rest, ...program, ...(enabled === false && { disabled: true }) });
}

function fromOpenCode({ command, environment, enabled, oauth, type: _type, ...rest }: JsonObject): Shaped {
  const [program, ...args] = Array.isArray(command) ? command : [];
  const { clientId, clientSecret, scope } = isJsonObject(oauth) ? oauth : {};
  const client = given({ clientId, clientSecret, scopes: scope });
  return toOurs({
    ...rest,
    ...(program !== undefined && { command: program, args }),
    ...given({ env: environment }),
    ...(Object.keys(client).length > 0 && { oauth: client }),
    ...(enabled === false && { disabled: true }),
  });
}

const OURS = ['type', 'command', 'args', 'env', 'cwd', 'envFile', 'url', 'headers', 'oauth', 'auth', 'disabled'];
const CARRIED: ReadonlySet<string> = new Set([...OURS, 'allow', 'deny', 'timeoutMs']);

/** The keys that mean the same here. */
function toOurs(written: JsonObject): Shaped {
  const pairs = Object.entries(written).filter(([, value]) => value !== undefined && value !== null);
  return {
    entry: Object.fromEntries(pairs.filter(([key]) => CARRIED.has(key))),
    unread: pairs.map(([key]) => key).filter((key) => !CARRIED.has(key)),
  };
}

function given(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** A project's servers are started in it, and their paths begin there. */
function belowProject(entry: JsonObject, project: string): JsonObject {
  if (entry.command === undefined) return entry;
  const { cwd, envFile } = entry;
  return {
    ...entry,
    cwd: typeof cwd === 'string' ? resolve(project, cwd) : project,
    ...(typeof envFile === 'string' && { envFile: resolve(project, envFile) }),
  };
}

/** Why our configuration would not take it; a variable that is only unset is no reason. */
function problemOf(name: string, entry: JsonObject, env: Env): string | undefined {
  const stated = Object.fromEntries(variablesOf(entry).map((variable) => [variable, env[variable] ?? 'x']));
  const { diagnostics } = parseConfig(JSON.stringify({ mcpServers: { [name]: entry } }), '/config.json', {
    env: { ...env, ...stated },
    homeDirectory: homeDirectory(env),
    scope: 'user',
  });
  // It stays on where it is.
  return diagnostics.find(({ severity }) => severity === 'error')?.message.replace(/; (?:it|`[^`]*`) is off\.$/, '');
}

function variablesOf(entry: JsonObject): readonly string[] {
  const found = stringsOf(entry).flatMap((text) => [...text.matchAll(/\$\{(?:env:)?([A-Za-z_]\w*)\}/g)]);
  return [...new Set(found.flatMap(([, variable]) => variable ?? []))].filter((variable) => variable !== 'userHome');
}

function stringsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsOf);
  return isJsonObject(value) ? Object.values(value).flatMap(stringsOf) : [];
}

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapStrings(each, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapStrings(each, change)]));
}
