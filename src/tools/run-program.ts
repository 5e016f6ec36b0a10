import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { KeptOutput } from './kept-output.ts';
import { type GroupGuard, terminateGroup } from './process-groups.ts';

/** What a program gets between SIGTERM and SIGKILL. */
const GRACE_MS = 1_500;
/** What it has written is in the pipe when it ends; something that it started may hold that open for ever. */
const DRAIN_MS = 500;

export interface ProgramOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What it gets on stdin; nothing where absent. A program that does not read it is no failure. */
  readonly input?: string;
  readonly timeoutMs: number;
  /** Ends the program. */
  readonly signal: AbortSignal;
  readonly guard: GroupGuard;
}

/** How a program ended: by itself, or since its time was up or its caller gave up. */
type ProgramEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'cancelled' };

export interface ProgramRun {
  readonly end: ProgramEnd;
  readonly stdout: KeptOutput;
  readonly stderr: KeptOutput;
}

/**
 * Runs a program without a shell, in a process group of its own, to its end. Whatever it has started and
 * left behind is ended with it.
 * @throws the system's error where it cannot be started.
 */
export async function runProgram(options: ProgramOptions): Promise<ProgramRun> {
  const { command, args, env, cwd, input, timeoutMs, signal, guard } = options;
  const stdout = new KeptOutput();
  const stderr = new KeptOutput();
  if (signal.aborted) return { end: { kind: 'cancelled' }, stdout, stderr };
  const child = spawn(command, args, {
    env,
    ...(cwd !== undefined && { cwd }),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  // One that ends without having read it all closes the pipe.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input ?? '');
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  const timeout = AbortSignal.timeout(timeoutMs);
  const exit = await waitForExit(child, { stop: AbortSignal.any([signal, timeout]), guard });
  if (signal.aborted) return { end: { kind: 'cancelled' }, stdout, stderr };
  return { end: timeout.aborted ? { kind: 'timed-out' } : exit, stdout, stderr };
}

async function waitForExit(
  child: ChildProcess,
  { stop, guard }: { readonly stop: AbortSignal; readonly guard: GroupGuard },
): Promise<ProgramEnd> {
  const exited = new Promise<ProgramEnd>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      resolve(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'killed', signal }),
    );
  });
  const closed = once(child, 'close');
  closed.catch(() => undefined);
  const leader = child.pid;
  if (leader === undefined) return exited;
  guard.add(leader);
  const terminate = (): void => void terminateGroup(leader, GRACE_MS);
  stop.addEventListener('abort', terminate, { once: true });
  if (stop.aborted) terminate();
  try {
    const end = await exited;
    await Promise.race([closed, sleep(DRAIN_MS, undefined, { ref: false })]);
    return end;
  } finally {
    stop.removeEventListener('abort', terminate);
    for (const stream of child.stdio) stream?.destroy();
    await terminateGroup(leader, GRACE_MS);
    guard.remove(leader);
  }
}
