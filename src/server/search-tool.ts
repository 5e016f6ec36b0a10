import { crc32 } from 'node:zlib';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { PlaybookError } from '../errors.ts';
import type { Entry } from '../model.ts';
import { findMatches } from '../search/find-matches.ts';
import { byScoreThenKey } from '../search/match.ts';
import { splitFirst } from '../search/split-first.ts';
import { BUILT_IN } from '../tools/built-in.ts';
import { searchedEntries } from './searched-entries.ts';
import { signatureOf } from './signature.ts';
import type { Snapshot } from './snapshot.ts';
import { marksOf, summaryOf } from './summary.ts';
import { byUse, countTags, hasTags, nearestTags, type TagCount } from './tags.ts';
import type { SearchArguments } from './tool-arguments.ts';

/** Deprecated entries are still found, below an equal one that is not. */
const DEPRECATED_WEIGHT = 0.5;
const MOST_NARROWING_TAGS = 6;

/** An entry that a search found; without a query there is no score. */
export interface FoundEntry {
  readonly entry: Entry;
  readonly score?: number;
}

/** The entries that answer a query and carry every tag, best first; none where nothing deserves to be listed. */
export function findEntries(snapshot: Snapshot, given: SearchArguments): readonly FoundEntry[] {
  return find(snapshot, given).first(Infinity);
}

/** What a search found. */
interface Found {
  readonly total: number;
  /** The best of them, best first. */
  readonly first: (count: number) => readonly FoundEntry[];
  /** The tags of all of them, in any order. */
  readonly tags: () => readonly TagCount[];
}

function find(snapshot: Snapshot, given: SearchArguments): Found {
  const query = queryOf(given);
  if (query !== '') return findByWords(snapshot, given, query);
  const entries = snapshot.catalog.entries.filter((entry) => !isBuiltIn(entry) && isWanted(entry, given));
  return {
    total: entries.length,
    first: (count) => entries.slice(0, count).map((entry) => ({ entry })),
    tags: () => countTags(entries),
  };
}

function findByWords(snapshot: Snapshot, given: SearchArguments, query: string): Found {
  const entries = searchedEntries(snapshot);
  const { matches } = findMatches(snapshot.segments, query, {
    factorsIn: (segment) => {
      const all = entries.of(segment);
      return (document) => factorOf(all[document], given);
    },
    synonyms: snapshot.synonyms,
    learned: entries.learned(),
  });
  return {
    total: matches.length,
    first: (count) =>
      splitFirst(matches, count, byScoreThenKey).first.flatMap(({ segment, document, score }) => {
        const entry = entries.of(segment)[document];
        return entry === undefined ? [] : [{ entry, score }];
      }),
    tags: () => entries.countTags(matches),
  };
}

/** See `FindOptions.factorsIn`. */
function factorOf(entry: Entry | undefined, given: SearchArguments): number {
  if (entry === undefined || !isWanted(entry, given)) return 0;
  return entry.status === 'deprecated' ? DEPRECATED_WEIGHT : 1;
}

/** Answers `search`: one line a hit, then the total, the cursor and the tags that would narrow it. */
export function searchTool(snapshot: Snapshot, given: SearchArguments): CallToolResult {
  const offset = offsetOf(given);
  const found = find(snapshot, given);
  const page = found.first(offset + given.limit).slice(offset);
  return {
    content: [
      { type: 'text', text: [...tell(snapshot, given, { found, page, offset }), ...snapshot.notices()].join('\n') },
    ],
    _meta: {
      'playbook-mcp/hits': page.map(({ entry, score }) => ({
        id: entry.id,
        kind: entry.kind,
        ...(score === undefined ? {} : { score }),
      })),
      'playbook-mcp/offset': offset,
      'playbook-mcp/total': found.total,
    },
  };
}

interface FoundPage {
  readonly found: Found;
  readonly page: readonly FoundEntry[];
  /** How many come before it. */
  readonly offset: number;
}

function tell(snapshot: Snapshot, given: SearchArguments, { found, page, offset }: FoundPage): readonly string[] {
  if (found.total === 0) return [nothingFound(snapshot, given)];
  const isOverview = queryOf(given) === '' && given.tags === undefined && offset === 0;
  const entries = searchedEntries(snapshot);
  return [
    ...(isOverview ? [tagOverview(found)] : []),
    ...page.map(({ entry }) => entries.lineOf(entry, hitLine)),
    foot(given, { found, page, offset }),
  ];
}

const queryOf = ({ query = '' }: SearchArguments): string => query.trim();

/** One hit: id with its signature, kind, one line of description, tags and marks; about 60 tokens at most. */
function hitLine(entry: Entry): string {
  const parts = [
    `${entry.id}${signatureOf(entry.inputSchema)}`,
    entry.kind,
    summaryOf(entry.description),
    entry.tags.join(' '),
    ...marksOf(entry).map((mark) => `[${mark}]`),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function isWanted(entry: Entry, { kind, tags = [] }: SearchArguments): boolean {
  return isListed(entry, kind) && hasTags(entry, tags);
}

/** Entries of our own are found by words and told where they are needed; they are nothing to browse. */
function isBuiltIn(entry: Entry): boolean {
  return entry.kind === 'tool' && entry.tool.server === BUILT_IN;
}

/** Whether search may show an entry: nothing retired, and a draft only to the people of its own repository. */
export function isListed(entry: Entry, kind: SearchArguments['kind']): boolean {
  if (entry.status === 'retired' || (kind !== undefined && entry.kind !== kind)) return false;
  return entry.status !== 'draft' || (entry.kind === 'playbook' && entry.playbook.source.kind !== 'central');
}

function foot(given: SearchArguments, { found, page, offset }: FoundPage): string {
  const { total } = found;
  const end = offset + page.length;
  const parts = [offset >= total ? `No more: ${total} in all.` : `${offset + 1}–${end} of ${total}.`];
  if (end < total) {
    parts.push(`More: cursor "${cursorAt(end, given)}".`);
    const tags = found.tags().filter(({ tag, count }) => count < total && !(given.tags ?? []).includes(tag));
    if (tags.length > 0) parts.push(`Narrow by tags: ${tagList(tags, MOST_NARROWING_TAGS)}.`);
  }
  return parts.join(' ');
}

function tagOverview(found: Found): string {
  const entries = found.first(Infinity);
  const playbooks = entries.filter(({ entry }) => entry.kind === 'playbook').length;
  const head = `${playbooks} playbooks, ${found.total - playbooks} tools.`;
  const tags = found.tags();
  return tags.length === 0 ? head : `${head} Browse by tags: ${tagList(tags, 3 * MOST_NARROWING_TAGS)}.`;
}

/** The most used of the tags. */
function tagList(tags: readonly TagCount[], most: number): string {
  return splitFirst(tags, most, byUse).first.map(tagWithCount).join(', ');
}

const tagWithCount = ({ tag, count }: TagCount): string => `${tag} (${count})`;

/** "No good match" is an answer: why, where was looked, and what could be tried instead. */
function nothingFound(snapshot: Snapshot, given: SearchArguments): string {
  const visible = snapshot.catalog.entries.filter((entry) => !isBuiltIn(entry) && isListed(entry, given.kind));
  if (visible.length === 0) {
    const told = `The catalog ${given.kind === undefined ? 'is empty' : `has no ${given.kind}`}.`;
    return snapshot.isRemote ? told : `${told} Looked in:\n${lookedIn(snapshot)}`;
  }
  const wanted = given.tags ?? [];
  const tagged = visible.filter((entry) => hasTags(entry, wanted));
  const tags = nearestTags(visible, [...wanted, ...queryOf(given).split(/\s+/)]);
  const hint = tags.length === 0 ? '' : ` Nearest tags: ${tags.map(tagWithCount).join(', ')}.`;
  if (tagged.length === 0) return `No entry has the tags ${wanted.join(', ')}.${hint}`;
  const query = summaryOf(queryOf(given), 80);
  return `No good match for "${query}" among ${tagged.length} entries. Try other words, or go on without a playbook.${hint}`;
}

function lookedIn({ sources, usualFolders }: Snapshot): string {
  const scanned = sources.flatMap((source) => source.folders.map((folder) => ({ folder, label: source.label })));
  const absent = usualFolders.filter((folder) => !scanned.some((each) => each.folder === folder));
  return [
    ...scanned.map(({ label, folder }) => `- ${folder} (${label})`),
    ...absent.map((folder) => `- ${folder} (not there)`),
  ].join('\n');
}

/** A cursor is the offset and a mark of the search it continues: it fits no other one. */
function cursorAt(offset: number, given: SearchArguments): string {
  return `${offset}.${fingerprint(given)}`;
}

function offsetOf(given: SearchArguments): number {
  if (given.cursor === undefined || given.cursor === '') return 0;
  const [, offset, mark] = /^(\d{1,9})\.(\w+)$/.exec(given.cursor.trim()) ?? [];
  if (offset === undefined || mark !== fingerprint(given)) {
    throw new PlaybookError('search/bad-cursor', `The cursor "${given.cursor}" does not belong to this search.`, {
      hint: 'Give the same query, tags and kind as in the search that handed it out, or leave it out to begin anew.',
    });
  }
  return Number(offset);
}

function fingerprint({ query = '', tags = [], kind }: SearchArguments): string {
  return crc32(JSON.stringify([query.trim(), tags, kind])).toString(16);
}
