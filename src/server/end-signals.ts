/** Calls back when the process is asked to end: by Ctrl-C, by whoever started it, or because its terminal is gone. */
export function onEndSignal(end: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
}
