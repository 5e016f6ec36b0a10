import { PageCoder, toColumns } from '../../src/usage/coded-page.ts';
import { EventDecoder } from '../../src/usage/decode.ts';
import type { SeenEntry, TimeRange, UsageEvent, UsageReader } from '../../src/usage/event.ts';
import { type CountedValues, toCodedRow, toEventRow } from '../../src/usage/tables.ts';

const BATCH = 10_000;

/** A store that is a list in memory. */
export function readerOf(events: readonly UsageEvent[], seen: readonly SeenEntry[] = []): UsageReader {
  const pages = function* ({ since = -Infinity, until = Infinity }: TimeRange = {}): Generator<readonly UsageEvent[]> {
    const wanted = events.filter(({ time }) => time >= since && time < until);
    for (let at = 0; at < wanted.length; at += BATCH) yield wanted.slice(at, at + BATCH);
  };
  return {
    events: async function* (range) {
      yield* pages(range);
    },
    codedEvents: async function* (range) {
      const ids = new Map<string, number>();
      const texts: string[] = [];
      const codeOf = (text: string): number => ids.get(text) ?? ids.set(text, texts.push(text)).size;
      const coder = new PageCoder();
      const decoder = new EventDecoder();
      const of = (some: readonly number[]): readonly string[] => some.map((id) => texts[id - 1] ?? '');
      for (const page of pages(range)) {
        const columns = toColumns(page.map((event) => countedValues(event, codeOf)));
        const added = coder.code(columns);
        yield decoder.decode({
          ...columns,
          texts: { word: of(added.word), query: of(added.query), list: of(added.list) },
        });
      }
    },
    seenEntries: () => Promise.resolve(seen),
    reports: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
}

function countedValues(event: UsageEvent, codeOf: (text: string) => number): CountedValues {
  const row = toCodedRow(toEventRow(event), codeOf);
  const { time, ms, tokens, session, client, user_name: user, repo, operation, entry } = row;
  const { kind, source, digest, outcome, code, query, shown } = row;
  // oxfmt-ignore
  return [
    time, ms, tokens, session, client, user, repo, operation, entry,
    kind, source, digest, outcome, code, query, shown,
  ];
}
