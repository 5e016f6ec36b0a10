import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseTOML, getStaticTOMLValue } from 'toml-eslint-parser';
import { describe, expect, it } from 'vitest';
import { CLIENT_IDS, type ClientId, userPaths } from '../../../src/cli/install/client-paths.ts';
import { packageInfo } from '../../../src/server/package-root.ts';
import { seedFolder } from '../../server/product.ts';
import { bin, type CliRun, runCli } from '../run-cli.ts';

interface Home {
  readonly home: string;
  readonly path: (client: ClientId) => string;
  readonly run: (...args: string[]) => CliRun;
}

/** A home with the files that clients have in it. */
function homeWith(files: Partial<Record<ClientId, string>>): Home {
  const home = seedFolder({});
  const env = { HOME: home, PLAYBOOK_MCP_HOME: join(home, 'state'), XDG_CONFIG_HOME: '', CODEX_HOME: '' };
  const path = (client: ClientId): string => userPaths(client, { platform: 'linux', env })[0];
  for (const client of CLIENT_IDS) {
    const text = files[client];
    if (text === undefined) continue;
    mkdirSync(dirname(path(client)), { recursive: true });
    writeFileSync(path(client), text);
  }
  return { home, path, run: (...args) => runCli(args, { env, cwd: home }) };
}

/** A file with all that is easily lost: comments, trailing commas, order, tabs, CRLF, no final line end. */
const QUIRKS = '\uFEFF// head\r\n{\r\n\t"z": 1, // one\r\n\t/* two */\r\n\t"a": {"b": [1,2,],},\r\n}\r\n// foot';
const TOML_QUIRKS = '\uFEFF# head\r\nz = 1 # one\r\n\r\n[a]\r\nb = [1, 2,]\r\n# foot';

describe('install', () => {
  it.each(CLIENT_IDS)('writes the file of %s where there is none, and takes it away again', (client) => {
    const { home, path, run } = homeWith({});
    expect(run('install', client)).toMatchObject({ code: 0, stdout: `wrote ${path(client)}\n` });
    const text = readFileSync(path(client), 'utf8');
    const value = client === 'codex' ? getStaticTOMLValue(parseTOML(text)) : JSON.parse(text);
    expect(JSON.stringify(value)).toContain(bin.split('/').at(-1));
    expect(run('install', client, '--uninstall')).toMatchObject({ code: 0, stdout: `removed ${path(client)}\n` });
    expect(readdirSync(home)).toEqual(['state']);
  });

  it.each(CLIENT_IDS)('leaves the file of %s byte for byte as it was', (client) => {
    const text = client === 'codex' ? TOML_QUIRKS : QUIRKS;
    const { path, run } = homeWith({ [client]: text });
    expect(run('install', client).code).toBe(0);
    expect(readFileSync(path(client), 'utf8')).not.toBe(text);
    expect(run('install', client, '--uninstall').code).toBe(0);
    expect(readFileSync(path(client), 'utf8')).toBe(text);
  });

  it.each([
    { client: 'codex', text: '' },
    { client: 'gemini', text: '' },
    { client: 'gemini', text: ' \r\n' },
    { client: 'opencode', text: '{"mcp":{},"a":1}' },
  ] as const)('restores $text in the file of $client', ({ client, text }) => {
    const { path, run } = homeWith({ [client]: text });
    run('install', client);
    run('install', client, '--uninstall');
    expect(readFileSync(path(client), 'utf8')).toBe(text);
  });

  it('changes nothing the second time, and restores what was there before the first', () => {
    const { path, run } = homeWith({ cursor: '{"a": 1}' });
    run('install', 'cursor');
    const written = readFileSync(path('cursor'), 'utf8');
    expect(run('install', 'cursor')).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(path('cursor'), 'utf8')).toBe(written);
    run('install', 'cursor', '--launch', 'npx');
    expect(readFileSync(path('cursor'), 'utf8')).toContain(`playbook-mcp@${packageInfo().version}`);
    run('install', 'cursor', '--uninstall');
    expect(readFileSync(path('cursor'), 'utf8')).toBe('{"a": 1}');
    expect(run('install', 'cursor', '--uninstall')).toMatchObject({ code: 0, stdout: '' });
  });

  it('takes out only its own entry from a file that the client has changed since', () => {
    const { path, run } = homeWith({});
    run('install', 'claude-code');
    const value = JSON.parse(readFileSync(path('claude-code'), 'utf8'));
    writeFileSync(path('claude-code'), JSON.stringify({ ...value, numStartups: 1 }));
    run('install', 'claude-code', '--uninstall');
    expect(JSON.parse(readFileSync(path('claude-code'), 'utf8'))).toEqual({ numStartups: 1 });
  });

  it('keeps a backup that only its owner can read, and a link a link', () => {
    const { home, path, run } = homeWith({});
    writeFileSync(join(home, 'dotfile'), '{"a": 1}');
    mkdirSync(dirname(path('zed')), { recursive: true });
    symlinkSync(join(home, 'dotfile'), path('zed'));
    const { backup } = JSON.parse(run('install', 'zed', '--json').stdout) as { backup: string };
    expect(readFileSync(backup, 'utf8')).toBe('{"a": 1}');
    expect(statSync(backup).mode & 0o077).toBe(0);
    expect(readFileSync(join(home, 'dotfile'), 'utf8')).toContain('context_servers');
    run('install', 'zed', '--uninstall');
    expect(readFileSync(join(home, 'dotfile'), 'utf8')).toBe('{"a": 1}');
  });

  it.each([
    { client: 'vscode', text: '{ "servers": {} ', place: ':1:17' },
    { client: 'codex', text: 'a = "x\n', place: ':1:' },
  ] as const)('does not touch a broken file of $client, and names the place', ({ client, text, place }) => {
    const { path, run } = homeWith({ [client]: text });
    const { code, stderr } = run('install', client);
    expect(code).toBe(2);
    expect(stderr).toContain(`${path(client)}${place}`);
    expect(readFileSync(path(client), 'utf8')).toBe(text);
  });

  it('shows a diff without secrets in a dry run, and writes nothing', () => {
    const text = JSON.stringify(
      {
        mcpServers: {
          x: { command: 'y', args: ['--api-key', 'sk-args-1'], env: { TOKEN: 'sk-env-2' } },
          z: { url: 'https://z.test/mcp?api_key=sk-url-3', headers: { Authorization: 'Bearer sk-head-4' } },
        },
        oauthToken: 'sk-own-5',
      },
      undefined,
      2,
    );
    const { home, path, run } = homeWith({ 'claude-code': text });
    const { code, stdout, stderr } = run('install', 'claude-code', '--migrate', '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^-.*"x"/m);
    expect(stdout).toMatch(/^\+.*"playbooks"/m);
    expect(stdout + stderr).not.toMatch(/sk-/);
    expect(readFileSync(path('claude-code'), 'utf8')).toBe(text);
    expect(existsSync(join(home, 'state/config.json'))).toBe(false);
  });

  it('prints the snippet alone, with the common flags in it, and touches nothing', () => {
    const { home, run } = homeWith({});
    const { stdout } = run('--no-starter', '--playbooks', 'books', 'install', 'codex', '--print', '--launch', 'npx');
    expect(getStaticTOMLValue(parseTOML(stdout))).toEqual({
      mcp_servers: {
        playbooks: {
          command: 'npx',
          args: ['-y', `playbook-mcp@${packageInfo().version}`, '--playbooks', join(home, 'books'), '--no-starter'],
        },
      },
    });
    expect(readdirSync(home)).toEqual([]);
  });

  it('moves the servers that are there behind it, without showing a secret, and gives them back', () => {
    const text = '{\n  // mine\n  "mcpServers": { "x": { "command": "y", "env": { "TOKEN": "sk-1" } } }\n}\n';
    const { home, path, run } = homeWith({ cursor: text });
    const { code, stdout, stderr } = run('install', 'cursor', '--migrate');
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain('sk-1');
    expect(stdout).toBe(`wrote ${path('cursor')}\nwrote ${join(home, 'state/config.json')}\n`);
    expect(readFileSync(path('cursor'), 'utf8')).not.toContain('"x"');
    const config = JSON.parse(readFileSync(join(home, 'state/config.json'), 'utf8'));
    expect(config).toEqual({ mcpServers: { x: { command: 'y', env: { TOKEN: 'sk-1' } } } });
    expect(run('tools', 'status', '--offline', '--json').stdout).toContain('"x"');
    run('install', 'cursor', '--uninstall');
    expect(readFileSync(path('cursor'), 'utf8')).toBe(text);
  });

  it('writes a project’s file for everybody, and refuses a client that has none', () => {
    const { home, run } = homeWith({});
    mkdirSync(join(home, 'p/.git'), { recursive: true });
    mkdirSync(join(home, 'p/below'));
    const env = { HOME: home, PLAYBOOK_MCP_HOME: join(home, 'state') };
    const { code } = runCli(['install', 'claude-code', '--scope', 'project'], { env, cwd: join(home, 'p/below') });
    expect(code).toBe(0);
    expect(statSync(join(home, 'p/.mcp.json')).mode & 0o044).toBe(0o044);
    const { code: refused, stderr } = run('install', 'windsurf', '--scope', 'project');
    expect(refused).toBe(2);
    expect(stderr).toContain('no servers of a project');
  });

  it('refuses a client that it does not know, naming those that it does', () => {
    const { code, stderr } = runCli(['install', 'emacs']);
    expect(code).toBe(2);
    expect(stderr).toContain('claude-code');
  });
});
