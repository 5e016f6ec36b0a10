import { describe, expect, it } from 'vitest';
import { expandHome, homeDirectory, stateDirs } from '../../src/config/index.ts';

describe('stateDirs', () => {
  it('follows the XDG defaults on Linux', () => {
    expect(stateDirs({ HOME: '/home/a' }, 'linux')).toEqual({
      config: '/home/a/.config/playbook-mcp',
      data: '/home/a/.local/share/playbook-mcp',
      cache: '/home/a/.cache/playbook-mcp',
      state: '/home/a/.local/state/playbook-mcp',
    });
  });

  it('takes the XDG variables on every platform, but not a relative or empty one', () => {
    const env = {
      HOME: '/home/a',
      XDG_CONFIG_HOME: '/x/config',
      XDG_DATA_HOME: 'relative',
      XDG_CACHE_HOME: '',
      XDG_STATE_HOME: '/x/state',
    };
    expect(stateDirs(env, 'darwin')).toEqual({
      config: '/x/config/playbook-mcp',
      data: '/home/a/Library/Application Support/playbook-mcp',
      cache: '/home/a/Library/Caches/playbook-mcp',
      state: '/x/state/playbook-mcp',
    });
  });

  it('keeps the configuration of macOS in ~/.config', () => {
    expect(stateDirs({ HOME: '/Users/a' }, 'darwin').config).toBe('/Users/a/.config/playbook-mcp');
  });

  it('takes what Windows says about its folders', () => {
    const env = { USERPROFILE: 'C:\\Users\\a', APPDATA: 'D:\\Roaming' };
    expect(stateDirs(env, 'win32')).toEqual({
      config: 'D:\\Roaming\\playbook-mcp',
      data: 'C:\\Users\\a\\AppData\\Local\\playbook-mcp\\data',
      cache: 'C:\\Users\\a\\AppData\\Local\\playbook-mcp\\cache',
      state: 'C:\\Users\\a\\AppData\\Local\\playbook-mcp\\state',
    });
  });

  it('keeps everything under PLAYBOOK_MCP_HOME where it is set', () => {
    const env = { HOME: '/home/a', PLAYBOOK_MCP_HOME: '~/pb', XDG_CONFIG_HOME: '/x' };
    expect(stateDirs(env, 'linux')).toEqual({
      config: '/home/a/pb',
      data: '/home/a/pb/data',
      cache: '/home/a/pb/cache',
      state: '/home/a/pb/state',
    });
  });
});

describe('homeDirectory', () => {
  it.each([
    { name: 'HOME', env: { HOME: '/h', USERPROFILE: 'C:\\u' }, platform: 'linux', expected: '/h' },
    { name: 'USERPROFILE on Windows', env: { HOME: '/h', USERPROFILE: 'C:\\u' }, platform: 'win32', expected: 'C:\\u' },
    { name: 'HOME on Windows without USERPROFILE', env: { HOME: '/h' }, platform: 'win32', expected: '/h' },
  ] as const)('is $name', ({ env, platform, expected }) => {
    expect(homeDirectory(env, platform)).toBe(expected);
  });

  it('is what the system says where the environment says nothing', () => {
    expect(homeDirectory({ HOME: '' })).not.toBe('');
  });
});

describe('expandHome', () => {
  it.each([
    { written: '~', expected: '/h' },
    { written: '~/a', expected: '/h/a' },
    { written: '~\\a', expected: '/h\\a' },
    { written: '~bob/a', expected: '~bob/a' },
    { written: '/a/~/b', expected: '/a/~/b' },
  ])('makes $expected of $written', ({ written, expected }) => {
    expect(expandHome(written, '/h')).toBe(expected);
  });
});
