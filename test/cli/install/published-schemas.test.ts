import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import { describe, expect, it } from 'vitest';
import { type ClientId, userPaths } from '../../../src/cli/install/client-paths.ts';
import { seedFolder } from '../../server/product.ts';
import { runCli } from '../run-cli.ts';

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const variables = { type: 'object', additionalProperties: text };
const yesOrNo = { type: 'boolean' };

interface Published {
  readonly client: ClientId;
  readonly section: string;
  /** What a server may have, and nothing else. */
  readonly server: { readonly required?: readonly string[]; readonly properties: object };
}

/**
 * What the clients that publish a schema of their files say there of a server that they start, in November 2026.
 * @see https://github.com/openai/codex, codex-rs/core/config.schema.json (`RawMcpServerConfig`)
 * @see https://github.com/google-gemini/gemini-cli, schemas/settings.schema.json (`MCPServerConfig`)
 * @see https://opencode.ai/config.json (`McpLocalConfig`)
 * @see https://github.com/microsoft/vscode, `mcpStdioServerSchema` in mcpConfiguration.ts
 */
const PUBLISHED: readonly Published[] = [
  {
    client: 'codex',
    section: 'mcp_servers',
    server: {
      properties: { command: text, args: texts, env: variables, cwd: text, enabled: yesOrNo, required: yesOrNo },
    },
  },
  {
    client: 'gemini',
    section: 'mcpServers',
    server: {
      properties: {
        command: text,
        args: texts,
        env: variables,
        cwd: text,
        type: { enum: ['stdio', 'sse', 'http'] },
        timeout: { type: 'number' },
        trust: yesOrNo,
        includeTools: texts,
        excludeTools: texts,
      },
    },
  },
  {
    client: 'opencode',
    section: 'mcp',
    server: {
      required: ['type', 'command'],
      properties: {
        type: { const: 'local' },
        command: texts,
        environment: variables,
        enabled: yesOrNo,
        timeout: { type: 'integer', exclusiveMinimum: 0 },
      },
    },
  },
  {
    client: 'vscode',
    section: 'servers',
    server: {
      properties: {
        type: { enum: ['stdio'] },
        command: text,
        cwd: text,
        args: texts,
        envFile: text,
        env: { type: 'object', additionalProperties: { type: ['null', 'string', 'number'] } },
      },
    },
  },
];

describe.each(PUBLISHED)('the published schema of $client', ({ client, section, server }) => {
  const servers = {
    type: 'object',
    minProperties: 1,
    additionalProperties: { ...server, additionalProperties: false },
  };
  const isValid = new Ajv({ strictTypes: false }).compile({
    type: 'object',
    required: [section],
    properties: { [section]: servers },
  });
  const isToml = client === 'codex';
  const parse = (written: string): unknown =>
    isToml ? getStaticTOMLValue(parseTOML(written)) : (JSON.parse(written) as unknown);

  const installed = (before: string | undefined, flags: readonly string[]): unknown => {
    const home = seedFolder({});
    const env = { HOME: home, PLAYBOOK_MCP_HOME: join(home, 'state'), XDG_CONFIG_HOME: '', CODEX_HOME: '' };
    const [path] = userPaths(client, { platform: 'linux', env });
    if (before !== undefined) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, before);
    }
    expect(runCli([...flags, 'install', client, '--launch', 'npx'], { env, cwd: home }).code).toBe(0);
    return parse(readFileSync(path, 'utf8'));
  };
  const entry = client === 'opencode' ? { type: 'local', command: ['x'] } : { command: 'x' };
  const other = isToml ? '[mcp_servers.other]\ncommand = "x"\n' : JSON.stringify({ [section]: { other: entry } });

  it.each([
    { before: undefined, flags: [] },
    { before: undefined, flags: ['--no-starter', '--playbooks', '.'] },
    { before: other, flags: [] },
  ])('takes the file that is written over $before with the flags $flags', ({ before, flags }) => {
    const value = installed(before, flags);
    expect([isValid(value), isValid.errors, value]).toEqual([true, null, value]);
  });

  it('refuses an entry of another client', () => {
    const foreign = client === 'opencode' ? { command: 'npx', args: [] } : { type: 'local', command: ['npx'] };
    expect(isValid({ [section]: { playbooks: foreign } })).toBe(false);
  });
});
