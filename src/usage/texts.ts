import { sql } from 'kysely';
import type { UsageDatabase } from './connect.ts';
import { DAY_MS, dayOf } from './day.ts';
import type { UsagePlace } from './place.ts';
import { TEXT_COLUMNS, type EventRow } from './tables.ts';

/** Rows of one statement: each has two values. */
const ROWS = 5_000;

interface KeptText {
  readonly id: number;
  readonly day: number;
}

/**
 * Keeps the texts of events that are about to be written, and gives their ids. To be called in the transaction that writes them, which
 * no removal may run beside (see `lockTexts`).
 */
export async function codeTexts(
  database: UsageDatabase,
  kind: UsagePlace['kind'],
  rows: readonly EventRow[],
): Promise<(text: string) => number> {
  const wanted = daysOfTexts(rows);
  const known = await findTexts(database, kind, [...wanted.keys()]);
  const news = [...wanted].filter(([text, day]) => day > (known.get(text)?.day ?? -Infinity));
  if (news.length > 0) {
    // In one order, so that no two processes wait for each other.
    await putTexts(
      database,
      kind,
      news.sort(([a], [b]) => (a < b ? -1 : 1)),
    );
    const added = news.flatMap(([text]) => (known.has(text) ? [] : [text]));
    for (const [text, kept] of await findTexts(database, kind, added)) known.set(text, kept);
  }
  return (text) => {
    const kept = known.get(text) ?? known.get(storable(text));
    if (kept === undefined) throw new Error('A text of an event was not kept.');
    return kept.id;
  };
}

/** Holds off whatever removes texts, or, as a remover, whoever is about to write events that have them, to the end of the transaction. */
export async function lockTexts(
  database: UsageDatabase,
  kind: UsagePlace['kind'],
  as: 'writer' | 'remover',
): Promise<void> {
  // A transaction in SQLite has the file to itself.
  if (kind === 'sqlite') return;
  const mode = sql.raw(as === 'writer' ? 'row exclusive' : 'share row exclusive');
  await sql`lock table usage_coded_events in ${mode} mode`.execute(database);
}

/** Removes the texts that no event from that time on has, once the events before it are removed. @param time milliseconds since 1970 */
export async function removeTexts(database: UsageDatabase, time: number): Promise<void> {
  const day = dayOf(time);
  await database.deleteFrom('usage_texts').where('day', '<', day).execute();
  // Of the day itself a part is left.
  const left = TEXT_COLUMNS.map(
    (column) => sql`select ${sql.ref(column)} from usage_coded_events
      where time >= ${time} and time < ${(day + 1) * DAY_MS} and ${sql.ref(column)} is not null`,
  );
  await sql`delete from usage_texts where day = ${day} and id not in (${sql.join(left, sql` union `)})`.execute(
    database,
  );
}

/** Each text with the last day on which one of these events has it. */
function daysOfTexts(rows: readonly EventRow[]): ReadonlyMap<string, number> {
  const asGiven = new Map<string, number>();
  for (const row of rows) {
    const day = dayOf(row.time);
    for (const column of TEXT_COLUMNS) {
      const text = row[column];
      if (text !== null && day > (asGiven.get(text) ?? -Infinity)) asGiven.set(text, day);
    }
  }
  const days = new Map<string, number>();
  for (const [given, day] of asGiven) {
    const text = storable(given);
    days.set(text, Math.max(day, days.get(text) ?? -Infinity));
  }
  return days;
}

/** A text as it comes back: without NUL, which PostgreSQL does not take, and without halves of characters, which no UTF-8 has. */
function storable(text: string): string {
  return Buffer.from(text.replaceAll('\0', '')).toString();
}

/** Those of the texts that are kept. */
export async function findTexts(
  database: UsageDatabase,
  kind: UsagePlace['kind'],
  texts: readonly string[],
): Promise<Map<string, KeptText>> {
  if (texts.length === 0) return new Map();
  const found = sql<KeptText & { readonly text: string }>`select kept.id, kept.text, kept.day from ${
    kind === 'sqlite'
      ? sql`json_each(${JSON.stringify(texts)}) as asked join usage_texts as kept on kept.text = asked.value`
      : sql`unnest(${texts}::text[]) as asked(text) join usage_texts as kept
          on ${sql.raw(digestSql('kept.text'))} = ${sql.raw(digestSql('asked.text'))}`
  }`;
  const { rows } = await found.execute(database);
  return new Map(rows.map(({ text, ...kept }) => [text, kept]));
}

async function putTexts(
  database: UsageDatabase,
  kind: UsagePlace['kind'],
  texts: readonly (readonly [text: string, day: number])[],
): Promise<void> {
  for (let at = 0; at < texts.length; at += ROWS) {
    await database
      .insertInto('usage_texts')
      .values(texts.slice(at, at + ROWS).map(([text, day]) => ({ text, day })))
      .onConflict((conflict) =>
        (kind === 'sqlite' ? conflict.column('text') : conflict.expression(sql.raw(digestSql('text'))))
          .doUpdateSet((eb) => ({ day: eb.ref('excluded.day') }))
          .whereRef('usage_texts.day', '<', 'excluded.day'),
      )
      .execute();
  }
}

/**
 * What PostgreSQL knows a text by, since its indexes take no row above 2.7 KB, and an agent may ask for an id of any length. As bytes, the
 * backslash begins an escape. (`convert_to` is not to be had in an index: it depends on a setting.)
 */
export function digestSql(column: string): string {
  return `sha256(replace(${column}, chr(92), chr(92) || chr(92))::bytea)`;
}
