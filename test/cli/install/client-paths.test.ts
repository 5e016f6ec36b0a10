import { describe, expect, it } from 'vitest';
import { CLIENT_IDS, type Machine, projectPaths, userPaths } from '../../../src/cli/install/client-paths.ts';

const WINDOWS: Machine = {
  platform: 'win32',
  env: { USERPROFILE: 'C:\\Users\\ada', APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' },
};
const MACOS: Machine = { platform: 'darwin', env: { HOME: '/Users/ada' } };
const LINUX: Machine = { platform: 'linux', env: { HOME: '/home/ada' } };

function firstOfEach(machine: Machine): Record<string, string> {
  return Object.fromEntries(CLIENT_IDS.map((client) => [client, userPaths(client, machine)[0]]));
}

describe('userPaths', () => {
  it('is where each client looks on Windows', () => {
    expect(firstOfEach(WINDOWS)).toEqual({
      'claude-code': 'C:\\Users\\ada\\.claude.json',
      'claude-desktop': 'C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
      cursor: 'C:\\Users\\ada\\.cursor\\mcp.json',
      vscode: 'C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json',
      codex: 'C:\\Users\\ada\\.codex\\config.toml',
      gemini: 'C:\\Users\\ada\\.gemini\\settings.json',
      windsurf: 'C:\\Users\\ada\\.codeium\\windsurf\\mcp_config.json',
      zed: 'C:\\Users\\ada\\AppData\\Roaming\\Zed\\settings.json',
      opencode: 'C:\\Users\\ada\\.config\\opencode\\opencode.json',
    });
  });

  it('is where each client looks on macOS', () => {
    expect(firstOfEach(MACOS)).toEqual({
      'claude-code': '/Users/ada/.claude.json',
      'claude-desktop': '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
      cursor: '/Users/ada/.cursor/mcp.json',
      vscode: '/Users/ada/Library/Application Support/Code/User/mcp.json',
      codex: '/Users/ada/.codex/config.toml',
      gemini: '/Users/ada/.gemini/settings.json',
      windsurf: '/Users/ada/.codeium/windsurf/mcp_config.json',
      zed: '/Users/ada/.config/zed/settings.json',
      opencode: '/Users/ada/.config/opencode/opencode.json',
    });
  });

  it('is where each client looks on Linux', () => {
    expect(firstOfEach(LINUX)).toEqual({
      'claude-code': '/home/ada/.claude.json',
      'claude-desktop': '/home/ada/.config/Claude/claude_desktop_config.json',
      cursor: '/home/ada/.cursor/mcp.json',
      vscode: '/home/ada/.config/Code/User/mcp.json',
      codex: '/home/ada/.codex/config.toml',
      gemini: '/home/ada/.gemini/settings.json',
      windsurf: '/home/ada/.codeium/windsurf/mcp_config.json',
      zed: '/home/ada/.config/zed/settings.json',
      opencode: '/home/ada/.config/opencode/opencode.json',
    });
  });

  it.each([
    { name: 'XDG_CONFIG_HOME', client: 'zed', value: '/x', path: '/x/zed/settings.json' },
    { name: 'XDG_CONFIG_HOME', client: 'opencode', value: '/x', path: '/x/opencode/opencode.json' },
    { name: 'XDG_CONFIG_HOME', client: 'vscode', value: '/x', path: '/x/Code/User/mcp.json' },
    { name: 'XDG_CONFIG_HOME', client: 'zed', value: 'relative', path: '/home/ada/.config/zed/settings.json' },
    { name: 'CLAUDE_CONFIG_DIR', client: 'claude-code', value: '/x', path: '/x/.claude.json' },
    { name: 'CODEX_HOME', client: 'codex', value: '/x', path: '/x/config.toml' },
    { name: 'GEMINI_CLI_HOME', client: 'gemini', value: '/x', path: '/x/.gemini/settings.json' },
  ] as const)('follows $name=$value for $client', ({ name, client, value, path }) => {
    expect(userPaths(client, { ...LINUX, env: { ...LINUX.env, [name]: value } })[0]).toBe(path);
  });

  it('falls back to the folder below the profile on a Windows without APPDATA', () => {
    const machine: Machine = { platform: 'win32', env: { USERPROFILE: 'D:\\ada' } };
    expect(userPaths('zed', machine)[0]).toBe('D:\\ada\\AppData\\Roaming\\Zed\\settings.json');
  });
});

describe('projectPaths', () => {
  it('is below the project, and nowhere for clients that have no servers of a project', () => {
    const first = CLIENT_IDS.map((client) => [client, projectPaths(client, LINUX, '/work')?.[0]]);
    expect(Object.fromEntries(first)).toEqual({
      'claude-code': '/work/.mcp.json',
      'claude-desktop': undefined,
      cursor: '/work/.cursor/mcp.json',
      vscode: '/work/.vscode/mcp.json',
      codex: '/work/.codex/config.toml',
      gemini: '/work/.gemini/settings.json',
      windsurf: undefined,
      zed: '/work/.zed/settings.json',
      opencode: '/work/opencode.json',
    });
  });
});
