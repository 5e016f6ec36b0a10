import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** What a server answers, as far as a benchmark reads it. */
export interface Answer {
  readonly id: number;
  readonly result: {
    readonly content: readonly { readonly text?: string }[];
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
}

/** A stdio server spoken to in bare lines: an SDK's client would be measured with it. */
export interface LineClient {
  readonly pid: number;
  /** Sends a request and gives its answer. @throws where the server ends first. */
  readonly request: (method: string, params?: object) => Promise<Answer>;
  readonly notify: (method: string) => void;
  /** Kills the server; resolves when it is gone. */
  readonly kill: () => Promise<void>;
}

interface SpawnOptions {
  readonly cwd?: string;
  readonly onStderr?: (line: string) => void;
}

/** Spawns a server with this Node. */
export function spawnServer(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { cwd, onStderr = () => undefined }: SpawnOptions = {},
): LineClient {
  const child = spawn(process.execPath, [...args], { env, cwd, stdio: 'pipe' });
  createInterface({ input: child.stderr }).on('line', onStderr);
  const exited = once(child, 'exit');
  const waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line) as Answer;
    waiting.get(answer.id)?.resolve(answer);
    waiting.delete(answer.id);
  });
  child.once('exit', () => {
    for (const { reject } of waiting.values())
      reject(new Error(`The server ended without an answer: ${args.join(' ')}`));
  });
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  return {
    pid: child.pid ?? 0,
    request: (method, params) => {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        send({ id, method, ...(params === undefined ? {} : { params }) });
      });
    },
    notify: (method) => send({ method }),
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** The 2025 handshake. */
export async function initialize(client: LineClient): Promise<void> {
  await client.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  client.notify('notifications/initialized');
}
