import path from 'node:path';
import type { Env } from '../../config/index.ts';
import { homeDirectory } from '../../config/paths.ts';

/** Clients whose configuration we can write. */
export const CLIENT_IDS = [
  'claude-code',
  'claude-desktop',
  'cursor',
  'vscode',
  'codex',
  'gemini',
  'windsurf',
  'zed',
  'opencode',
] as const;

export type ClientId = (typeof CLIENT_IDS)[number];

/** The machine that a client runs on. */
export interface Machine {
  readonly platform: 'win32' | 'darwin' | 'linux';
  readonly env: Env;
}

/** What `process.platform` is taken for: every Unix but macOS keeps its configuration as Linux does. */
export function machineOf(env: Env, platform: NodeJS.Platform = process.platform): Machine {
  return { platform: platform === 'win32' || platform === 'darwin' ? platform : 'linux', env };
}

/**
 * Files in which a client keeps its user's servers, absolute: the first that exists counts, else the first of all.
 * @see docs/clients.md for where each is documented
 */
export function userPaths(client: ClientId, machine: Machine): readonly [string, ...string[]] {
  const flavour = flavourOf(machine);
  const join = (...parts: string[]): string => flavour.join(...parts);
  const home = homeDirectory(machine.env, machine.platform);
  switch (client) {
    case 'claude-code':
      return [join(fromEnv(machine, 'CLAUDE_CONFIG_DIR') ?? home, '.claude.json')];
    case 'claude-desktop':
      return [join(applicationData(machine), 'Claude', 'claude_desktop_config.json')];
    case 'cursor':
      return [join(home, '.cursor', 'mcp.json')];
    case 'vscode':
      return [join(applicationData(machine), 'Code', 'User', 'mcp.json')];
    case 'codex':
      return [join(fromEnv(machine, 'CODEX_HOME') ?? join(home, '.codex'), 'config.toml')];
    case 'gemini':
      return [join(fromEnv(machine, 'GEMINI_CLI_HOME') ?? home, '.gemini', 'settings.json')];
    case 'windsurf':
      return [join(home, '.codeium', 'windsurf', 'mcp_config.json')];
    case 'zed':
      return [join(zedFolder(machine), 'settings.json')];
    case 'opencode': {
      const folder = join(xdgConfig(machine), 'opencode');
      return [join(folder, 'opencode.json'), join(folder, 'opencode.jsonc')];
    }
  }
}

/** As `userPaths`, for the servers of one project; undefined for a client that has none. */
export function projectPaths(
  client: ClientId,
  machine: Machine,
  project: string,
): readonly [string, ...string[]] | undefined {
  const flavour = flavourOf(machine);
  const join = (...parts: string[]): string => flavour.join(...parts);
  switch (client) {
    case 'claude-code':
      return [join(project, '.mcp.json')];
    case 'cursor':
      return [join(project, '.cursor', 'mcp.json')];
    case 'vscode':
      return [join(project, '.vscode', 'mcp.json')];
    case 'codex':
      return [join(project, '.codex', 'config.toml')];
    case 'gemini':
      return [join(project, '.gemini', 'settings.json')];
    case 'zed':
      return [join(project, '.zed', 'settings.json')];
    case 'opencode':
      return [join(project, 'opencode.json'), join(project, 'opencode.jsonc')];
    case 'claude-desktop':
    case 'windsurf':
      return undefined;
  }
}

function flavourOf({ platform }: Machine): path.PlatformPath {
  return platform === 'win32' ? path.win32 : path.posix;
}

/** An absolute folder of a variable. */
function fromEnv(machine: Machine, name: string): string | undefined {
  const value = machine.env[name];
  return value !== undefined && flavourOf(machine).isAbsolute(value) ? value : undefined;
}

/** `~/.config`, on every system, or what `XDG_CONFIG_HOME` says. */
function xdgConfig(machine: Machine): string {
  const home = homeDirectory(machine.env, machine.platform);
  return fromEnv(machine, 'XDG_CONFIG_HOME') ?? flavourOf(machine).join(home, '.config');
}

/** Where Electron keeps what belongs to an application. */
function applicationData(machine: Machine): string {
  const home = homeDirectory(machine.env, machine.platform);
  if (machine.platform === 'win32') return roaming(machine, home);
  if (machine.platform === 'darwin') return path.posix.join(home, 'Library', 'Application Support');
  return xdgConfig(machine);
}

function zedFolder(machine: Machine): string {
  const home = homeDirectory(machine.env, machine.platform);
  if (machine.platform === 'win32') return path.win32.join(roaming(machine, home), 'Zed');
  if (machine.platform === 'darwin') return path.posix.join(home, '.config', 'zed');
  return path.posix.join(xdgConfig(machine), 'zed');
}

function roaming(machine: Machine, home: string): string {
  return fromEnv(machine, 'APPDATA') ?? path.win32.join(home, 'AppData', 'Roaming');
}
