import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { atFileEnd } from '../../file-ends.ts';
import { parameters, type StartOptions } from '../product.ts';

/** The product, serving over HTTP. */
export interface HttpProduct {
  /** The endpoint of the protocol. */
  readonly url: string;
  /** What it has written to stderr, line by line. */
  readonly told: readonly string[];
  /** A URL at its origin. */
  readonly at: (path: string) => string;
  /** Asks it to end. @returns its exit code */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
  readonly pid: number;
}

/** Starts it at a free port, unless the arguments name an address. */
export async function startHttp(options: StartOptions): Promise<HttpProduct> {
  const { args = [] } = options;
  const address = args.includes('--http') ? [] : ['--http', '127.0.0.1:0'];
  const { command, args: all, cwd, env } = parameters({ ...options, args: ['serve', ...address, ...args] });
  const child = spawn(command, all, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const told: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      told.push(line);
      const found = /Serving at (\S+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    void exited.then(([code]) => reject(new Error(`It ended with ${code}: ${told.join('\n')}`)));
  });
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    child.kill(signal);
    return (await exited)[0];
  };
  atFileEnd(() => stop('SIGKILL'));
  return { url, told, at: (path) => new URL(path, url).href, stop, pid: child.pid! };
}

interface ClientOptions {
  readonly token?: string;
  readonly name?: string;
}

const headersOf = ({ token }: ClientOptions) => (token === undefined ? {} : { Authorization: `Bearer ${token}` });

/** The client that speaks 2026-07-28. */
export async function modernClient(url: string, options: ClientOptions = {}): Promise<ModernClient> {
  const client = new ModernClient(
    { name: options.name ?? 'test-modern', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  atFileEnd(() => client.close());
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: headersOf(options) } }),
  );
  return client;
}

/** The last client of the 2025 era. */
async function oldClient(url: string, options: ClientOptions = {}): Promise<OldClient> {
  const client = new OldClient({ name: options.name ?? 'test-legacy', version: '1.0.0' });
  atFileEnd(() => client.close());
  const transport = new OldTransport(new URL(url), { requestInit: { headers: headersOf(options) } });
  await client.connect(transport);
  return client;
}

export const eras = [
  { era: '2026-07-28', connect: modernClient },
  { era: '2025', connect: oldClient },
];

/** The text of a call's result. */
export function textOf(result: unknown): string {
  const { content } = result as { content: readonly { text?: string }[] };
  return content.map(({ text = '' }) => text).join('\n');
}

interface Posted {
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
  readonly name?: string;
}

let lastId = 0;

/** One request of 2026-07-28 as bytes, with every header that it needs. */
export function modernRequest(method: string, params: Record<string, unknown>, { token, headers, name }: Posted = {}) {
  lastId += 1;
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const target = name ?? params['name'] ?? params['uri'];
  return {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(typeof target === 'string' && { 'Mcp-Name': target }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params: { ...params, _meta: meta } }),
  };
}

/** Calls of the three tools by requests of their own. */
export const post =
  (url: string) =>
  async (tool: string, args: Record<string, unknown>, posted: Posted = {}) => {
    const response = await fetch(url, modernRequest('tools/call', { name: tool, arguments: args }, posted));
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  };
