import { describe, expect, it } from 'vitest';
import type { UsageEvent } from '../../../src/usage/event.ts';
import { reviewUsage } from '../../../src/usage/review/review.ts';
import { seed, source, text, tool } from '../../seed.ts';
import { type History, inputOf, propose, searched, session, used } from '../history.ts';
import { report } from '../seed.ts';

/** So many sessions, each of another person on another day. */
function sessions(count: number, calls: (at: number) => readonly Partial<UsageEvent>[]): readonly UsageEvent[] {
  const prefix = JSON.stringify(calls(0));
  return Array.from({ length: count }, (_, at) => session(`${prefix}${at}`, 100 + (at % 80), calls(at))).flat();
}

const files = {
  'release.md': text('Cut a release of the shop.'),
  'rollback.md': text('Roll a deployment back.'),
  'invoices.md': text('Export invoices for the auditors.'),
};
const healthy = [
  ...sessions(60, () => [searched('cut a release', 'org:release', 'org:rollback'), used('org:release')]),
  ...sessions(60, () => [searched('roll back', 'org:rollback', 'org:release'), used('org:rollback')]),
];

describe('fix', () => {
  const failing = (failed: number, ok: number): History => ({
    files,
    events: [
      ...healthy,
      ...sessions(failed, () => [used('org:invoices', { outcome: 'error', code: 'tools/timeout' })]),
      ...sessions(ok, () => [used('org:invoices')]),
    ],
    day: 185,
  });

  it('has a failing tool looked at, not called', async () => {
    const broken = Array.from({ length: 20 }, (_, day) =>
      session(`f${day}`, day, [used('git__log', { outcome: 'error', code: 'tools/timeout' })]),
    ).flat();
    const fine = Array.from({ length: 60 }, (_, day) => session(`o${day}`, day % 20, [used('org:invoices')])).flat();
    const proposals = await propose('fix', {
      files: { 'invoices.md': text('Invoices.') },
      tools: [tool('git__log')],
      events: [...broken, ...fine],
      day: 21,
    });
    expect(proposals.map(({ entry, command }) => [entry, command])).toEqual([
      ['git__log', 'playbook-mcp tools status'],
    ]);
  });

  it('names what leaves no doubt that it fails more often than is usual', async () => {
    const [proposal, ...more] = await propose('fix', failing(10, 10));
    expect(more).toEqual([]);
    expect(proposal).toMatchObject({
      entry: 'org:invoices',
      evidence: { sessions: 20, failedSessions: 10, errors: { 'tools/timeout': 10 } },
    });
  });

  it.each([
    { name: 'two failures', failed: 2, ok: 0 },
    { name: 'a failure in ten', failed: 4, ok: 36 },
  ])('leaves $name', async ({ failed, ok }) => {
    expect(await propose('fix', failing(failed, ok))).toEqual([]);
  });

  it.each([
    { name: 'names what is seldom used by its last sessions', lastFailed: true, expected: ['org:invoices'] },
    { name: 'leaves what has not failed of late', lastFailed: false, expected: [] },
  ])('$name', async ({ lastFailed, expected }) => {
    const [playbook] = seed(files, source('org')).filter(({ id }) => id === 'invoices');
    const digest = playbook?.digest ?? '';
    const seldom = Array.from({ length: 10 }, (_, at) =>
      session(`seldom-${at}`, 10 + 17 * at, [
        used('org:invoices', { digest, ...((at < 5 || lastFailed) && at % 5 > 1 && { outcome: 'error' }) }),
      ]),
    ).flat();
    const named = await propose('fix', { files, events: [...healthy, ...seldom], day: 185 });
    expect(named.map(({ entry: id }) => id)).toEqual(expected);
  });

  it('names a step that an agent reported of the text as it is, and no other', async () => {
    const [playbook] = seed(files, source('org')).filter(({ id }) => id === 'release');
    const about = { entry: 'org:release', step: '2', problem: 'The script is gone.' };
    const reports = [report({ ...about, digest: playbook?.digest ?? '' }), report({ ...about, digest: 'older' })];
    const [proposal, ...more] = await propose('fix', { files, events: healthy, reports, day: 185 });
    expect(more).toEqual([]);
    expect(proposal?.evidence.reports).toMatchObject([{ step: '2', problem: 'The script is gone.' }]);
  });
});

describe('write', () => {
  const asked = ['renew the tls certificate', 'tls certificate expired', 'how do I renew a tls certificate'];

  it('gathers what several people asked in vain, in other words too', async () => {
    const events = [
      ...healthy,
      ...sessions(12, (at) => [searched(asked[at % 3] ?? '', 'org:rollback'), used('org:release')]),
    ];
    const [proposal, ...more] = await propose('write', { files, events, day: 185 });
    expect(more).toEqual([]);
    expect(proposal?.evidence).toMatchObject({ unanswered: 12, answered: 0, askedBy: 12 });
    expect([...(proposal?.evidence.queries ?? [])].sort()).toEqual([...asked].sort());
    expect(proposal?.command).toMatch(/^playbook-mcp new [\w-]+ --example '/);
  });

  it('leaves what one person asked, and what was asked on one day', async () => {
    const one = Array.from({ length: 12 }, (_, at) =>
      session('one', 100 + at, [searched('renew the tls certificate'), used('org:release')]),
    ).flat();
    const day = Array.from({ length: 12 }, (_, at) =>
      session(`p${at}`, 120, [searched('buy a boat'), used('org:release')]),
    ).flat();
    expect(await propose('write', { files, events: [...healthy, ...one, ...day], day: 185 })).toEqual([]);
  });

  it('names what agents take now this and now that for', async () => {
    const taken = ['org:release', 'org:rollback', 'org:invoices'];
    const events = [
      ...healthy,
      ...sessions(30, (at) => [
        searched('renew the tls certificate', ...taken),
        ...(at % 3 === 0 ? [used(taken[(at / 3) % 3] ?? '')] : []),
      ]),
    ].map((each, at) => ({ ...each, user: `user-${at % 7}` }));
    const [proposal, ...more] = await propose('write', { files, events, day: 185 });
    expect(more).toEqual([]);
    expect(proposal?.evidence).toMatchObject({ unanswered: 20, answered: 10 });
  });

  it('leaves what the catalog has, though no search listed it', async () => {
    const events = [
      ...healthy,
      ...sessions(12, () => [searched('export invoices auditors', 'org:rollback'), used('org:release')]),
    ];
    expect(await propose('write', { files, events, day: 185 })).toEqual([]);
  });

  it('leaves what is only given up as often as any search', async () => {
    const events = [
      ...healthy,
      ...sessions(30, (at) => [
        searched('export invoices', 'org:invoices'),
        ...(at % 3 === 0 ? [] : [used('org:invoices')]),
      ]),
    ];
    expect(await propose('write', { files, events, day: 185 })).toEqual([]);
  });
});

describe('rewrite', () => {
  it('names what is listed first for its own need and passed by, not what stands below the chosen', async () => {
    const events = [
      ...healthy,
      ...sessions(40, (at) => [
        searched('export invoices auditors', 'org:invoices', 'org:release'),
        ...(at === 0 ? [used('org:invoices')] : []),
      ]),
    ].map((each) => ({ ...each, user: 'everybody' }));
    const byMany = events.map((each, at) => ({ ...each, user: `user-${at % 7}` }));
    const proposals = await propose('rewrite', { files, events: byMany, day: 185 });
    expect(proposals.map(({ entry: id }) => id)).toEqual(['org:invoices']);
    expect(proposals[0]?.evidence).toMatchObject({ shown: 40, meanRank: 1, queries: ['export invoices auditors'] });
  });
});

describe('merge', () => {
  it('names copies, keeps the used one, and does not retire the other beside it', async () => {
    const body = Array.from({ length: 30 }, (_, at) => `Step ${at}: turn the ${'abcdefgh'[at % 8]}${at} valve.`).join(
      '\n',
    );
    const copies = { 'valves.md': text('Turn the valves.', body), 'valves-2.md': text('Turn all valves.', body) };
    const history: History = {
      files: { ...files, ...copies },
      events: [...healthy, ...sessions(5, () => [used('org:valves-2')])],
      day: 185,
    };
    expect(await propose('merge', history)).toMatchObject([
      {
        entries: ['org:valves-2', 'org:valves'],
        keep: 'org:valves-2',
        command: 'playbook-mcp deprecate valves --replace valves-2',
        evidence: { text: { kind: 'exact', overlapRatio: 1 }, uses: [5, 0] },
      },
    ]);
    expect((await propose('retire', { ...history, day: 230 })).map(({ entry: id }) => id)).toEqual(['org:invoices']);
  });

  it('names what is taken in each other’s place for the same queries, though the texts are different', async () => {
    const twins = { 'ship.md': text('Ship it to customers.'), 'publish.md': text('Publish a build for customers.') };
    const lists = (at: number): readonly Partial<UsageEvent>[] => [
      searched('give customers the build', 'org:ship', 'org:publish'),
      used(at % 2 === 0 ? 'org:ship' : 'org:publish'),
    ];
    const history: History = { files: { ...files, ...twins }, events: [...healthy, ...sessions(60, lists)], day: 185 };
    expect(await propose('merge', history)).toMatchObject([
      { evidence: { text: null, use: { searches: 60, chosen: [30, 30] } } },
    ]);
  });

  describe('of one template', () => {
    const steps = (what: string): string =>
      Array.from({ length: 30 }, (_, at) => `Step ${at}: turn the ${what} ${'abcdefgh'[at % 8]}${at} valve.`).join(
        '\n',
      );
    const variants = {
      'staging.md': text('Deploy to staging.', `${steps('red')} Tell the testers.`),
      'production.md': text('Deploy to production.', `${steps('red')} Tell the customers.`),
    };
    const asked = (id: string, query: string): readonly UsageEvent[] =>
      sessions(20, () => [searched(query, 'org:staging', 'org:production'), used(id)]);

    it('leaves variants that are taken for different queries', async () => {
      const events = [...healthy, ...asked('org:staging', 'testers first'), ...asked('org:production', 'go live')];
      expect(await propose('merge', { files: { ...files, ...variants }, events, day: 185 })).toEqual([]);
    });

    it('names those that are taken for the same queries', async () => {
      const events = [...healthy, ...asked('org:staging', 'go live'), ...asked('org:production', 'go live')];
      expect(await propose('merge', { files: { ...files, ...variants }, events, day: 185 })).toHaveLength(1);
    });

    it('leaves unused ones that have no more in common than variants have', async () => {
      const unused = {
        'unused.md': text('Deploy to the moon.', `${steps('blue')} Tell the crew.`),
        'unused-too.md': text('Deploy to mars.', `${steps('blue')} Tell the colonists.`),
      };
      const events = [...healthy, ...asked('org:staging', 'testers first'), ...asked('org:production', 'go live')];
      const [before] = await propose('merge', { files: { ...files, ...unused }, events: healthy, day: 185 });
      expect(before?.entries.toSorted()).toEqual(['org:unused', 'org:unused-too']);
      expect(await propose('merge', { files: { ...files, ...variants, ...unused }, events, day: 185 })).toEqual([]);
    });
  });

  it('tells questions apart by their lists where words are not kept', async () => {
    const wordless = (id: string, ...shown: string[]): readonly UsageEvent[] =>
      sessions(20, () => [{ ...searched('', ...shown), query: null }, used(id, { query: null })]);
    const apart = [
      ...wordless('org:release', 'org:release', 'org:rollback'),
      ...wordless('org:rollback', 'org:rollback', 'org:release'),
    ];
    expect(await propose('merge', { files, events: apart, day: 185 })).toEqual([]);
    const mixed = [
      ...wordless('org:release', 'org:release', 'org:rollback'),
      ...wordless('org:rollback', 'org:release', 'org:rollback'),
    ];
    expect(await propose('merge', { files, events: mixed, day: 185 })).toHaveLength(1);
  });

  it('leaves two that are listed together and taken for different queries', async () => {
    expect(await propose('merge', { files, events: healthy, day: 185 })).toEqual([]);
  });
});

describe('undeprecate', () => {
  const deprecated = {
    ...files,
    'old.md': text('The old way.', 'Body.', 'status: deprecated\ndeprecated:\n  replacedBy: release'),
  };

  it('names what several people still use though its replacement is there', async () => {
    const events = [...healthy, ...sessions(30, () => [used('org:old')])];
    expect(await propose('undeprecate', { files: deprecated, events, day: 185 })).toMatchObject([
      { entry: 'org:old', command: 'playbook-mcp restore old', evidence: { uses: 30, replacedBy: 'release' } },
    ]);
  });

  it('leaves what hardly anybody uses any more', async () => {
    const events = [...healthy, ...sessions(5, () => [used('org:old')])];
    expect(await propose('undeprecate', { files: deprecated, events, day: 185 })).toEqual([]);
  });
});

describe('reviewUsage', () => {
  it('says the same of the same data, whatever the order of calls of different people', async () => {
    const one = reviewUsage(await inputOf({ files, events: healthy, day: 185 }));
    const other = reviewUsage(await inputOf({ files, events: [...healthy].reverse(), day: 185 }));
    expect(other).toEqual(one);
  });

  it('proposes nothing of nothing', async () => {
    expect(reviewUsage(await inputOf({ files, events: [], day: 185 }))).toEqual([]);
  });
});
