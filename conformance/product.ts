/** Starts the built product with the fixture, as a user would. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const BIN = here('../dist/bin/playbook-mcp.js');
/** The product runs on the Node that runs this. */
export const NODE_OF_PRODUCT = process.execPath;
const READY_MS = 60_000;

export interface Product {
  /** The endpoint of the protocol. */
  readonly url: string;
  /** The same product over stdio: arguments of Node. */
  readonly stdioArgs: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly close: () => Promise<void>;
}

/** Serves the fixture's playbooks and tools over HTTP on a free port of loopback, with no state of earlier runs. */
export async function startProduct(): Promise<Product> {
  const home = mkdtempSync(join(tmpdir(), 'playbook-mcp-conformance-'));
  const fixture = {
    command: NODE_OF_PRODUCT,
    args: ['--import', 'tsx', here('fixture/upstream.ts')],
    cwd: here('..'),
  };
  writeFileSync(join(home, 'config.json'), JSON.stringify({ mcpServers: { fixture } }));
  const env = { ...process.env, HOME: home, PLAYBOOK_MCP_HOME: home, PLAYBOOK_MCP_USAGE: 'off' };
  const args = [BIN, '--no-starter', '--playbooks', here('fixture/playbooks')];
  const child = spawn(NODE_OF_PRODUCT, [...args, 'serve', '--http', '127.0.0.1:0'], {
    cwd: home,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const close = async (): Promise<void> => {
    const ended = once(child, 'exit');
    if (child.kill()) await ended;
    rmSync(home, { recursive: true, force: true });
  };
  try {
    return { url: await urlOf(child), stdioArgs: [...args, 'serve'], env, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function urlOf(child: ChildProcess): Promise<string> {
  const timer = setTimeout(() => child.kill(), READY_MS);
  let told = '';
  for await (const chunk of child.stderr ?? []) {
    told += String(chunk);
    const url = /Serving at (?<url>\S+)/.exec(told)?.groups?.['url'];
    if (url === undefined) continue;
    clearTimeout(timer);
    child.stderr?.resume();
    return url;
  }
  throw new Error(`The server did not start: ${told}`);
}
