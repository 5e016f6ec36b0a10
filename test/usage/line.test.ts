import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UsageEvent } from '../../src/usage/event.ts';
import { LineParser, type ReadLine, toJsonLine } from '../../src/usage/line.ts';
import { entry, event, report } from './seed.ts';

const read = (line: object, parser = new LineParser('text')): ReadLine => parser.read(JSON.stringify(line));

function eventOf(line: ReadLine): UsageEvent {
  if (line.kind !== 'event') throw new Error(`no event: ${JSON.stringify(line)}`);
  return line.event;
}

const textOrNull = fc.option(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', '')));
const anyEvent = fc
  .record({
    id: fc.uuid(),
    time: fc.nat().map((ms) => 1_600_000_000_000 + ms),
    session: fc.string(),
    client: textOrNull,
    user: textOrNull,
    repo: textOrNull,
    operation: fc.constantFrom('search' as const, 'get_schema' as const, 'execute' as const),
    kind: fc.constantFrom('playbook' as const, 'tool' as const),
    ms: fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 1e9 }),
    rank: fc.option(fc.integer({ min: 1, max: 99 })),
    shown: fc.option(fc.array(fc.string())),
    query: fc.option(fc.stringMatching(/^[a-z]{1,20}$/)),
  })
  .map((fields) => event(fields));

describe('a line of an export', () => {
  it('is read back as it was, whatever the event holds', () => {
    fc.assert(
      fc.property(anyEvent, (given) => {
        const line = toJsonLine({ type: 'event', ...given });
        expect(line).not.toMatch(/[\u0000-\u001F\u007F-\u009F]/);
        expect(eventOf(new LineParser('text').read(line))).toEqual({ ...given, ms: given.ms === 0 ? 0 : given.ms });
      }),
    );
  });

  it('is read back for entries and reports', () => {
    const parser = new LineParser('text');
    expect(parser.read(toJsonLine({ type: 'entry', ...entry() }))).toMatchObject({ kind: 'entry', entry: entry() });
    const told = report();
    expect(parser.read(toJsonLine({ type: 'report', ...told }))).toMatchObject({ kind: 'report', report: told });
  });
});

describe('a line of other logs', () => {
  it('needs a time and an operation only', () => {
    expect(
      eventOf(read({ time: '2026-01-02T03:04:05Z', operation: 'execute', entry: 'platform:deploy/rollback' })),
    ).toMatchObject({
      time: Date.UTC(2026, 0, 2, 3, 4, 5),
      kind: 'playbook',
      source: 'platform',
      outcome: 'ok',
      ms: 0,
      tokens: 0,
      rank: null,
      query: null,
    });
  });

  it.each([
    { name: 'a tool’s id', line: { entry: 'github__create_issue' }, tells: { kind: 'tool', source: 'github' } },
    { name: 'a bare id', line: { entry: 'deploy' }, tells: { kind: null, source: null } },
    { name: 'a code', line: { code: 'tools/timeout' }, tells: { outcome: 'error' } },
    { name: 'a search that listed nothing', line: { operation: 'search', shown: [] }, tells: { outcome: 'empty' } },
    {
      name: 'what is said',
      line: { entry: 'a:b', kind: 'tool', source: 'x', outcome: 'error' },
      tells: { kind: 'tool', source: 'x', outcome: 'error' },
    },
  ])('is completed by $name', ({ line, tells }) => {
    expect(eventOf(read({ time: 1, operation: 'execute', ...line }))).toMatchObject(tells);
  });

  it('has the same id whenever it is read, and another one than any other line', () => {
    const line = { time: 1, operation: 'execute', entry: 'a:b' };
    const id = eventOf(read(line)).id;
    expect(eventOf(read({ entry: 'a:b', operation: 'execute', time: 1 })).id).toBe(id);
    expect(eventOf(read({ ...line, time: 2 })).id).not.toBe(id);
  });

  it('is of the session of its caller within 30 minutes, the same whenever it is read', () => {
    const sessionsOf = (): readonly string[] => {
      const parser = new LineParser('text');
      return [0, 20, 40, 80].map(
        (minutes) => eventOf(read({ time: minutes * 60_000, operation: 'search', user: 'ann' }, parser)).session,
      );
    };
    const [first, second, third, fourth] = sessionsOf();
    expect([second, third]).toEqual([first, first]);
    expect(fourth).not.toBe(first);
    expect(sessionsOf()).toEqual([first, second, third, fourth]);
  });

  it('brings queries as the configuration wants them kept', () => {
    const line = { time: 1, operation: 'search', query: 'deploy' };
    expect(eventOf(read(line, new LineParser('off'))).query).toBeNull();
    expect(eventOf(read(line, new LineParser('hash'))).query).toMatch(/^sha256:/);
  });

  it('leaves fields out that have no place, and names them', () => {
    const line = read({ time: 1, operation: 'execute', entry: 'a:b', arguments: { password: 'x' } });
    expect(line).toMatchObject({ kind: 'event', ignored: ['arguments'] });
    expect(JSON.stringify(eventOf(line))).not.toContain('password');
  });

  it.each([
    { name: 'no JSON', line: 'time=1', problem: /^not JSON/ },
    { name: 'no object', line: '[1]', problem: /^not a JSON object$/ },
    { name: 'another type', line: '{"type":"metric"}', problem: /^type: expected event, entry or report/ },
    { name: 'no time', line: '{"operation":"search"}', problem: /^time: / },
    { name: 'a time that is none', line: '{"time":"soon","operation":"search"}', problem: /ISO 8601/ },
    { name: 'a time in seconds', line: '{"time":1790000000,"operation":"search"}', problem: /^time: .*not seconds/ },
    {
      name: 'a time in microseconds',
      line: '{"time":1790000000000000,"operation":"search"}',
      problem: /^time: .*2200/,
    },
    { name: 'a time that no date has', line: '{"time":9000000000000000,"operation":"search"}', problem: /^time: / },
    { name: 'a time before 1970', line: '{"time":"1960-01-01","operation":"search"}', problem: /^time: .*1970/ },
    { name: 'a latency below 0', line: '{"time":1,"operation":"search","ms":-1}', problem: /^ms: / },
    { name: 'an unknown operation', line: '{"time":1,"operation":"dance"}', problem: /^operation: / },
    { name: 'a rank of 0', line: '{"time":1,"operation":"execute","rank":0}', problem: /^rank: / },
  ])('is bad with $name, and says why', ({ line, problem }) => {
    const outcome = new LineParser('text').read(line);
    expect(outcome.kind === 'bad' && outcome.problem).toMatch(problem);
  });

  it('never makes the parser throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(() => new LineParser('text').read(text)).not.toThrow();
      }),
    );
  });
});
