import { describe, expect, it } from 'vitest';
import { keptQuery, toEvents } from '../../src/usage/call-record.ts';
import { event } from './seed.ts';

describe('a record of a call', () => {
  it('shares the tokens of an answer out among its ids', () => {
    const events = [event(), event(), event()];
    const counted = toEvents({ events, texts: ['word '.repeat(100)] }, 'text').map(({ tokens }) => tokens);
    const all = toEvents({ events: [event()], texts: ['word '.repeat(100)] }, 'text')[0]!.tokens;
    expect(counted.reduce((sum, tokens) => sum + tokens, 0)).toBe(all);
    expect(Math.max(...counted) - Math.min(...counted)).toBeLessThan(3);
  });

  it('estimates long answers by their beginning', () => {
    const tokens = (length: number) =>
      toEvents({ events: [event()], texts: ['word '.repeat(length)] }, 'text')[0]!.tokens;
    expect(tokens(100_000) / tokens(1_000)).toBeCloseTo(100, 0);
  });

  it('has no NUL, which PostgreSQL refuses', () => {
    const [kept] = toEvents({ events: [event({ entry: 'a\0b', client: '\0', query: 'x\0y' })], texts: [] }, 'text');
    expect([kept?.entry, kept?.client, kept?.query]).toEqual(['ab', '', 'xy']);
  });
});

describe('a query', () => {
  it.each([
    { name: 'as it is', policy: 'text' as const, query: ' Deploy  the App ', kept: 'Deploy  the App' },
    { name: 'not at all', policy: 'off' as const, query: 'deploy', kept: null },
    { name: 'as nothing where there are no words', policy: 'hash' as const, query: '  ', kept: null },
    { name: 'as nothing where there is none', policy: 'text' as const, query: null, kept: null },
  ])('is kept $name', ({ policy, query, kept }) => {
    expect(keptQuery(query, policy)).toBe(kept);
  });

  it('is kept as a hash that case and spaces do not change, and that is not hashed again', () => {
    const hash = keptQuery('Deploy  the App', 'hash');
    expect(hash).toMatch(/^sha256:[0-9a-f]{32}$/);
    expect(keptQuery(' deploy the app', 'hash')).toBe(hash);
    expect(keptQuery(hash, 'hash')).toBe(hash);
    expect(keptQuery('deploy the apps', 'hash')).not.toBe(hash);
  });
});
