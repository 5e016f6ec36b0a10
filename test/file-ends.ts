/** What the file of tests that runs has started, and shares between its tests. */
const ends: (() => unknown)[] = [];

/** To be run after the last test of the file. Helpers are loaded once for many files, so that a hook of their own would run after the first only. */
export function atFileEnd(end: () => unknown): void {
  ends.push(end);
}

export async function endFile(): Promise<void> {
  await Promise.allSettled(ends.splice(0).map(async (end) => end()));
}
