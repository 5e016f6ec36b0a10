import { homedir } from 'node:os';
import path from 'node:path';

import type { Env } from './types.ts';

/** Folders of this product on one machine, absolute; none of them need exist. */
export interface StateDirs {
  /** The user's configuration, and `playbooks/` beside it. */
  readonly config: string;
  /** What must not be lost: trust. */
  readonly data: string;
  /** What can be made again: definitions, indexes, clones. */
  readonly cache: string;
  /** What one run leaves to the next: usage, logins, locks. */
  readonly state: string;
}

const NAME = 'playbook-mcp';

/**
 * The home directory: `HOME` (`USERPROFILE` on Windows), else what the system says.
 * Read from `env` first, so that a test or a sandbox can move it.
 */
export function homeDirectory(env: Env, platform: NodeJS.Platform = process.platform): string {
  const home = platform === 'win32' ? (env.USERPROFILE ?? env.HOME) : env.HOME;
  return home === undefined || home === '' ? homedir() : home;
}

/**
 * Where configuration and state live: all of it under `PLAYBOOK_MCP_HOME` when set (the configuration directly in it), else
 * the XDG directories where set, else what the platform expects. macOS keeps its configuration in `~/.config`, since it is
 * written by hand and people look for it there.
 * @see https://specifications.freedesktop.org/basedir-spec/latest/ (a relative path in a variable is ignored)
 */
export function stateDirs(env: Env, platform: NodeJS.Platform = process.platform): StateDirs {
  const flavour = platform === 'win32' ? path.win32 : path.posix;
  const own = env.PLAYBOOK_MCP_HOME;
  if (own !== undefined && own !== '') {
    const root = flavour.resolve(expandHome(own, homeDirectory(env, platform)));
    return {
      config: root,
      data: flavour.join(root, 'data'),
      cache: flavour.join(root, 'cache'),
      state: flavour.join(root, 'state'),
    };
  }
  const base = (variable: string, fallback: string): string => {
    const value = env[variable];
    return value !== undefined && flavour.isAbsolute(value) ? flavour.join(value, NAME) : fallback;
  };
  const fallback = platformDirs(env, platform);
  return {
    config: base('XDG_CONFIG_HOME', fallback.config),
    data: base('XDG_DATA_HOME', fallback.data),
    cache: base('XDG_CACHE_HOME', fallback.cache),
    state: base('XDG_STATE_HOME', fallback.state),
  };
}

function platformDirs(env: Env, platform: NodeJS.Platform): StateDirs {
  const home = homeDirectory(env, platform);
  if (platform === 'win32') return windowsDirs(env, home);
  const config = path.posix.join(home, '.config', NAME);
  if (platform === 'darwin') {
    const support = path.posix.join(home, 'Library', 'Application Support', NAME);
    return {
      config,
      data: support,
      cache: path.posix.join(home, 'Library', 'Caches', NAME),
      state: path.posix.join(support, 'state'),
    };
  }
  return {
    config,
    data: path.posix.join(home, '.local', 'share', NAME),
    cache: path.posix.join(home, '.cache', NAME),
    state: path.posix.join(home, '.local', 'state', NAME),
  };
}

function windowsDirs(env: Env, home: string): StateDirs {
  const roaming = env.APPDATA ?? path.win32.join(home, 'AppData', 'Roaming');
  const local = path.win32.join(env.LOCALAPPDATA ?? path.win32.join(home, 'AppData', 'Local'), NAME);
  return {
    config: path.win32.join(roaming, NAME),
    data: path.win32.join(local, 'data'),
    cache: path.win32.join(local, 'cache'),
    state: path.win32.join(local, 'state'),
  };
}

/** The path with a leading `~` replaced by the home directory; `~name` of another user is left as it is. */
export function expandHome(written: string, home: string): string {
  return /^~(?=$|[/\\])/.test(written) ? home + written.slice(1) : written;
}
