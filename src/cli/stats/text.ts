import type { EntryRow, GroupRow, UsageSummary } from '../../usage/summary-rows.ts';
import { counted as countOf } from '../../usage/review/proposal.ts';
import { bold, table, terminalColumns } from '../print.ts';
import { listEntries } from './lists.ts';
import { sparkline } from './sparkline.ts';

const TREND = 16;
/** What most terminals have, where there is none. */
const WIDTH = 80;

/** A heading and what is below it; left out where that is empty. */
type Section = readonly [title: string, body: string];

/** What `stats` prints: the whole, then what stands out. Of a range of time it cannot say that something was never used. */
export function statsText(summary: UsageSummary, top: number, isRange = false): string {
  const { neverUsed, notChosen, failing, slow } = listEntries(summary);
  const used = summary.entries.filter(({ uses }) => uses > 0);
  const sections: readonly Section[] = [
    [overview(summary), ''],
    ['Funnel', funnelText(summary)],
    [`Most used${counted(used, top)}`, entryTable(used, top)],
    [
      `${isRange ? 'Not used in this time' : 'Never used'}${counted(neverUsed, top)}`,
      tableOf(['SHOWN', 'SINCE', 'ENTRY'], neverUsed.slice(0, top), (row) => [
        `${row.shown}`,
        day(row.availableSince),
        row.id,
      ]),
    ],
    [
      `Shown and not chosen${counted(notChosen, top)}`,
      tableOf(['SHOWN', 'RANK', 'CHOSEN', 'EXPECTED', 'ENTRY'], notChosen.slice(0, top), (row) => [
        `${row.shown}`,
        `${row.meanRank ?? ''}`,
        `${row.chosen}`,
        `${row.expected}`,
        row.id,
      ]),
    ],
    [
      `Failing${counted(failing, top)}`,
      tableOf(['FAILED', 'USES', 'CODES', 'ENTRY'], failing.slice(0, top), (row) => [
        percent(row.failures, row.uses),
        `${row.uses}`,
        Object.keys(row.errors).slice(0, 2).join(' '),
        row.id,
      ]),
    ],
    [
      `Slow${counted(slow, top)}`,
      tableOf(['P50', 'P95', 'USES', 'ENTRY'], slow.slice(0, top), (row) => [
        ms(row.p50Ms),
        ms(row.p95Ms),
        `${row.uses}`,
        row.id,
      ]),
    ],
    [
      `Asked in vain${counted(summary.unanswered, top)}`,
      tableOf(['SEARCHES', 'BY', 'DAYS', 'EMPTY', 'QUERY'], summary.unanswered.slice(0, top), (row) => [
        `${row.searches}`,
        `${row.askedBy}`,
        `${row.days}`,
        `${row.empty}`,
        row.query,
      ]),
    ],
  ];
  return sections
    .filter(([, body], at) => at === 0 || body !== '')
    .map(([title, body]) => (body === '' ? title : `${bold(title)}\n${body}`))
    .join('\n\n');
}

/** Entries, most used first. */
export function entryTable(rows: readonly EntryRow[], top: number): string {
  return tableOf(['USES', 'USERS', 'SHOWN', 'FAILED', 'LAST USE', 'TREND', 'ENTRY'], rows.slice(0, top), (row) => [
    `${row.uses}`,
    `${row.users}`,
    `${row.shown}`,
    percent(row.failures, row.uses),
    day(row.lastUse),
    sparkline(row.weeks, TREND),
    row.id,
  ]);
}

/** Groups of entries or calls, most used first. */
export function groupTable(rows: readonly GroupRow[], top: number): string {
  const isOfEntries = rows.some(({ entries }) => entries !== null);
  return tableOf(
    ['USES', 'USERS', 'FAILED', 'TOKENS', isOfEntries ? 'USED' : 'SEARCHES', 'NAME'],
    rows.slice(0, top),
    (row) => [
      `${row.uses}`,
      `${row.users}`,
      percent(row.failures, row.uses),
      short(row.tokens),
      isOfEntries ? `${row.usedEntries ?? 0}/${row.entries ?? 0}` : `${row.searches ?? 0}`,
      row.name === '' ? '(unknown)' : row.name,
    ],
  );
}

function overview({ span, totals, weeks }: UsageSummary): string {
  const people = totals.users === 0 ? [] : [countOf(totals.users, 'user')];
  const counts = [
    countOf(totals.events, 'call'),
    countOf(totals.sessions, 'session'),
    ...people,
    `${short(totals.tokens)} tokens delivered`,
  ];
  return [
    bold(`${day(span?.first ?? null)} to ${day(span?.last ?? null)}`),
    counts.join(' · '),
    weekly('uses a week', weeks, ({ uses }) => uses),
    weekly('found nothing', weeks, ({ empty }) => empty),
  ].join('\n');
}

function weekly<Week>(label: string, weeks: readonly Week[], of: (week: Week) => number): string {
  return `${label.padEnd(13)}  ${sparkline(weeks.map(of), 53)}`;
}

function funnelText({ funnel, totals }: UsageSummary): string {
  const { sessions, searched, readSchema, used, usedWithoutSearch } = funnel;
  if (sessions === 0) return '';
  return table([
    ['searched', `${searched}`, 'sessions'],
    ['read a schema', `${readSchema}`, percent(readSchema, searched)],
    ['used something', `${used}`, percent(used, searched)],
    ['used without a search', `${usedWithoutSearch}`, ''],
    [
      'searches in vain',
      `${totals.unanswered}`,
      `${percent(totals.unanswered, totals.searches)} of ${totals.searches}`,
    ],
  ]);
}

function tableOf<Row>(heads: readonly string[], rows: readonly Row[], cells: (row: Row) => readonly string[]): string {
  return rows.length === 0 ? '' : table([heads.map(bold), ...rows.map(cells)], terminalColumns(WIDTH));
}

function counted(rows: readonly unknown[], top: number): string {
  return rows.length > top ? ` (${top} of ${rows.length})` : '';
}

function percent(part: number, whole: number): string {
  return whole === 0 || part === 0 ? '·' : `${Math.round((100 * part) / whole)} %`;
}

function day(time: string | null): string {
  return time === null ? '·' : time.slice(0, 10);
}

function ms(value: number | null): string {
  if (value === null) return '·';
  return value >= 1000 ? `${(value / 1000).toFixed(1)} s` : `${Math.round(value)} ms`;
}

function short(count: number): string {
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} M`;
  return count >= 10_000 ? `${Math.round(count / 1000)} k` : `${count}`;
}
