import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig, type ParsedConfig, type UpstreamConfig } from '../../src/config/index.ts';

const shared = { name: 'a', tags: [], allow: ['*'], deny: [], timeoutMs: 60_000 };

function parse(text: string): ParsedConfig {
  return parseConfig(text, resolve('/etc/pb/config.json'), {
    env: { TOKEN: 't' },
    homeDirectory: resolve('/home/a'),
    scope: 'user',
  });
}

describe('a server', () => {
  const rows: readonly { name: string; server: object; section?: string; expected: UpstreamConfig }[] = [
    {
      name: 'as Claude and Cursor write it is a process',
      server: { command: 'npx', args: ['-y', 'x'], env: { TOKEN: '${TOKEN}' } },
      expected: { ...shared, transport: 'stdio', command: 'npx', args: ['-y', 'x'], env: { TOKEN: 't' } },
    },
    {
      name: 'with `oauth` as Claude Code and Gemini write it',
      server: {
        url: 'https://a/mcp',
        oauth: { clientId: 'c', clientSecret: '${TOKEN}', scopes: 'read write', callbackPort: 8080, enabled: true },
      },
      expected: {
        ...shared,
        transport: 'http',
        url: 'https://a/mcp',
        headers: {},
        oauth: { clientId: 'c', clientSecret: 't', scopes: ['read', 'write'], callbackPort: 8080 },
      },
    },
    {
      name: 'with `auth` as Cursor writes it',
      server: { url: 'https://a/mcp', auth: { CLIENT_ID: 'c', CLIENT_SECRET: 's', scopes: ['read'] } },
      expected: {
        ...shared,
        transport: 'http',
        url: 'https://a/mcp',
        headers: {},
        oauth: { clientId: 'c', clientSecret: 's', scopes: ['read'] },
      },
    },
    {
      name: 'as VS Code writes it is a process',
      section: 'servers',
      server: {
        type: 'stdio',
        command: 'npx',
        cwd: '~/x',
        envFile: '.env',
        env: { PORT: 80, ON: true, NONE: null },
        dev: { watch: 'a' },
      },
      expected: {
        ...shared,
        transport: 'stdio',
        command: 'npx',
        args: [],
        env: { PORT: '80', ON: 'true' },
        cwd: resolve('/home/a/x'),
        envFile: resolve('/etc/pb/.env'),
      },
    },
    {
      name: 'with a URL is reached over Streamable HTTP',
      server: { url: 'https://x/mcp', headers: { Authorization: 'Bearer ${TOKEN}' } },
      expected: { ...shared, transport: 'http', url: 'https://x/mcp', headers: { Authorization: 'Bearer t' } },
    },
    {
      name: 'of type http is reached over it',
      server: { type: 'http', url: 'http://localhost:1' },
      expected: { ...shared, transport: 'http', url: 'http://localhost:1', headers: {} },
    },
    {
      name: 'of type streamable-http is reached over it',
      server: { type: 'streamable-http', url: 'http://x' },
      expected: { ...shared, transport: 'http', url: 'http://x', headers: {} },
    },
    {
      name: 'of type sse is reached over SSE',
      server: { type: 'sse', url: 'http://x' },
      expected: { ...shared, transport: 'sse', url: 'http://x', headers: {} },
    },
    {
      name: 'keeps what we add',
      server: {
        url: 'http://x',
        tags: ['domain:code'],
        allow: ['get_*'],
        deny: ['delete_*'],
        timeoutMs: 5,
        confirm: 'destructive',
        idleStop: '10m',
      },
      expected: {
        ...shared,
        transport: 'http',
        url: 'http://x',
        headers: {},
        tags: ['domain:code'],
        allow: ['get_*'],
        deny: ['delete_*'],
        timeoutMs: 5,
        confirm: 'destructive',
        idleStopMs: 600_000,
      },
    },
    {
      name: 'whose timeout is longer than any timer gets the longest',
      server: { url: 'http://x', timeoutMs: 9_999_999_999 },
      expected: { ...shared, transport: 'http', url: 'http://x', headers: {}, timeoutMs: 2_147_483_647 },
    },
    {
      name: 'stops when idle for milliseconds',
      server: { url: 'http://x', idleStop: 1500 },
      expected: { ...shared, transport: 'http', url: 'http://x', headers: {}, idleStopMs: 1500 },
    },
    {
      name: 'that is switched off needs none of its variables',
      server: { command: 'a', env: { KEY: '${input:key}' }, disabled: true },
      expected: { ...shared, transport: 'stdio', command: 'a', args: [], env: { KEY: '${input:key}' }, disabled: true },
    },
    {
      name: 'may bring the keys of other clients',
      server: {
        command: 'a',
        autoApprove: ['x'],
        alwaysAllow: [],
        timeout: 60,
        trust: true,
        version: '1',
        gallery: true,
      },
      expected: { ...shared, transport: 'stdio', command: 'a', args: [], env: {} },
    },
  ];
  it.each(rows)('$name', ({ server, section = 'mcpServers', expected }) => {
    const { config, diagnostics } = parse(JSON.stringify({ [section]: { a: server } }));
    expect(config.upstreams).toEqual([expected]);
    expect(diagnostics).toEqual([]);
  });

  it.each([
    { name: 'an input of VS Code', text: '${input:key}', reason: 'asks a person' },
    { name: 'an unset variable', text: '${NONE}', reason: 'NONE is not set' },
    { name: 'the folder of a workspace', text: '${workspaceFolder}', reason: 'many workspaces' },
  ])('that needs $name is off, with the reason, and no other is', ({ text, reason }) => {
    const { config, diagnostics } = parse(
      JSON.stringify({ mcpServers: { a: { command: 'a', args: [text] }, b: { command: 'b' } } }),
    );
    expect(config.upstreams?.map(({ name }) => name)).toEqual(['b']);
    expect(diagnostics).toMatchObject([{ severity: 'error', message: expect.stringContaining(reason) }]);
    expect(diagnostics[0]?.message).toContain('`mcpServers.a` is off');
  });
});
