import { sql } from 'kysely';
import type { UsageDatabase } from './connect.ts';
import { DAY_MS } from './day.ts';
import type { UsagePlace } from './place.ts';
import { EVENT_COLUMNS, TEXT_COLUMNS, type TextColumn, wordsOf } from './tables.ts';
import { digestSql } from './texts.ts';

type Kind = UsagePlace['kind'];

/**
 * The second version of the tables: each text once, and events with the ids of their texts. What was `usage_events` is a view now, so that
 * whoever reads it by SQL still can; a running process of the first version can no more write to it, looks at the store anew and finds
 * that it is newer.
 */
export async function codeEvents(database: UsageDatabase, kind: Kind): Promise<void> {
  const statements = [
    'alter table usage_events rename to usage_events_1',
    ...tables(kind),
    ...TEXT_COLUMNS.map(keepTexts(kind)),
    // The joins of PostgreSQL are chosen by how much there is.
    ...(kind === 'postgres' ? ['analyze usage_texts'] : []),
    `insert into usage_coded_events (time, id, ms, tokens, rank, trace, ${TEXT_COLUMNS.join(', ')})
      select old.time, old.id, old.ms, old.tokens, old.rank, old.trace, ${TEXT_COLUMNS.map((column) => `${column}_text.id`).join(', ')}
      from usage_events_1 as old ${joinTexts((column) => `${column}_text.text = old.${column}`)} and old.session <> ''`,
    'drop table usage_events_1',
    VIEW,
  ];
  for (const statement of statements) await sql.raw(statement).execute(database);
}

function tables(kind: Kind): readonly string[] {
  const { integer, real, end } = wordsOf(kind);
  const codes = TEXT_COLUMNS.map((column) => `${column} ${integer}`).join(', ');
  return [
    ...(kind === 'sqlite'
      ? [
          'create table usage_texts (id integer primary key autoincrement, text text not null unique, day integer not null) strict',
        ]
      : [
          'create table usage_texts (id bigint generated always as identity primary key, text text not null, day bigint not null)',
          `create unique index usage_texts_text on usage_texts (${digestSql('text')})`,
        ]),
    `create table usage_coded_events (time ${integer} not null, id text not null, ${codes}, ms ${real} not null,
      tokens ${integer} not null, rank ${integer}, trace text, primary key (time, id)) ${end}`,
  ];
}

/** The texts of one column of the first version, each with its last day. */
function keepTexts(kind: Kind): (column: TextColumn) => string {
  const target = kind === 'sqlite' ? 'text' : digestSql('text');
  return (column) => `insert into usage_texts (text, day)
    select ${column}, max(time / ${DAY_MS}) from usage_events_1 where ${column} is not null${column === 'session' ? " and session <> ''" : ''}
    group by ${column}
    on conflict (${target}) do update set day = excluded.day where usage_texts.day < excluded.day`;
}

const VIEW = `create view usage_events as select ${EVENT_COLUMNS.map(viewColumn).join(', ')} from usage_coded_events as coded
  ${joinTexts((column) => `${column}_text.id = coded.${column}`)}`;

function joinTexts(on: (column: TextColumn) => string): string {
  // The session last: what else is asked of it follows.
  return TEXT_COLUMNS.toReversed()
    .map((column) => `left join usage_texts as ${column}_text on ${on(column)}`)
    .join(' ');
}

function viewColumn(column: (typeof EVENT_COLUMNS)[number]): string {
  const isText = TEXT_COLUMNS.some((each) => each === column);
  if (!isText) return `coded.${column}`;
  // A session that is not known is ''.
  return column === 'session' ? `coalesce(session_text.text, '') as session` : `${column}_text.text as ${column}`;
}
