import { spawn } from 'node:child_process';

import type { Env } from '../../config/types.ts';
import { signalGroup } from '../signal-group.ts';

/** What a git command may take: a slow network, but not for ever. */
export const GIT_TIMEOUT_MS = 120_000;
const LONGEST_STDERR = 4_000;

/**
 * Variables by which git tells its hooks where they are: a server that was started from one would take the clone for that repository.
 */
const OF_HOOKS = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY', 'GIT_COMMON_DIR', 'GIT_PREFIX'];

/** Nothing that comes with a repository, or lies in a template, runs a program; a dead line ends. */
const SAFE = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'submodule.recurse=false',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=30',
].flatMap((setting) => ['-c', setting]);

/** The environment of git for the clones of sources: the person's own, so that their credentials work, but nobody is asked for any. */
function gitEnvironment(env: Env): NodeJS.ProcessEnv {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !OF_HOOKS.includes(name)));
  return {
    ...own,
    LC_ALL: 'C.UTF-8',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_SSH_COMMAND: env['GIT_SSH_COMMAND'] ?? 'ssh -oBatchMode=yes -oConnectTimeout=15',
  };
}

interface GitOptions {
  readonly cwd: string;
  readonly env: Env;
  readonly signal: AbortSignal;
}

/**
 * Runs git to its end and gives what it printed.
 *
 * @throws Error with git's own last words where it fails, where it cannot be started, and where the signal ends it.
 */
export async function runGit(args: readonly string[], { cwd, env, signal }: GitOptions): Promise<string> {
  // A group of its own, since git leaves the network to programs that it starts.
  const isGroup = process.platform !== 'win32';
  const child = spawn('git', [...SAFE, ...args], {
    cwd,
    env: gitEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: isGroup,
    windowsHide: true,
  });
  const kill = (): void => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    if (isGroup) signalGroup(child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  };
  const both = AbortSignal.any([signal, AbortSignal.timeout(GIT_TIMEOUT_MS)]);
  both.addEventListener('abort', kill, { once: true });
  if (both.aborted) kill();
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString('utf8')).slice(-LONGEST_STDERR)));
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code === 0) return stdout;
  } finally {
    both.removeEventListener('abort', kill);
  }
  if (signal.aborted) throw new Error('it was stopped');
  if (both.aborted) throw new Error(`git did not end within ${GIT_TIMEOUT_MS / 1_000} s`);
  throw new Error(lastWords(stderr));
}

/** What git says below every remote that it cannot read, whatever the reason. */
const ADVICE = /^(?:hint:|Please make sure you have the correct access rights$|and the repository exists\.$)/;

/** The last two lines that tell the reason, without the full stop of a sentence. */
function lastWords(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !ADVICE.test(line));
  return lines.slice(-2).join(' ').replace(/\.$/, '') || 'git failed and said nothing';
}
