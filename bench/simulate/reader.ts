import type { SeenEntry, UsageEvent, UsageReader } from '../../src/usage/event.ts';

const BATCH = 10_000;

/** A store that is a list in memory. */
export function readerOf(events: readonly UsageEvent[], seen: readonly SeenEntry[] = []): UsageReader {
  return {
    events: async function* ({ since = -Infinity, until = Infinity } = {}) {
      const wanted = events.filter(({ time }) => time >= since && time < until);
      for (let at = 0; at < wanted.length; at += BATCH) yield wanted.slice(at, at + BATCH);
    },
    seenEntries: () => Promise.resolve(seen),
    reports: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
}
