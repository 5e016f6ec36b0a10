import { describe, expect, it } from 'vitest';
import { seedFolder } from '../server/product.ts';
import { text } from '../seed.ts';
import { searched, session, used } from '../usage/history.ts';
import { runCli } from './run-cli.ts';

const playbooks = seedFolder({
  'release.md': text('Cut a release of the shop.', 'Body.', 'tags: [domain:deploy]\nowner: platform'),
  'rollback.md': text('Roll a deployment back.'),
  'never.md': text('Used by nobody.'),
});
const source = playbooks.split('/').at(-1) ?? '';
const id = (name: string): string => `${source}:${name}`;

/** Four people ask for releases and four for what is not there, every week from New Year on. */
const weeks = Array.from({ length: 30 }, (_, week) => [
  ...session(`person-${week % 4}`, week * 7, [
    searched('cut a release', id('release'), id('rollback')),
    used(id('release')),
  ]),
  ...session(`other-${week % 4}`, week * 7 + 1, [searched('renew the certificate'), used(id('rollback'))]),
]).flat();

/** A home with a store of these events. */
function homeWith(events: typeof weeks): string {
  const home = seedFolder({
    'log.jsonl': events.map((event) => JSON.stringify({ type: 'event', ...event })).join('\n'),
  });
  const imported = run(home, 'usage', 'import', `${home}/log.jsonl`);
  if (imported.code !== 0) throw new Error(imported.stderr);
  return home;
}

function run(home: string, ...args: string[]): ReturnType<typeof runCli> {
  return runCli(['--no-starter', '--playbooks', playbooks, ...args], { env: { PLAYBOOK_MCP_HOME: home } });
}

describe('stats', () => {
  it('says that there is nothing yet', () => {
    const { code, stdout, stderr } = run(seedFolder({}), 'stats');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('No event yet');
  });

  it('tells the whole, and what stands out, within 80 columns', () => {
    const { code, stdout } = run(homeWith(weeks), 'stats');
    expect(code).toBe(0);
    expect(stdout).toMatch(/2026-01-01 to 2026-07-24\n120 calls/);
    expect(stdout).toMatch(/Most used[^]*release[^]*Never used[^]*never[^]*Asked in vain[^]*renew the certificate/);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('groups by what entries share', () => {
    expect(run(homeWith(weeks), 'stats', '--by', 'owner').stdout).toMatch(/30 .* 1\/1 +platform/);
  });

  it('gives everything to programs', () => {
    const { stdout } = run(homeWith(weeks), 'stats', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      totals: { events: 120, searches: 60, empty: 30, uses: 60, users: 8 },
      funnel: { sessions: 60, searched: 60, used: 60 },
      tags: [{ name: 'domain:deploy', uses: 30 }],
      neverUsed: [id('never')],
      unanswered: [{ query: 'renew the certificate', searches: 30, empty: 30, askedBy: 4 }],
    });
  });

  it('counts only the time that is asked for', () => {
    const { stdout } = run(homeWith(weeks), 'stats', '--json', '--since', '2026-07-01', '--until', '2026-07-10');
    expect(JSON.parse(stdout)).toMatchObject({ totals: { events: 6 } });
  });

  it('does not say of a range of time that something was never used', () => {
    const { stdout } = run(homeWith(weeks), 'stats', '--since', '2026-07-01', '--until', '2026-07-10');
    expect(stdout).toContain('Not used in this time');
    expect(stdout).not.toContain('Never used');
  });

  it.each([
    ['--top', 'many'],
    ['--by', 'colour'],
    ['--since', 'lately'],
  ])('refuses %s %s', (flag, value) => {
    expect(run(seedFolder({}), 'stats', flag, value).code).toBe(2);
  });
});

it.each([['stats'], ['stats', '--by', 'entry'], ['stats', '--by', 'client'], ['review']])(
  'lets no id, code, client or query begin a line of %s, which may be a command of a workflow',
  (...args) => {
    const hostile = weeks.map((event) => ({
      ...event,
      client: 'client\n::error::',
      ...(event.operation === 'search' ? { query: `renew\n::error::${event.query}` } : { outcome: 'error' as const }),
      ...(event.entry === id('rollback') && { code: 'x\r\n::error::' }),
      ...(event.entry === id('release') && { entry: 'gone\u2028\n::error::', source: null }),
    }));
    const { code, stdout } = run(homeWith(hostile), ...args);
    expect([code, stdout]).toEqual([0, expect.stringContaining('::error::')]);
    expect(stdout).not.toMatch(/^::error/m);
  },
);

describe('review', () => {
  it('proposes with evidence and commands, the same in every run', () => {
    const home = homeWith(weeks);
    const { code, stdout } = run(home, 'review', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      proposals: [
        { kind: 'retire', entry: id('never'), command: 'playbook-mcp retire never' },
        { kind: 'write', query: 'renew the certificate', evidence: { unanswered: 30, empty: 30, askedBy: 4 } },
      ],
    });
    expect(run(home, 'review', '--format', 'json').stdout).toBe(stdout);
  });

  it('prints an issue’s text, a workflow’s commands, and exits 1 where asked to', () => {
    const home = homeWith(weeks);
    expect(run(home, 'review', '--format', 'markdown').stdout).toMatch(
      /^## Retire what nobody uses \(1\)\n\n- \[ \] \*\*.*never/,
    );
    expect(run(home, 'review', '--format', 'github').stdout).toMatch(/^::warning file=.*never\.md,line=1/);
    expect(run(home, 'review', '--fail-on-proposals').code).toBe(1);
  });

  it('does not take the silence of the whole store for the silence of its entries', () => {
    const proposals = (...more: string[]): unknown =>
      JSON.parse(run(homeWith(weeks), 'review', '--json', ...more).stdout);
    expect(JSON.stringify(proposals())).not.toContain(`"${id('release')}"`);
    expect(JSON.stringify(proposals('--now', '2027-06-01'))).toContain(`"${id('release')}"`);
  });

  it('has nothing to propose of nothing', () => {
    const { code, stdout } = run(seedFolder({}), 'review', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ proposals: [] });
  });
});
