import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Folded } from '../../../src/usage/fold/fold.ts';
import { Latencies } from '../../../src/usage/fold/latencies.ts';
import { fold, read, searched, session, used } from '../history.ts';
import { event } from '../seed.ts';

const A = 'org:a';
const B = 'org:b';

function queryIn({ queries }: Folded, text: string) {
  const found = queries.find((query) => query.text === text);
  if (found === undefined) throw new Error(`no query ${text}`);
  const [listing] = [...found.listings.values()];
  const chosen = Object.fromEntries([...(listing?.chosen ?? [])].map(([tally, count]) => [tally.entry, count]));
  const { searches, empty, answered, unanswered } = found;
  return { searches, empty, answered, unanswered, chosen, unchosen: listing?.unchosen ?? 0 };
}

describe('foldUsage', () => {
  it('puts search, get_schema and execute together to one story', async () => {
    const folded = await fold(session('s', 0, [searched('cut a release', A, B), read(B), used(B)]));
    expect(folded.funnel).toEqual({ sessions: 1, searched: 1, readSchema: 1, used: 1, usedWithoutSearch: 0 });
    expect(queryIn(folded, 'cut a release')).toMatchObject({ answered: 1, unanswered: 0, chosen: { [B]: 1 } });
    expect(folded.entries.get(B)).toMatchObject({ shown: 1, rankSum: 2, executes: 1, schemaReads: 1, sessions: 1 });
  });

  it('takes a search for unanswered when nothing of it was used, but not when it was asked again in like words', async () => {
    const folded = await fold([
      ...session('one', 0, [searched('rotate the certificate', A), searched('certificate renewal', B), used(B)]),
      ...session('two', 1, [searched('buy a boat', A), searched('cut a release', B), used(B)]),
    ]);
    expect(queryIn(folded, 'rotate the certificate')).toMatchObject({ answered: 0, unanswered: 0, unchosen: 1 });
    expect(queryIn(folded, 'buy a boat')).toMatchObject({ answered: 0, unanswered: 1, unchosen: 1 });
  });

  it('does not count against an entry that somebody passed by who never uses anything', async () => {
    const folded = await fold([
      ...session('watcher', 0, [searched('cut a release', A)]),
      ...session('watcher', 1, [searched('no such thing')]),
    ]);
    expect(queryIn(folded, 'cut a release')).toMatchObject({ searches: 1, unanswered: 0, unchosen: 0 });
    expect(queryIn(folded, 'no such thing')).toMatchObject({ empty: 1, unanswered: 1 });
  });

  it('counts earlier searches of somebody who begins to use what is found', async () => {
    const folded = await fold([
      ...session('late', 0, [searched('cut a release', A)]),
      ...session('late', 1, [used(B)]),
    ]);
    expect(queryIn(folded, 'cut a release')).toMatchObject({ unanswered: 1, unchosen: 1 });
  });

  it('ends a session after half an hour of silence', async () => {
    const [first, second] = session('s', 0, [searched('cut a release', A), used(A)]);
    if (first === undefined || second === undefined) throw new Error('two calls');
    const folded = await fold([first, { ...second, time: first.time + 31 * 60_000, query: null }]);
    expect(folded.funnel).toMatchObject({ sessions: 2, usedWithoutSearch: 1 });
    expect(queryIn(folded, 'cut a release')).toMatchObject({ unanswered: 1 });
  });

  it('gives a late use back to its query where the event tells it', async () => {
    const folded = await fold([
      ...session('s', 0, [used(B), searched('cut a release', A)]),
      ...session('other', 1, [used(A, { query: 'cut a release' })]),
    ]);
    expect(queryIn(folded, 'cut a release')).toMatchObject({ answered: 1, unanswered: 0, chosen: { [A]: 1 } });
  });

  it('makes each call a session where sessions are not known', async () => {
    const folded = await fold([event({ session: '' }), event({ session: '' })]);
    expect(folded.funnel.sessions).toBe(2);
  });

  it('keeps the same playbook of two repositories apart', async () => {
    const ofWorkspace = { entry: 'workspace:a', source: 'workspace' } as const;
    const folded = await fold([
      event({ ...ofWorkspace, repo: 'one' }),
      event({ ...ofWorkspace, repo: 'two' }),
      event({ operation: 'search', entry: null, source: null, shown: ['workspace:a'], repo: 'two' }),
    ]);
    expect([...folded.entries.keys()].sort()).toEqual(['one#workspace:a', 'two#workspace:a']);
    expect(folded.entries.get('two#workspace:a')).toMatchObject({ shown: 1, executes: 1 });
  });

  it('does not take for a failure what is not the entry’s fault', async () => {
    const failed = { outcome: 'error' } as const;
    const folded = await fold(
      session('s', 0, [
        used(A, { ...failed, code: 'tools/timeout' }),
        used(A, { ...failed, code: 'tools/declined' }),
        used(A, { ...failed, code: null }),
      ]),
    );
    expect(folded.entries.get(A)).toMatchObject({ executes: 3, failures: 2 });
    expect(Object.fromEntries(folded.entries.get(A)?.errors ?? [])).toEqual({
      'tools/timeout': 1,
      'tools/declined': 1,
      unknown: 1,
    });
  });

  it('does not take for a use what reached nothing, or waits to be confirmed; what is retired is wanted', async () => {
    const failed = { outcome: 'error', user: 'ann' } as const;
    const { entries, totals, funnel, queries } = await fold(
      session('s', 0, [
        searched('roll back', A),
        used(A, { ...failed, code: 'tools/unconfirmed' }),
        used(B, { ...failed, code: 'catalog/unknown-id' }),
        used('tool__x', { ...failed, code: 'catalog/retired' }),
      ]),
    );
    expect(entries.get(A)).toMatchObject({ executes: 0, lastUse: undefined, sessions: 0 });
    expect(entries.get(B)).toMatchObject({
      executes: 0,
      lastUse: undefined,
      errors: new Map([['catalog/unknown-id', 1]]),
    });
    expect(entries.get('tool__x')).toMatchObject({ executes: 1, failures: 0, sessions: 1 });
    expect(totals).toMatchObject({ uses: 1, failures: 0 });
    expect(funnel).toMatchObject({ used: 1 });
    // It was taken from the list, though it has not run yet.
    expect(queries).toMatchObject([{ answered: 1, unanswered: 0 }]);
  });

  it('sums up to the totals, however the calls are spread over sessions and entries', async () => {
    const calls = fc.array(
      fc.record({
        session: fc.constantFrom('a', 'b', 'c'),
        minute: fc.nat(20_000),
        operation: fc.constantFrom('search', 'get_schema', 'execute', 'prompt', 'resource'),
        entry: fc.constantFrom(A, B, 'tool__x'),
        code: fc.constantFrom(null, 'tools/timeout', 'tools/unconfirmed', 'catalog/unknown-id', 'catalog/retired'),
      }),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(calls, async (given) => {
        const events = given.map(({ session: id, minute, operation, entry, code }) =>
          event({
            session: id,
            time: minute * 60_000,
            operation,
            code,
            outcome: code === null ? 'ok' : 'error',
            entry: operation === 'search' ? null : entry,
            query: operation === 'search' ? entry : null,
            shown: operation === 'search' ? [A, B] : null,
          }),
        );
        const folded = await fold(events);
        const tallies = [...folded.entries.values()];
        const sum = (of: (tally: (typeof tallies)[number]) => number): number =>
          tallies.reduce((total, tally) => total + of(tally), 0);
        expect(sum(({ executes, reads }) => executes + reads)).toBe(folded.totals.uses);
        expect(sum(({ days }) => [...days.values()].reduce((total, { uses }) => total + uses, 0))).toBe(
          folded.totals.uses,
        );
        expect(sum(({ schemaReads }) => schemaReads)).toBe(folded.totals.schemaReads);
        expect(sum(({ failures }) => failures)).toBe(folded.totals.failures);
        expect(folded.queries.reduce((total, { searches }) => total + searches, 0)).toBe(folded.totals.searches);
        for (const query of folded.queries)
          expect(query.answered + query.unanswered).toBeLessThanOrEqual(query.searches);
      }),
      { numRuns: 60 },
    );
  });
});

describe('Latencies', () => {
  it('tell quantiles within 6 %', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0.2, max: 800_000, noNaN: true }), { minLength: 1 }), (values) => {
        const latencies = new Latencies();
        for (const value of values) latencies.add(value);
        const sorted = [...values].sort((a, b) => a - b);
        const exact = sorted[Math.ceil(0.5 * sorted.length) - 1] ?? 0;
        expect(Math.abs((latencies.quantile(0.5) ?? 0) / exact - 1)).toBeLessThan(0.06);
      }),
    );
  });

  it('know nothing of no call', () => {
    expect(new Latencies().quantile(0.5)).toBeUndefined();
  });
});
