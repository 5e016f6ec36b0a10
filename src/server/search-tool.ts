import { createHash } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { PlaybookError } from '../errors.ts';
import type { Entry } from '../model.ts';
import { search } from '../search/search.ts';
import { BUILT_IN } from '../tools/built-in.ts';
import { signatureOf } from './signature.ts';
import type { Snapshot } from './snapshot.ts';
import { marksOf, summaryOf } from './summary.ts';
import { countTags, hasTags, nearestTags, type TagCount } from './tags.ts';
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
  const query = queryOf(given);
  if (query === '')
    return snapshot.catalog.entries
      .filter((entry) => !isBuiltIn(entry) && isWanted(entry, given))
      .map((entry) => ({ entry }));
  const { byId } = snapshot.catalog;
  const outcome = search(snapshot.segments, query, {
    accept: (key) => isWanted(byId.get(key), given),
    weightOf: (key) => (byId.get(key)?.status === 'deprecated' ? DEPRECATED_WEIGHT : 1),
    synonyms: snapshot.synonyms,
  });
  const found: FoundEntry[] = [];
  for (const { key, score } of outcome.hits) {
    const entry = byId.get(key);
    if (entry !== undefined) found.push({ entry, score });
  }
  return found;
}

/** Answers `search`: one line a hit, then the total, the cursor and the tags that would narrow it. */
export function searchTool(snapshot: Snapshot, given: SearchArguments): CallToolResult {
  const offset = offsetOf(given);
  const found = findEntries(snapshot, given);
  const page = found.slice(offset, offset + given.limit);
  const isOverview = queryOf(given) === '' && given.tags === undefined && offset === 0;
  const lines =
    found.length === 0
      ? [nothingFound(snapshot, given)]
      : [
          ...(isOverview ? [tagOverview(found.map(({ entry }) => entry))] : []),
          ...page.map(({ entry }) => hitLine(entry)),
          foot({ found, offset, given }),
        ];
  return {
    content: [{ type: 'text', text: [...lines, ...snapshot.notices()].join('\n') }],
    _meta: {
      'playbook-mcp/hits': page.map(({ entry, score }) => ({
        id: entry.id,
        kind: entry.kind,
        ...(score === undefined ? {} : { score }),
      })),
      'playbook-mcp/offset': offset,
      'playbook-mcp/total': found.length,
    },
  };
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

function isWanted(entry: Entry | undefined, { kind, tags = [] }: SearchArguments): boolean {
  return entry !== undefined && isListed(entry, kind) && hasTags(entry, tags);
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

function foot({
  found,
  offset,
  given,
}: {
  found: readonly FoundEntry[];
  offset: number;
  given: SearchArguments;
}): string {
  const total = found.length;
  const end = Math.min(offset + given.limit, total);
  const parts = [offset >= total ? `No more: ${total} in all.` : `${offset + 1}–${end} of ${total}.`];
  if (end < total) {
    parts.push(`More: cursor "${cursorAt(end, given)}".`);
    const tags = countTags(found.map(({ entry }) => entry))
      .filter(({ tag, count }) => count < total && !(given.tags ?? []).includes(tag))
      .slice(0, MOST_NARROWING_TAGS);
    if (tags.length > 0) parts.push(`Narrow by tags: ${tags.map(tagWithCount).join(', ')}.`);
  }
  return parts.join(' ');
}

function tagOverview(entries: readonly Entry[]): string {
  const playbooks = entries.filter((entry) => entry.kind === 'playbook').length;
  const head = `${playbooks} playbooks, ${entries.length - playbooks} tools.`;
  const tags = countTags(entries).slice(0, 3 * MOST_NARROWING_TAGS);
  return tags.length === 0 ? head : `${head} Browse by tags: ${tags.map(tagWithCount).join(', ')}.`;
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
  return createHash('sha256')
    .update(JSON.stringify([query.trim(), tags, kind]))
    .digest('hex')
    .slice(0, 6);
}
