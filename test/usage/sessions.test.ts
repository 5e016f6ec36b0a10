import { describe, expect, it } from 'vitest';
import { UsageSession, UsageSessions } from '../../src/usage/sessions.ts';

const MINUTE = 60_000;

describe('a session', () => {
  it('knows the rank and the query of the latest search that listed an entry', () => {
    const session = new UsageSession();
    session.noteShown(['a', 'b'], { query: 'first', first: 1 });
    session.noteShown(['c', 'b'], { query: 'second', first: 9 });
    expect(session.findingOf('a')).toEqual({ rank: 1, query: 'first' });
    expect(session.findingOf('b')).toEqual({ rank: 10, query: 'second' });
    expect(session.findingOf('z')).toBeUndefined();
  });

  it('forgets what was listed longest ago', () => {
    const session = new UsageSession();
    for (let i = 0; i < 3_000; i += 1) session.noteShown([`e${i}`], { query: null, first: 1 });
    expect([session.findingOf('e0'), session.findingOf('e2999')]).toEqual([undefined, { rank: 1, query: null }]);
  });
});

describe('sessions of callers without a connection', () => {
  it('go on while less than 30 minutes lie between two calls', () => {
    const sessions = new UsageSessions();
    const first = sessions.at('ann', 0);
    expect(sessions.at('ann', 29 * MINUTE)).toBe(first);
    expect(sessions.at('ann', 58 * MINUTE)).toBe(first);
    expect(sessions.at('ann', 88 * MINUTE)).not.toBe(first);
  });

  it('are of one caller each', () => {
    const sessions = new UsageSessions();
    expect(sessions.at('ann', 0).id).not.toBe(sessions.at('bob', 0).id);
  });
});
