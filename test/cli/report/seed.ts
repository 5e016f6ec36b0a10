import { buildCatalog, type Catalog } from '../../../src/catalog/catalog.ts';
import type { SeenEntry, UsageEvent } from '../../../src/usage/event.ts';
import { seed, source, text, tool } from '../../seed.ts';

export const DAY_MS = 86_400_000;
/** A Monday. */
const START = Date.UTC(2026, 0, 5);
const DAYS = 200;
export const NOW = START + DAYS * DAY_MS;

export const HOSTILE = '</script><img src=x onerror="window.pwned=1">';

export const CATALOG: Catalog = buildCatalog({
  playbooks: [
    ...seed({
      'deploy/roll-back.md': text(
        'Roll back a release.',
        'Do.',
        'tags: [domain:deploy, action:rollback]\nowner: platform',
      ),
      'deploy/release.md': text('Release a service.', 'Do.', 'tags: [domain:deploy]'),
      'data/backfill.md': text('Backfill a table.', 'Do.', 'tags: [domain:data]'),
      'data/forgotten.md': text('Nobody needs this.', 'Do.', 'tags: [domain:data]'),
    }),
    ...seed({ 'review.md': text('Review a change.', 'Do.', `tags: ['${HOSTILE}']`) }, source('team')),
  ],
  tools: [tool('github__create_issue', { tags: ['domain:code'] })],
});

export const SEEN: readonly SeenEntry[] = CATALOG.entries.map((entry) => ({
  entry: entry.kind === 'tool' ? entry.id : entry.qualifiedId,
  kind: entry.kind,
  source: entry.source,
  repo: null,
  firstSeen: START,
  lastSeen: NOW,
}));

/** Used on each day that its number divides. */
const HABITS: readonly (readonly [string, string, number])[] = [
  ['central:deploy/roll-back', 'undo the release', 1],
  ['central:deploy/release', 'ship the service', 2],
  ['central:data/backfill', 'fill the table again', 5],
  ['team:review', 'look over my change', 7],
  ['github__create_issue', 'open an issue', 10],
];

/** A session a day for each habit, and on every third day one that asks in vain. */
export function eventsOf({
  missing = 'rotate the signing key',
  gone = `central:${HOSTILE}`,
} = {}): readonly UsageEvent[] {
  const events: UsageEvent[] = [];
  for (let day = 0; day < DAYS; day += 1) {
    for (const [at, [entry, query, every]] of HABITS.entries()) {
      if (day % every !== 0) continue;
      const call = callOf(events, {
        session: `s-${day}-${at}`,
        client: at % 2 === 0 ? 'claude-code' : 'cursor',
        day,
        hour: 8 + at,
      });
      call({ operation: 'search', query, shown: [entry, 'central:data/forgotten'] });
      call({ operation: 'get_schema', ...about(entry) });
      const hasFailed = entry === 'central:data/backfill' && day % 2 === 0;
      call({
        operation: 'execute',
        ...about(entry),
        query,
        rank: 1,
        ...(hasFailed && { outcome: 'error', code: 'tools/failed' }),
      });
    }
    if (day % 3 !== 0) continue;
    const call = callOf(events, { session: `m-${day}`, client: 'cursor', day, hour: 20 });
    call({ operation: 'search', query: missing, shown: [], outcome: 'empty' });
    if (day < 30) call({ operation: 'execute', ...about(gone) });
  }
  return events.sort((a, b) => a.time - b.time);
}

interface Place {
  readonly session: string;
  readonly client: string;
  readonly day: number;
  readonly hour: number;
}

function callOf(events: UsageEvent[], { session, client, day, hour }: Place): (call: Partial<UsageEvent>) => void {
  let time = START + day * DAY_MS + hour * 3_600_000;
  return (call) => {
    time += 20_000;
    events.push({
      id: `e-${events.length}`,
      time,
      session,
      client,
      user: `user-${day % 9}`,
      repo: 'github.com/org/shop',
      operation: 'search',
      entry: null,
      kind: null,
      source: null,
      digest: null,
      outcome: 'ok',
      code: null,
      ms: 12,
      tokens: 300,
      rank: null,
      query: null,
      shown: null,
      trace: null,
      ...call,
    });
  };
}

function about(entry: string): Partial<UsageEvent> {
  const isTool = entry.includes('__');
  return { entry, kind: isTool ? 'tool' : 'playbook', source: isTool ? 'github' : (entry.split(':')[0] ?? null) };
}
