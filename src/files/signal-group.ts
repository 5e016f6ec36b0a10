/**
 * Sends a signal to every process of a group, which may have ended by itself meanwhile. Not for Windows, where there are no groups.
 * @param leader process id of what was spawned `detached`
 */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    if (!isNoSuchProcess(error)) throw error;
  }
}

/** Whether the system says that a process, or a group of them, has ended. */
export function isNoSuchProcess(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ESRCH';
}
