/** `npm run demo`: the real server over stdio, a small repository with playbooks, a real upstream; one task, step by step. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import pc from 'picocolors';
import { textOf, type ToolResult, walkDemoPath } from './path.ts';

const tokensOf = (value: unknown): number => encode(typeof value === 'string' ? value : JSON.stringify(value)).length;
const say = (text = ''): void => void process.stdout.write(`${text}\n`);
const count = (tokens: number): string => tokens.toLocaleString('en');

const home = mkdtempSync(join(tmpdir(), 'playbook-mcp-demo-'));
try {
  await demo(prepare());
} finally {
  rmSync(home, { recursive: true, force: true });
}

interface Stage {
  readonly repository: string;
  readonly filesystem: { readonly command: string; readonly args: string[] };
  readonly server: { readonly command: string; readonly args: string[]; readonly env: Record<string, string> };
}

function prepare(): Stage {
  const repository = join(realpathSync(home), 'shop');
  cpSync(new URL('repository', import.meta.url), repository, { recursive: true });
  const upstream = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/dist/index.js');
  const filesystem = { command: process.execPath, args: [upstream, repository] };
  const config = join(home, 'config.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { filesystem } }));
  const env = { ...(process.env as Record<string, string>), PLAYBOOK_MCP_HOME: join(home, 'state') };
  const args = ['dist/bin/playbook-mcp.js', '--config', config, '--workspace', repository];
  return { repository, filesystem, server: { command: process.execPath, args, env } };
}

async function demo({ repository, filesystem, server }: Stage): Promise<void> {
  const everything = await upFrontTokens(filesystem, server);
  const client = new Client({ name: 'demo-agent', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StdioClientTransport({ ...server, args: [...server.args, 'serve'], stderr: 'inherit' }));
  try {
    const { tools } = await client.listTools();
    const perConnection = tokensOf(
      tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    );
    const instructions = tokensOf(client.getInstructions() ?? '');
    say(pc.bold('The task: "The new-checkout experiment is over. Remove its flag."'));
    say(
      `The agent sees ${tools.map(({ name }) => name).join(', ')}: ${perConnection} tokens, and ${instructions} of instructions.`,
    );
    let spent = perConnection + instructions;
    const call = async (name: string, args: Record<string, unknown>): Promise<ToolResult> =>
      (await client.callTool({ name, arguments: args })) as ToolResult;
    for await (const step of walkDemoPath(call, repository)) {
      const tokens = tokensOf(textOf(step.result)) + tokensOf(step.arguments);
      spent += tokens;
      say(`\n${pc.bold(pc.cyan(step.intent))}`);
      say(`${pc.yellow(`${step.tool} ${JSON.stringify(step.arguments)}`)} ${pc.dim(`→ ${count(tokens)} tokens`)}`);
      say(textOf(step.result).replace(/^/gm, '  '));
      if (step.result.isError === true) throw new Error(`The step failed: ${step.tool}`);
    }
    say(`\n${pc.bold('Tokens spent on the whole task:')} ${count(spent)}`);
    say(
      `${pc.bold('Everything loaded up front:')}     ${count(everything.total)} (${everything.playbooks} playbooks, ${everything.tools} tools)`,
    );
    say(`${pc.bold('Ratio:')}                          ${(everything.total / spent).toFixed(1)} times less`);
  } finally {
    await client.close();
  }
}

/** What an agent would pay if every playbook's text and every upstream tool's definition stood in its context. */
async function upFrontTokens(
  filesystem: Stage['filesystem'],
  server: Stage['server'],
): Promise<{ total: number; playbooks: number; tools: number }> {
  const listed = execFileSync(server.command, [...server.args, 'list', '--kind', 'playbook', '--json'], {
    env: server.env,
  });
  const playbooks = JSON.parse(String(listed)) as { path: string }[];
  const direct = new Client({ name: 'demo-direct', version: '1.0.0' });
  await direct.connect(new StdioClientTransport({ ...filesystem, stderr: 'ignore' }));
  try {
    const { tools } = await direct.listTools();
    const texts = playbooks.map(({ path }) => tokensOf(readFileSync(path, 'utf8')));
    return {
      total: texts.reduce((sum, tokens) => sum + tokens, tokensOf(tools)),
      playbooks: playbooks.length,
      tools: tools.length,
    };
  } finally {
    await direct.close();
  }
}
