import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

import type { Env } from '../../config/index.ts';
import { safeEnvironment } from '../safe-environment.ts';

/** A git process: no input, both outputs to be read. */
export type GitProcess = ChildProcessByStdio<null, Readable, Readable>;

/**
 * Nothing that a repository's own configuration says may run a program (`core.fsmonitor`), ask a person, fetch, or lead to
 * files elsewhere (`core.worktree`). Naming both directories also spares git its search for them.
 */
const SAFE = ['--git-dir=.git', '--work-tree=.', '--no-pager', '-c', 'core.fsmonitor=false'];

/** The environment of every git process; messages in English, text as UTF-8. */
export function gitEnvironment(env: Env): Readonly<Record<string, string>> {
  return {
    ...safeEnvironment(env),
    LC_ALL: 'C.UTF-8',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
  };
}

/** Arguments of git that hold off what a repository's configuration could do. */
export function safeGitArguments(args: readonly string[]): readonly string[] {
  return [...SAFE, ...args];
}

/** Starts git in the top folder of a repository. */
export function spawnGit(
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): GitProcess {
  return spawn('git', safeGitArguments(args), { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
}

/** How a git process ended. */
export interface GitEnd {
  /** Null where a signal ended it. */
  readonly code: number | null;
  /** The first words of it. */
  readonly stderr: string;
}

const LONGEST_STDERR = 2_000;

/** Reads a git process to its end; the signal kills it. @throws the system's error where git cannot be started. */
export async function endOfGit(
  child: GitProcess,
  { signal, onOutput }: { readonly signal: AbortSignal; readonly onOutput?: (chunk: Buffer) => void },
): Promise<GitEnd> {
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < LONGEST_STDERR) stderr += chunk.toString('utf8');
  });
  child.stdout.on('data', (chunk: Buffer) => onOutput?.(chunk));
  // It writes nothing but its output, so there is nothing for it to tidy up.
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  if (signal.aborted) kill();
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, stderr: stderr.trim() }));
    });
  } finally {
    signal.removeEventListener('abort', kill);
  }
}
