import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { atFileEnd } from '../file-ends.ts';
import { seedFolder } from '../server/product.ts';

/** The built command line. */
export const bin = fileURLToPath(new URL('../../dist/bin/playbook-mcp.js', import.meta.url));

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Runs the built command line to its end, with no state of earlier runs and without colours. All runs of a file of tests share
 * one process: to start it and load its code takes ten times as long as what most commands do.
 */
export function runCli(args: readonly string[], options?: RunOptions): CliRun {
  shared ??= startShared();
  return shared(toRun(args, options));
}

/** The same in a process of its own, as a person starts it. */
export function startCli(args: readonly string[], options?: RunOptions): CliRun {
  const { cwd, env, input } = toRun(args, options);
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { cwd, env, input, encoding: 'utf8' });
  return { code: status, stdout, stderr };
}

type Run = Readonly<Required<RunOptions>> & { readonly args: readonly string[] };

function toRun(args: readonly string[], { cwd = seedFolder({}), input = '', env = {} }: RunOptions = {}): Run {
  return { args, cwd, input, env: { ...process.env, PLAYBOOK_MCP_HOME: seedFolder({}), NO_COLOR: '1', ...env } };
}

let shared: ((run: Run) => CliRun) | undefined;

/** The thread talks to the process while this one waits, as `spawnSync` would. */
function startShared(): (run: Run) => CliRun {
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const { port1, port2 } = new MessageChannel();
  const thread = new Worker(new URL('cli-thread.mjs', import.meta.url), {
    workerData: { answered, port: port2, bin },
    transferList: [port2],
  });
  thread.unref();
  atFileEnd(async () => {
    shared = undefined;
    port1.close();
    await once(thread, 'exit');
  });
  return (run) => {
    Atomics.store(answered, 0, 0);
    port1.postMessage(run);
    Atomics.wait(answered, 0, 0);
    return receiveMessageOnPort(port1)?.message as CliRun;
  };
}
