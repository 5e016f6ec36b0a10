import { compareIds } from '../catalog/order.ts';
import type { Entry } from '../model.ts';
import type { LearnedQueries } from '../search/learned.ts';
import type { LearnedHere } from '../search/learned-matches.ts';
import type { Match } from '../search/match.ts';
import type { SearchSegment } from '../search/search-index.ts';
import type { Snapshot } from './snapshot.ts';
import { learnedPlaces } from './learned-places.ts';
import type { TagCount } from './tags.ts';

/** By number of the document; undefined where the snapshot has no such entry, as of a playbook that another one shadows. */
export type EntriesOfSegment = readonly (Entry | undefined)[];

/**
 * What searches of one snapshot ask of the entries that they find, kept by the place of each in the index: a search finds hundreds, and
 * looking each up by its key costs more than finding it.
 */
export class SearchedEntries {
  readonly #snapshot: Snapshot;
  #learned: LearnedHere | undefined;
  readonly #segments: readonly SearchSegment[];
  readonly #entries: ReadonlyMap<SearchSegment, EntriesOfSegment>;
  readonly #lines = new Map<Entry, string>();
  #tags: TagTable | undefined;

  constructor(snapshot: Snapshot) {
    const {
      segments,
      catalog: { byId },
    } = snapshot;
    this.#snapshot = snapshot;
    this.#segments = segments;
    this.#entries = new Map(segments.map((segment) => [segment, segment.keys.map((key) => byId.get(key))]));
  }

  of(segment: SearchSegment): EntriesOfSegment {
    return this.#entries.get(segment) ?? [];
  }

  /** What use has taught of them; it is asked anew about every hour. */
  learned(): LearnedHere | undefined {
    const queries: LearnedQueries | undefined = this.#snapshot.learned();
    if (queries !== this.#learned?.queries) {
      this.#learned = queries === undefined ? undefined : learnedPlaces(queries, this.#snapshot);
    }
    return this.#learned;
  }

  /** The line that tells of an entry, made when it is first asked for. */
  lineOf(entry: Entry, make: (entry: Entry) => string): string {
    const told = this.#lines.get(entry);
    if (told !== undefined) return told;
    const line = make(entry);
    this.#lines.set(entry, line);
    return line;
  }

  /** The tags of the entries that matched, in the order of the tags. */
  countTags(matches: readonly Match[]): readonly TagCount[] {
    this.#tags ??= new TagTable(this.#segments, (segment) => this.of(segment));
    return this.#tags.count(matches);
  }
}

/** The tags of every document as numbers. */
class TagTable {
  readonly #tags: readonly string[];
  readonly #bySegment: ReadonlyMap<SearchSegment, readonly (readonly number[])[]>;
  readonly #counts: Uint32Array;

  constructor(segments: readonly SearchSegment[], entriesOf: (segment: SearchSegment) => EntriesOfSegment) {
    const all = new Set(segments.flatMap((segment) => entriesOf(segment).flatMap((entry) => entry?.tags ?? [])));
    this.#tags = [...all].sort(compareIds);
    const numbers = new Map(this.#tags.map((tag, number) => [tag, number]));
    const numbersOf = (entry: Entry | undefined): readonly number[] =>
      entry === undefined ? [] : entry.tags.map((tag) => numbers.get(tag) ?? 0);
    this.#bySegment = new Map(segments.map((segment) => [segment, entriesOf(segment).map(numbersOf)]));
    this.#counts = new Uint32Array(this.#tags.length);
  }

  count(matches: readonly Match[]): readonly TagCount[] {
    const counts = this.#counts.fill(0);
    for (const { segment, document } of matches) {
      for (const number of this.#bySegment.get(segment)?.[document] ?? []) counts[number] = (counts[number] ?? 0) + 1;
    }
    const counted: TagCount[] = [];
    for (let number = 0; number < counts.length; number += 1) {
      const count = counts[number] ?? 0;
      if (count > 0) counted.push({ tag: this.#tags[number] ?? '', count });
    }
    return counted;
  }
}

const known = new WeakMap<Snapshot, SearchedEntries>();

/** The same for the same snapshot. */
export function searchedEntries(snapshot: Snapshot): SearchedEntries {
  const found = known.get(snapshot);
  if (found !== undefined) return found;
  const entries = new SearchedEntries(snapshot);
  known.set(snapshot, entries);
  return entries;
}
