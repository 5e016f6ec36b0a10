import { sql } from 'kysely';
import type { LearnedPair } from '../search/learned.ts';
import { HASHED } from './call-record.ts';
import type { UsageDatabase } from './connect.ts';
import { DAY_MS } from './day.ts';
import { usageKey } from './usage-key.ts';

/** What was used so long ago may be done in another way now. */
const LEARNED_DAYS = 180;
/** Queries of one entry: one caller's thousands of them must not take the place of everybody else's. */
const MOST_OF_ENTRY = 1_000;
/** Pairs in all: some 10 MB, and well below a millisecond of a search. */
const MOST_PAIRS = 50_000;

/** Which pairs are read. */
export interface PairsOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** For tests; 50,000 by default. */
  readonly mostPairs?: number;
  /** For tests; 1,000 by default. */
  readonly mostOfEntry?: number;
}

interface PairRow {
  readonly query: string;
  readonly entry: string;
  readonly repo: string | null;
  readonly callers: number;
  readonly callersOfEntry: number;
}

/**
 * The queries that led to an execute which succeeded, with its entry by `usageKey`: what most callers did first, then what was done last.
 * A caller is a person where the store tells them apart, else a session, and counts once however often they did it. Ids are as events have
 * them: logs of other programs may name a playbook by its bare id.
 */
export async function readLearnedPairs(
  database: UsageDatabase,
  { now, mostPairs = MOST_PAIRS, mostOfEntry = MOST_OF_ENTRY }: PairsOptions,
): Promise<readonly LearnedPair[]> {
  const text = (word: string) => sql`(select id from usage_texts where text = ${word})`;
  const { rows } = await sql<PairRow>`with used as (
      select query, entry, case when source = ${text('workspace')} then repo end as repo,
        coalesce(user_name, session) as caller, time
      from usage_coded_events
      where time >= ${now - LEARNED_DAYS * DAY_MS} and operation = ${text('execute')} and outcome = ${text('ok')}
        and query is not null and entry is not null and coalesce(user_name, session) is not null
    ), pairs as (
      select query, entry, repo, count(distinct caller) as callers, max(time) as latest
      from used group by query, entry, repo
    ), ranked as (
      select pairs.*, row_number() over (partition by entry, repo order by callers desc, latest desc, query) as place
      from pairs
    ), entries as (
      select entry, repo, count(distinct caller) as callers from used group by entry, repo
    )
    select queries.text as query, names.text as entry, repos.text as repo, ranked.callers as callers,
      entries.callers as ${sql.ref('callersOfEntry')}
    from ranked
    join entries on entries.entry = ranked.entry and coalesce(entries.repo, 0) = coalesce(ranked.repo, 0)
    join usage_texts as queries on queries.id = ranked.query
    join usage_texts as names on names.id = ranked.entry
    left join usage_texts as repos on repos.id = ranked.repo
    where ranked.place <= ${mostOfEntry}
    order by ranked.callers desc, ranked.latest desc, ranked.query, ranked.entry
    limit ${mostPairs}`.execute(database);
  return rows.flatMap(({ query, entry, repo, callers, callersOfEntry }) =>
    HASHED.test(query)
      ? []
      : [{ query, key: usageKey({ entry, source: repo === null ? '' : 'workspace', repo }), callers, callersOfEntry }],
  );
}
