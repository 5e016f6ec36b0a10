import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { CallTool, ToolResult } from '../../scripts/demo/path.ts';
import { atFileEnd } from '../file-ends.ts';
import { isFull, rounds } from '../rounds.ts';
import { SharedStart } from './shared-process.ts';

/** The built product and the ways that tests talk to it: official clients of both eras, and bare lines over the pipe. */

const bin = fileURLToPath(new URL('../../dist/bin/playbook-mcp.js', import.meta.url));

function tempFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'playbook-mcp-product-')));
}

/** Writes a map of path → text below a new folder. */
export function seedFolder(files: Readonly<Record<string, string>>): string {
  const folder = tempFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** A configuration file with these servers and anything else. */
export function configFile(mcpServers: Readonly<Record<string, unknown>>, more: object = {}): string {
  return join(seedFolder({ 'config.json': JSON.stringify({ mcpServers, ...more }) }), 'config.json');
}

/** How a configuration starts a server package of the registry. */
export function registryServer(name: string, ...args: string[]): { command: string; args: string[] } {
  const manifest = createRequire(import.meta.url).resolve(`@modelcontextprotocol/${name}/package.json`);
  return { command: process.execPath, args: [join(dirname(manifest), 'dist', 'index.js'), ...args] };
}

/** A copy of the demo's repository, and a configuration with a real upstream for it. */
export function demoStage(): { repository: string; args: string[] } {
  const repository = join(tempFolder(), 'shop');
  cpSync(new URL('../../scripts/demo/repository', import.meta.url), repository, { recursive: true });
  const config = configFile({ filesystem: registryServer('server-filesystem', repository) });
  return { repository, args: ['--config', config, '--workspace', repository] };
}

export interface Connected {
  readonly call: CallTool;
  readonly tools: () => Promise<readonly { name: string }[]>;
  readonly instructions: () => string | undefined;
  readonly close: () => Promise<void>;
}

export interface StartOptions {
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** In a process of its own, for what depends on that; with `npm run test:full` always. */
  readonly isAlone?: boolean;
  /** Answers the questions that are put to the person; the client declares elicitation only where this is given. */
  readonly onElicit?: (message: string) => ElicitAnswer;
}

interface ElicitAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Record<string, string>;
}

export const parameters = ({ args = [], cwd = tempFolder(), env = {} }: StartOptions) => ({
  command: process.execPath,
  args: [bin, ...args],
  cwd,
  env: { ...(process.env as Record<string, string>), PLAYBOOK_MCP_HOME: tempFolder(), ...env },
  stderr: 'ignore' as const,
});

/** How the client of 2026-07-28 reaches the product. */
export function modernTransport(options: StartOptions): SharedStart | StdioClientTransport {
  return isAlone(options) ? new StdioClientTransport(parameters(options)) : sharedStart(options);
}

/** How the client of the 2025 era reaches the product. */
export function legacyTransport(options: StartOptions): SharedStart | OldStdioClientTransport {
  return isAlone(options) ? new OldStdioClientTransport(parameters(options)) : sharedStart(options);
}

const isAlone = (options: StartOptions): boolean => options.isAlone ?? isFull;

function sharedStart(options: StartOptions): SharedStart {
  const { args, cwd, env } = parameters(options);
  return new SharedStart({ bin, args: args.slice(1), cwd, env });
}

const capabilitiesOf = ({ onElicit }: StartOptions) => (onElicit ? { elicitation: {} } : {});

/** What both clients can do, whose types have nothing in common. */
interface AnyClient {
  readonly callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>;
  readonly listTools: () => Promise<{ readonly tools: readonly { name: string }[] }>;
  readonly getInstructions: () => string | undefined;
  readonly close: () => Promise<void>;
}

function connected(client: AnyClient): Connected {
  atFileEnd(() => client.close());
  return {
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as ToolResult,
    tools: async () => (await client.listTools()).tools,
    instructions: () => client.getInstructions(),
    close: () => client.close(),
  };
}

/** The client that speaks 2026-07-28. */
export async function connectModern(options: StartOptions): Promise<Connected & { readonly client: ModernClient }> {
  const client = new ModernClient(
    { name: 'test-modern', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: capabilitiesOf(options) },
  );
  const { onElicit } = options;
  if (onElicit) client.setRequestHandler('elicitation/create', ({ params }) => ({ ...onElicit(params.message) }));
  await client.connect(modernTransport(options));
  return { client, ...connected(client) };
}

/** The last client of the 2025 era, which begins with `initialize`. */
export async function connectLegacy(options: StartOptions): Promise<Connected & { readonly client: OldClient }> {
  const client = new OldClient({ name: 'test-legacy', version: '1.0.0' }, { capabilities: capabilitiesOf(options) });
  const { onElicit } = options;
  if (onElicit) client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({ ...onElicit(params.message) }));
  await client.connect(legacyTransport(options));
  return { client, ...connected(client) };
}

export const eras = [
  { era: '2026-07-28', connect: connectModern },
  { era: '2025', connect: connectLegacy },
];

/** For what the era has no part in: both in `npm run test:full`, else the later one. */
export const erasInFull = eras.slice(0, rounds(eras.length, 1));

export interface Piped {
  readonly child: ChildProcessWithoutNullStreams;
  /** Every line of stdout so far. */
  readonly lines: readonly string[];
  readonly stderr: () => string;
  readonly send: (message: object) => void;
  /** The response with that id. */
  readonly answer: (id: number) => Promise<Response>;
  /** Closes stdin and gives the exit code. */
  readonly end: () => Promise<number | null>;
}

interface Response {
  readonly id: number;
  readonly result?: ToolResult & {
    readonly tools?: readonly object[];
    readonly requestState?: string;
    readonly inputRequests?: Readonly<Record<string, unknown>>;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

/** The product with bare lines in and out, for what an official client would hide. */
export function pipe(options: StartOptions): Piped {
  const { command, args, cwd, env } = parameters(options);
  const child = spawn(command, args, { cwd, env });
  atFileEnd(() => child.kill('SIGKILL'));
  const lines: string[] = [];
  const errors: string[] = [];
  const waiting = new Map<number, (response: Response) => void>();
  const answered = new Map<number, Response>();
  const exited = once(child, 'close') as Promise<[number | null]>;
  child.stderr.on('data', (chunk: Buffer) => errors.push(String(chunk)));
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    if (!line.startsWith('{')) return;
    const response = JSON.parse(line) as Response;
    answered.set(response.id, response);
    waiting.get(response.id)?.(response);
  });
  return {
    child,
    lines,
    stderr: () => errors.join(''),
    send: (message) => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    answer: (id) =>
      new Promise((resolve) => (answered.has(id) ? resolve(answered.get(id)!) : waiting.set(id, resolve))),
    end: async () => {
      child.stdin.end();
      return (await exited)[0];
    },
  };
}

/** The 2025 handshake. */
export const handshake = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'pipe', version: '1' } },
  },
  { method: 'notifications/initialized' },
];

/** What a request of the 2026 era carries. */
export const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'pipe', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
