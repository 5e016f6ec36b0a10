import { describe, expect, it } from 'vitest';
import { PageCoder, toColumns } from '../../src/usage/coded-page.ts';
import { EventDecoder } from '../../src/usage/decode.ts';
import type { CodedEvent } from '../../src/usage/event.ts';
import type { CountedValues } from '../../src/usage/tables.ts';

const TEXTS: ReadonlyMap<number, string> = new Map([
  [7, 'search'],
  [9_000_000, 'cut a release'],
  [12, 'buy a boat'],
  [40, '["org:a","org:b"]'],
  [3, 'empty'],
]);

function search(query: number, shown: number): CountedValues {
  return [1, 2, 3, 50, null, 51, null, 7, null, null, null, null, 3, null, query, shown];
}

function decoded(decoder: EventDecoder, coder: PageCoder, rows: readonly CountedValues[]): readonly CodedEvent[] {
  const page = toColumns(rows);
  const added = coder.code(page);
  const of = (ids: readonly number[]): (string | null)[] => ids.map((id) => TEXTS.get(id) ?? null);
  return decoder.decode({ ...page, texts: { word: of(added.word), query: of(added.query), list: of(added.list) } });
}

describe('EventDecoder', () => {
  it('gives what was coded, page after page, each list once', () => {
    const [decoder, coder] = [new EventDecoder(), new PageCoder()];
    const [first, second] = decoded(decoder, coder, [search(9_000_000, 40), search(12, 40)]);
    const [third] = decoded(decoder, coder, [search(9_000_000, 40)]);
    expect(first).toMatchObject({ time: 1, ms: 2, tokens: 3, session: 50, user: 51, client: null });
    expect(first).toMatchObject({ operation: 'search', outcome: 'empty', query: 'cut a release', queryNumber: 1 });
    expect(second).toMatchObject({ query: 'buy a boat', queryNumber: 2, shown: ['org:a', 'org:b'] });
    expect(third).toEqual(first);
    expect(third?.shown).toBe(second?.shown);
  });

  it('knows a text that was removed meanwhile as none', () => {
    const [event] = decoded(new EventDecoder(), new PageCoder(), [search(13, 41)]);
    expect(event).toMatchObject({ query: null, queryNumber: 1, shown: [] });
  });

  it('gives queries other numbers where those of texts begin anew', () => {
    const decoder = new EventDecoder();
    const [first] = decoded(decoder, new PageCoder(), [search(9_000_000, 40)]);
    decoder.restart();
    const [second] = decoded(decoder, new PageCoder(), [search(12, 40)]);
    expect(second).toMatchObject({ query: 'buy a boat', shown: ['org:a', 'org:b'] });
    expect(second?.queryNumber).not.toBe(first?.queryNumber);
  });
});
