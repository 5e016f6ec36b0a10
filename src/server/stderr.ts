/** Bytes that may wait for a client that does not read; lines beyond are left out. */
const MOST_WAITING_BYTES = 1024 * 1024;

let isGuarded = false;

/**
 * Writes a line to stderr without ever waiting for whoever reads it, or failing with them: several clients hold the other end of
 * the pipe and never read, and a write that waits would stop all serving once it is full.
 *
 * What there is room for is written at once, so that the last line before an exit is not lost.
 * @param line with its line end.
 */
export function writeToStderr(line: string): void {
  const { stderr } = process;
  if (!isGuarded) {
    isGuarded = true;
    // The client has closed its end: nobody is left to tell.
    stderr.on('error', () => undefined);
  }
  if (stderr.writableLength < MOST_WAITING_BYTES) stderr.write(line);
}
