import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toJsonLine } from '../../src/usage/line.ts';
import { UsageStore } from '../../src/usage/usage-store.ts';
import { seedFolder } from '../server/product.ts';
import { entry, event, report } from '../usage/seed.ts';
import { runCli, startCli } from './run-cli.ts';

const DAY = 86_400_000;

async function seeded() {
  const home = seedFolder({});
  const path = join(home, 'state', 'usage.db');
  const store = await UsageStore.open({ kind: 'sqlite', path });
  const now = Date.now();
  await store.write({
    events: [
      event({ time: now - 40 * DAY, query: 'secret-old-words' }),
      event({ time: now - DAY, operation: 'search', entry: null, query: '=1+1, "quoted"', shown: ['a:b', 'c:d'] }),
    ],
    entries: [entry()],
    reports: [report({ time: now - DAY })],
  });
  await store.close();
  const env = { PLAYBOOK_MCP_HOME: home };
  return { home, path, run: (...args: string[]) => runCli(['usage', ...args], { env }) };
}

/** What lies on the disk of a store, its log included. */
function bytesOf(path: string): string {
  const parts = [path, `${path}-wal`].filter((part) => existsSync(part));
  return parts.map((part) => readFileSync(part, 'latin1')).join('\n');
}

describe('usage status', () => {
  it('tells where usage is kept and how much there is', async () => {
    const { path, run } = await seeded();
    const { code, stdout } = run();
    expect([code, stdout]).toEqual([0, expect.stringContaining(path)]);
    expect(JSON.parse(run('status', '--json').stdout)).toMatchObject({
      recording: true,
      store: path,
      queries: 'text',
      retentionDays: 400,
      events: 2,
      entries: 1,
      reports: 1,
    });
  });

  it('makes no store', () => {
    const { code, stdout } = runCli(['usage']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('nothing written yet')]);
  });

  it('names what turns recording off', () => {
    const { stdout } = runCli(['usage'], { env: { PLAYBOOK_MCP_USAGE: 'off' } });
    expect(stdout).toContain('off (PLAYBOOK_MCP_USAGE)');
  });
});

describe('usage export', () => {
  it('gives lines that another store takes over, once', async () => {
    const { home, run } = await seeded();
    const file = join(home, 'usage.jsonl');
    expect(run('export', '--out', file).code).toBe(0);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(run('export').stdout).toBe(readFileSync(file, 'utf8'));
    const env = { PLAYBOOK_MCP_HOME: seedFolder({}) };
    const first = runCli(['usage', 'import', file, '--json'], { env });
    expect([first.code, JSON.parse(first.stdout)]).toMatchObject([0, { events: 2, entries: 1, reports: 1, known: 0 }]);
    const second = runCli(['usage', 'import', file, '--json'], { env });
    expect(JSON.parse(second.stdout)).toMatchObject({ events: 0, entries: 0, reports: 0, known: 4 });
    expect(runCli(['usage', 'export'], { env }).stdout).toBe(readFileSync(file, 'utf8'));
  });

  it('leaves out what is older', async () => {
    const { run } = await seeded();
    const lines = run('export', '--since', '30d').stdout.trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual(['entry', 'report', 'event']);
  });

  it('gives a table that no spreadsheet runs', async () => {
    const { run } = await seeded();
    const [heading, , second] = run('export', '--format', 'csv').stdout.split('\n');
    expect(heading).toMatch(/^time,id,session,.*,query,shown,trace$/);
    expect(second).toContain(`"'=1+1, ""quoted""",a:b c:d,`);
  });

  it('refuses a moment that is none, and a file that cannot be written', async () => {
    const { home, run } = await seeded();
    expect(run('export', '--since', 'soon')).toMatchObject({ code: 2, stderr: expect.stringContaining('no moment') });
    expect(run('export', '--out', join(home, 'no', 'such', 'file'))).toMatchObject({ code: 2 });
  });
});

describe('a store that cannot be resolved', () => {
  const unresolved = async () => {
    const { home, run } = await seeded();
    writeFileSync(join(home, 'config.json'), '{ "usage": { "store": "postgres://u:${NOT_SET_HERE}@127.0.0.1/x" } }');
    return { home, run };
  };

  it('is told beside the figures of the one that is used instead', async () => {
    const { home, run } = await unresolved();
    expect(run('status').stderr).toContain('NOT_SET_HERE is not set');
    expect(runCli(['stats'], { env: { PLAYBOOK_MCP_HOME: home } }).stderr).toContain('NOT_SET_HERE is not set');
  });

  it('has nothing removed from another', async () => {
    const { run } = await unresolved();
    expect(run('purge', '--all')).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing was removed') });
  });
});

describe('usage import', () => {
  it('names bad lines by their number, takes the others, and exits 1', () => {
    const folder = seedFolder({});
    const file = join(folder, 'logs.jsonl');
    const good = { time: '2026-05-01T10:00:00Z', operation: 'execute', entry: 'platform:deploy', arguments: { a: 1 } };
    writeFileSync(file, ['{', JSON.stringify(good), '', '{"time":1,"operation":"dance"}'].join('\n'));
    const { code, stdout, stderr } = runCli(['usage', 'import', file]);
    expect([code, stdout]).toEqual([1, expect.stringContaining('1 event,')]);
    expect(stderr).toContain(`${file}:1: not JSON`);
    expect(stderr).toContain(`${file}:4: operation`);
    expect(stderr).toContain('left out: arguments');
  });

  it('takes thousands of lines', () => {
    const file = join(seedFolder({}), 'many.jsonl');
    const lines = Array.from({ length: 5_000 }, (_, i) => toJsonLine({ type: 'event', ...event({ time: i }) }));
    writeFileSync(file, lines.join('\n'));
    expect(JSON.parse(runCli(['usage', 'import', file, '--json']).stdout)).toMatchObject({ events: 5_000, known: 0 });
  });

  it('takes every line of a file from Windows, and of stdin', () => {
    const lines = [event(), event()].map((each) => toJsonLine({ type: 'event', ...each }));
    const file = join(seedFolder({}), 'windows.jsonl');
    writeFileSync(file, `\uFEFF${lines.join('\r\n')}\r\n`);
    expect(JSON.parse(runCli(['usage', 'import', file, '--json']).stdout)).toMatchObject({ events: 2, bad: 0 });
    const piped = startCli(['usage', 'import', '-', '--json'], { input: lines.join('\n') });
    expect(JSON.parse(piped.stdout)).toMatchObject({ events: 2, bad: 0 });
  });

  it.each(['/no/such/file', tmpdir()])('says that %s cannot be read', (file) => {
    expect(runCli(['usage', 'import', file])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${file} cannot be read`),
    });
  });
});

it.each([['stats'], ['review'], ['report'], ['usage', 'export']])(
  '%s says that the file is damaged',
  async (...args) => {
    const home = seedFolder({});
    const path = join(home, 'state', 'usage.db');
    const store = await UsageStore.open({ kind: 'sqlite', path });
    await store.write({ events: Array.from({ length: 5_000 }, (_, time) => event({ time, query: `words ${time}` })) });
    await store.compact();
    await store.close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xaa, 20 * 4096, bytes.length - 4096));
    expect(runCli(args, { env: { PLAYBOOK_MCP_HOME: home } })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/usage\.db cannot be used: .*malformed.*\n.*damaged/),
    });
  },
);

describe('usage purge', () => {
  it('removes what is older, also from the bytes of the file', async () => {
    const { path, run } = await seeded();
    expect(bytesOf(path)).toContain('secret-old-words');
    expect(run('purge', '--before', '30d')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 row removed'),
    });
    expect(bytesOf(path)).not.toContain('secret-old-words');
    expect(JSON.parse(run('status', '--json').stdout)).toMatchObject({ events: 1, reports: 1, entries: 1 });
  });

  it('removes everything', async () => {
    const { run } = await seeded();
    expect(run('purge', '--all').stdout).toContain('4 rows removed');
    expect(JSON.parse(run('status', '--json').stdout)).toMatchObject({ events: 0, reports: 0, entries: 0 });
  });

  it('must be told what', async () => {
    const { run } = await seeded();
    expect([run('purge').code, run('purge', '--all', '--before', '1d').code]).toEqual([2, 2]);
    expect(JSON.parse(run('status', '--json').stdout)).toMatchObject({ events: 2 });
  });
});
