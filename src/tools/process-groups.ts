import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

import { isNoSuchProcess, signalGroup } from '../files/signal-group.ts';

const IS_WINDOWS = process.platform === 'win32';
const POLL_MS = 20;
/** A process that a signal ends on the spot still takes a moment to be gone. */
const KILL_WAIT_MS = 500;

/** Whether any process of the group still exists. On Windows, where there are no groups: whether its leader does. */
export function isGroupAlive(leader: number): boolean {
  try {
    process.kill(IS_WINDOWS ? leader : -leader, 0);
    return true;
  } catch (error) {
    return !isNoSuchProcess(error);
  }
}

/**
 * Ends every process of a group: given the time, then SIGTERM and the time again, then SIGKILL. Its leader must have been
 * spawned `detached`. On Windows the tree below the leader is ended by `taskkill` after the first wait.
 */
export async function endGroup(leader: number, graceMs: number): Promise<void> {
  if (await isGoneWithin(leader, graceMs)) return;
  await terminateGroup(leader, graceMs);
}

/** As `endGroup`, for a group that waits for nothing: SIGTERM at once, then SIGKILL to whatever is left after the given time. */
export async function terminateGroup(leader: number, graceMs: number): Promise<void> {
  if (IS_WINDOWS) {
    if (isGroupAlive(leader))
      spawnSync('taskkill', ['/pid', String(leader), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  signalGroup(leader, 'SIGTERM');
  if (await isGoneWithin(leader, graceMs)) return;
  signalGroup(leader, 'SIGKILL');
  await isGoneWithin(leader, KILL_WAIT_MS);
}

async function isGoneWithin(leader: number, ms: number): Promise<boolean> {
  const end = performance.now() + ms;
  while (isGroupAlive(leader)) {
    if (performance.now() >= end) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/**
 * Reads `+<leader>` and `-<leader>` lines; at the end of its input it ends every group that was not taken back. A shell, since
 * it starts in two milliseconds and outlives us in a megabyte of memory.
 */
const GUARD_SCRIPT = `
trap '' HUP INT TERM
groups=
while read -r operation leader; do
  kept=
  for group in $groups; do [ "$group" = "$leader" ] || kept="$kept $group"; done
  groups=$kept
  [ "$operation" = + ] && groups="$groups $leader"
done
[ -n "$groups" ] || exit 0
for group in $groups; do kill -s TERM -- "-$group" 2>/dev/null; done
sleep 2
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
`;

/**
 * Ends the groups given to it when this process is gone without having done so, even by SIGKILL: a process of its own holds
 * the other end of a pipe. It is started at the first group. On Windows it does nothing: a server there ends when its stdin closes.
 */
export class GroupGuard {
  #process: ChildProcess | undefined;
  readonly #onProblem: (problem: Error) => void;

  constructor(onProblem: (problem: Error) => void) {
    this.#onProblem = onProblem;
  }

  add(leader: number): void {
    if (IS_WINDOWS) return;
    this.#process ??= this.#start();
    this.#process.stdin?.write(`+ ${leader}\n`);
  }

  /** To be called once the group is gone, since its number may be given to another. */
  remove(leader: number): void {
    this.#process?.stdin?.write(`- ${leader}\n`);
  }

  /** Ends the guard, and with it every group that is still in its care. */
  close(): void {
    this.#process?.stdin?.end();
    this.#process = undefined;
  }

  #start(): ChildProcess {
    // Detached, so that a Ctrl-C that is meant for us does not end it first; unreferenced, so that it never keeps us alive.
    const guard = spawn('/bin/sh', ['-c', GUARD_SCRIPT], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
    });
    guard.on('error', this.#onProblem);
    guard.stdin.on('error', this.#onProblem);
    guard.unref();
    if ('unref' in guard.stdin && typeof guard.stdin.unref === 'function') guard.stdin.unref();
    return guard;
  }
}
