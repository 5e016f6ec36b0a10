import type { Entry, PlaybookEntry } from '../model.ts';
import { mergeSegments } from '../search/merge-segments.ts';
import { buildSegment, type SearchSegment } from '../search/search-index.ts';
import { documentOf } from './load.ts';
import { type QueryWords, queryWordsOf } from './query-words.ts';
import { findEntries, isListed } from './search-tool.ts';
import type { Snapshot } from './snapshot.ts';

/** Where `search` puts a playbook for a query. */
export interface Placing {
  /** 1-based; undefined where it is not listed at all. */
  readonly rank?: number;
  /** Id of what comes first; undefined where that is the playbook itself, or nothing is found. */
  readonly first?: string;
  /** The playbook's score beside that of the first hit: 1 where it is the first, 0 where it is not listed. */
  readonly scoreRatio: number;
}

interface EvaluatedExample {
  readonly query: string;
  /** With the example itself left out of the index: what an agent finds that asks in such words without having read them. */
  readonly heldOut: Placing;
  /** As an agent finds it that asks in exactly these words. */
  readonly asServed: Placing;
  /** Which words of the query the playbook says without this example, and what comes first instead, where something does. */
  readonly words: { readonly own: QueryWords; readonly first?: QueryWords };
}

interface EvaluatedNotExample {
  readonly query: string;
  readonly asServed: Placing;
  readonly words: { readonly own: QueryWords };
}

export interface EvaluatedPlaybook {
  readonly entry: PlaybookEntry;
  readonly examples: readonly EvaluatedExample[];
  readonly notExamples: readonly EvaluatedNotExample[];
}

/** Whether search should put a playbook first at all: retired, deprecated and unlisted draft ones it should not. */
export function isEvaluated(entry: PlaybookEntry): boolean {
  return isListed(entry, undefined) && entry.status !== 'deprecated';
}

/**
 * Searches the whole catalog, as an agent does, for each of a playbook's `examples` and `not-examples`.
 *
 * An example is indexed with its playbook, so that asking it again proves little. Each is therefore also asked of an index
 * that is the same but for this one example of this one playbook (leave-one-out).
 */
export function evaluatePlaybook(snapshot: Snapshot, entry: PlaybookEntry): EvaluatedPlaybook {
  const { examples, notExamples } = entry.playbook;
  const others = examples.length === 0 ? [] : withoutEntry(snapshot.segments, entry);
  const place = (query: string, segments: readonly SearchSegment[]): Placing =>
    placingOf(entry, { ...snapshot, segments, learned: nothing }, query);
  return {
    entry,
    examples: examples.map((query) => {
      const rest = examples.filter((example) => example !== query);
      const alone = buildSegment([documentOf(entry.playbook, rest)]);
      const heldOut = place(query, [...others, alone]);
      const first = heldOut.first === undefined ? undefined : snapshot.catalog.byId.get(heldOut.first);
      const words = {
        own: queryWordsOf(query, entry, rest),
        ...(first === undefined ? {} : { first: queryWordsOf(query, first, examplesOf(first)) }),
      };
      return { query, heldOut, asServed: place(query, snapshot.segments), words };
    }),
    notExamples: notExamples.map((query) => ({
      query,
      asServed: place(query, snapshot.segments),
      words: { own: queryWordsOf(query, entry, examples) },
    })),
  };
}

/** What use has taught says nothing of a description. */
const nothing: Snapshot['learned'] = () => undefined;

function examplesOf(entry: Entry): readonly string[] {
  return entry.kind === 'playbook' ? entry.playbook.examples : [];
}

function withoutEntry(segments: readonly SearchSegment[], { qualifiedId }: PlaybookEntry): readonly SearchSegment[] {
  return segments.map((segment) =>
    segment.keys.includes(qualifiedId) ? mergeSegments([segment], (key) => key === qualifiedId) : segment,
  );
}

function placingOf(entry: PlaybookEntry, snapshot: Snapshot, query: string): Placing {
  const found = findEntries(snapshot, { query, limit: 1 });
  const index = found.findIndex((hit) => hit.entry === entry);
  const [best] = found;
  const score = found[index]?.score;
  return {
    ...(index === -1 ? {} : { rank: index + 1 }),
    ...(best === undefined || best.entry === entry ? {} : { first: best.entry.id }),
    scoreRatio: best?.score === undefined || score === undefined ? 0 : score / best.score,
  };
}
