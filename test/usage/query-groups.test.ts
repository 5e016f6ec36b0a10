import { describe, expect, it } from 'vitest';
import { newQueryTally, type QueryTally } from '../../src/usage/fold/query-tally.ts';
import { groupUnanswered } from '../../src/usage/query-groups.ts';

function asked(text: string, { unanswered = 0, answered = 0 }): QueryTally {
  return { ...newQueryTally(text, 0), searches: unanswered + answered, unanswered, answered };
}

const things = ['tls certificate', 'mobile build', 'payroll run', 'cron job', 'search index'];
const places = Array.from({ length: 9 }, (_, at) => `place${at}`);

describe('groups of unanswered queries', () => {
  it('have the wordings of one need together', () => {
    const groups = groupUnanswered([
      asked('please renew the tls certificate', { unanswered: 3 }),
      asked('tls certificate renew', { unanswered: 2 }),
      asked('how do I renew a tls certificate', { unanswered: 1 }),
      asked('ship a parcel', { unanswered: 1 }),
    ]);
    expect(groups.map(({ unanswered }) => unanswered)).toEqual([6, 1]);
  });

  it('have apart what is asked with one rare verb of different things', () => {
    const common = things.flatMap((thing) => places.map((place) => asked(`${thing} ${place}`, { answered: 5 })));
    const inVain = things.map((thing, at) => asked(`decommission ${thing}`, { unanswered: 9 - at }));
    const groups = groupUnanswered([...common, ...inVain]);
    expect(groups.map(({ queries }) => queries.map(({ text }) => text))).toEqual(
      things.map((thing) => [`decommission ${thing}`]),
    );
  });
});
