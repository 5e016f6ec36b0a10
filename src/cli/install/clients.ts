import { editProperty, type PropertyChange, readProperty } from '../../config/edit-property.ts';
import { editTable, readTable } from '../../config/edit-table.ts';
import { isJsonObject, type JsonObject } from '../../model.ts';
import type { ClientId } from './client-paths.ts';
import type { Launch } from './launch.ts';

/** How the text of a format is read and edited. */
export interface TextFormat {
  readonly read: (source: string, path: string, keys: readonly string[]) => unknown;
  readonly edit: (source: string, path: string, change: PropertyChange) => string;
}

/** How one client writes down its servers. */
export interface Client {
  readonly id: ClientId;
  /** As people call it. */
  readonly label: string;
  /** Key of the object that holds the servers by name. */
  readonly section: string;
  readonly format: TextFormat;
  /** The entry that starts a program. */
  readonly entryFor: (launch: Launch) => JsonObject;
  /** What a person has to do before the client sees the change. */
  readonly next: string;
}

/** JSON with comments, which our own configuration is in too. */
export const JSONC: TextFormat = { read: readProperty, edit: editProperty };
const TOML: TextFormat = { read: readTable, edit: editTable };

const plain = ({ command, args }: Launch): JsonObject => ({ command, args });
const typed = ({ command, args }: Launch): JsonObject => ({ type: 'stdio', command, args });

const CLIENTS: Readonly<Record<ClientId, Omit<Client, 'id'>>> = {
  'claude-code': {
    label: 'Claude Code',
    section: 'mcpServers',
    format: JSONC,
    entryFor: typed,
    next: 'Start a new session; /mcp shows the server. A server of a project asks for approval first.',
  },
  'claude-desktop': {
    label: 'Claude Desktop',
    section: 'mcpServers',
    format: JSONC,
    entryFor: plain,
    next: 'Quit Claude Desktop and start it again.',
  },
  cursor: {
    label: 'Cursor',
    section: 'mcpServers',
    format: JSONC,
    entryFor: typed,
    next: 'Switch the server on in Settings, under MCP, if Cursor has not done so.',
  },
  vscode: {
    label: 'VS Code',
    section: 'servers',
    format: JSONC,
    entryFor: typed,
    next: 'Run "MCP: List Servers" and start it; VS Code asks whether you trust it.',
  },
  codex: {
    label: 'Codex',
    section: 'mcp_servers',
    format: TOML,
    entryFor: plain,
    next: 'Start a new session; /mcp shows the server. A project’s file counts only where the project is trusted.',
  },
  gemini: {
    label: 'Gemini CLI',
    section: 'mcpServers',
    format: JSONC,
    entryFor: plain,
    next: 'Start a new session; /mcp shows the server.',
  },
  windsurf: {
    label: 'Windsurf',
    section: 'mcpServers',
    format: JSONC,
    entryFor: plain,
    next: 'Press refresh in the MCP panel of Cascade.',
  },
  zed: {
    label: 'Zed',
    section: 'context_servers',
    format: JSONC,
    // Zed before 2026 wants `source`; later ones leave it unread.
    entryFor: ({ command, args }) => ({ source: 'custom', command, args, env: {} }),
    next: 'Zed starts it by itself; a dot in the agent panel’s settings turns green.',
  },
  opencode: {
    label: 'OpenCode',
    section: 'mcp',
    format: JSONC,
    entryFor: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    next: 'Start a new session. A server of a project asks for approval first.',
  },
};

/** The client of an id. */
export function clientOf(id: ClientId): Client {
  return { id, ...CLIENTS[id] };
}

/** The servers of a client's file, by name, in the order written; what is no object is left out. */
export function serversIn(client: Client, source: string, path: string): ReadonlyMap<string, JsonObject> {
  const section = client.format.read(source, path, [client.section]);
  const entries = isJsonObject(section) ? Object.entries(section) : [];
  return new Map(entries.flatMap(([name, entry]) => (isJsonObject(entry) ? [[name, entry] as const] : [])));
}

/** Words that no other server's arguments have: our package in a version, or our script. */
const OURS_ALONE = /(?:^(?:@[^\\/]+\/)?playbook-mcp@[^\\/]*|(?:^|[\\/])playbook-mcp\.(?:js|ts))$/;
const OUR_PROGRAM = /(?:^|[\\/])playbook-mcp(?:\.cmd|\.exe)?$/;
/** Our program as another one starts it: as a package, or as a link to it. */
const OUR_ARGUMENT = /^(?:@[^\\/]+\/)?playbook-mcp$|[\\/]\.?bin[\\/]playbook-mcp(?:\.cmd|\.exe)?$/;
/** What stands before the program that an entry starts. */
const LAUNCHER =
  /^(?:-.*|\/[a-z]|(?:.*[\\/])?(?:npx|npm|pnpm|yarn|bun|bunx|node|tsx|cmd|env)(?:\.cmd|\.exe)?|exec|dlx|x|run|\w+=.*)$/i;

/**
 * Whether an entry starts this program, in whatever way. A folder of our name among the arguments of another server is none: people
 * let servers for files or git work on a checkout of ours.
 */
export function startsUs(entry: JsonObject): boolean {
  return placeOfUs(wordsOf(entry)) !== -1;
}

/** What an entry that starts this program hands to it. */
export function flagsIn(entry: JsonObject): readonly string[] {
  const words = wordsOf(entry);
  const behind = words.slice(placeOfUs(words) + 1);
  // `npx --package playbook-mcp@1 playbook-mcp`, `npm exec playbook-mcp -- `.
  const first = behind.findIndex((word) => word !== '--' && !OUR_ARGUMENT.test(word));
  return first === -1 ? [] : behind.slice(first);
}

/** Zed's older form and OpenCode's list have the program one level deeper. */
function wordsOf({ command, args }: JsonObject): readonly string[] {
  const words = isJsonObject(command) ? [command['path'], command['args']] : [command, args];
  return words.flat().filter((word) => typeof word === 'string');
}

/** Index of the word that is our program; -1 where none is. */
function placeOfUs(words: readonly string[]): number {
  if (OUR_PROGRAM.test(words[0] ?? '')) return 0;
  const alone = words.findIndex((word) => OURS_ALONE.test(word));
  if (alone !== -1) return alone;
  const first = words.findIndex((word) => !LAUNCHER.test(word));
  return OUR_ARGUMENT.test(words[first] ?? '') ? first : -1;
}
