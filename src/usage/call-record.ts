import { createHash } from 'node:crypto';
import { tokenCountOf } from '../catalog/tokens.ts';
import type { Config } from '../config/index.ts';
import type { UsageEvent } from './event.ts';

/**
 * What the serving thread notes of one call. The rest is done where the store is written: counting the tokens of an answer can take
 * longer than the search that gave it.
 */
export interface CallRecord {
  /** One, or one an id for `get_schema`; `query` as it was given. */
  readonly events: readonly NotedEvent[];
  /** What the client was given to read. */
  readonly texts: readonly string[];
}

type NotedEvent = Omit<UsageEvent, 'tokens'>;
type QueryPolicy = Config['usage']['queries'];

/** Longer texts are counted by their beginning. */
const COUNTED = 20_000;
const LONGEST_QUERY = 500;

/** The events of a call, ready to be stored; the tokens of an answer are shared out among the ids that it is about. */
export function toEvents({ events, texts }: CallRecord, queries: QueryPolicy): readonly UsageEvent[] {
  const tokens = texts.reduce((sum, text) => sum + estimate(text), 0);
  const share = Math.floor(tokens / Math.max(events.length, 1));
  return events.map((event, index) =>
    toStored(event, {
      tokens: index === 0 ? tokens - share * (events.length - 1) : share,
      query: keptQuery(event.query, queries),
    }),
  );
}

/** A query as it is stored: its words, a hash of them, or null. */
export function keptQuery(query: string | null, queries: QueryPolicy): string | null {
  if (query === null || queries === 'off') return null;
  const words = withoutNul(query).trim().slice(0, LONGEST_QUERY);
  if (words === '') return null;
  if (queries === 'text' || HASHED.test(words)) return words;
  // Case and spaces do not make another question.
  const folded = words.toLowerCase().replace(/\s+/g, ' ');
  return `sha256:${createHash('sha256').update(folded).digest('hex').slice(0, 32)}`;
}

/** One that was exported from a store that hashes is not hashed again. */
export const HASHED = /^sha256:[0-9a-f]{32}$/;

/**
 * PostgreSQL has no place for NUL in a text, and an agent may well send one. Each property by name: an object that is made by spreads is
 * slow to make, and slower to read.
 */
function toStored(event: NotedEvent, { tokens, query }: Pick<UsageEvent, 'tokens' | 'query'>): UsageEvent {
  const { client, repo, entry } = event;
  return {
    id: event.id,
    time: event.time,
    session: withoutNul(event.session),
    client: client === null ? null : withoutNul(client),
    user: event.user,
    repo: repo === null ? null : withoutNul(repo),
    operation: event.operation,
    entry: entry === null ? null : withoutNul(entry),
    kind: event.kind,
    source: event.source,
    digest: event.digest,
    outcome: event.outcome,
    code: event.code,
    ms: event.ms,
    tokens,
    rank: event.rank,
    query,
    shown: event.shown,
    trace: event.trace,
  };
}

export function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}

function estimate(text: string): number {
  if (text.length <= COUNTED) return tokenCountOf(text);
  return Math.round((tokenCountOf(text.slice(0, COUNTED)) * text.length) / COUNTED);
}
