import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { UsageEvent } from '../../src/usage/event.ts';
import { readUsage } from '../../src/usage/open.ts';
import { runCli } from '../cli/run-cli.ts';
import { allEvents } from '../usage/seed.ts';
import {
  configFile,
  connectModern,
  type Connected,
  eras,
  handshake,
  pipe,
  registryServer,
  seedFolder,
} from './product.ts';

const playbook = (description: string, more = ''): string => `---\ndescription: ${description}\n${more}---\nStep 1.\n`;
const playbooks = (): string =>
  seedFolder({
    'flags/clean-up.md': playbook(
      'Remove a feature flag. Use when an experiment has ended.',
      'parameters:\n  - name: flag\n    required: true\n',
    ),
    'deploy/roll-back.md': playbook('Roll a deployment back. Use when a release breaks something.'),
  });

/** A home whose usage is read after the product has ended. */
function stage({ hasTools = false, ...more }: { hasTools?: boolean; usage?: object } = {}) {
  const home = seedFolder({});
  const folder = playbooks();
  const config = configFile(hasTools ? { memory: registryServer('server-memory') } : {}, more);
  const args = ['--no-starter', '--playbooks', folder, '--config', config];
  const path = join(home, 'state', 'usage.db');
  const env = { PLAYBOOK_MCP_HOME: home, MEMORY_FILE_PATH: join(home, 'memory.json') };
  return { home, folder, args, env, path, source: folder.split('/').at(-1)! };
}

async function usageIn(path: string): Promise<readonly UsageEvent[]> {
  const reader = await readUsage({ kind: 'sqlite', path });
  const events = await allEvents(reader);
  await reader.close();
  return events;
}

async function reportsIn(path: string) {
  const reader = await readUsage({ kind: 'sqlite', path });
  const reports = await reader.reports();
  await reader.close();
  return reports;
}

/** Calls with arguments that must be found nowhere afterwards. */
async function work({ call }: Connected): Promise<void> {
  await call('search', { query: 'experiment ended' });
  await call('get_schema', { ids: ['flags/clean-up', 'nothing-of-it'] });
  await call('execute', { id: 'flags/clean-up', arguments: { flag: 'planted-flag-value' } });
  await call('execute', { id: 'flags/clean-up', arguments: { flg: 'planted-wrong-value' } });
  await call('execute', { id: 'flags/clean-upp' });
  await call('execute', { id: 'flags/remove(flag: "planted-in-id")' });
  await call('execute', { id: 'flags/remove?flag=planted-in-id' });
  await call('search', { query: 'quantum chromodynamics lagrangian' });
  await call('execute', {
    id: 'memory__create_entities',
    arguments: { entities: [{ name: 'planted-entity', entityType: 'planted-type', observations: ['planted-text'] }] },
  });
}

describe.each(eras)('usage of a client of $era', ({ connect }) => {
  it('tells one story of search, schema and execute', async () => {
    const { args, env, path, source } = stage({ hasTools: true });
    const client = await connect({ args, env });
    await work(client);
    await client.close();
    const events = await usageIn(path);
    const flags = `${source}:flags/clean-up`;
    expect(events.map(({ operation, entry, outcome, code, rank }) => [operation, entry, outcome, code, rank])).toEqual([
      ['search', null, 'ok', null, null],
      ['get_schema', flags, 'ok', null, 1],
      ['get_schema', 'nothing-of-it', 'error', 'catalog/unknown-id', null],
      ['execute', flags, 'ok', null, 1],
      ['execute', flags, 'error', 'tools/invalid-arguments', 1],
      ['execute', 'flags/clean-upp', 'error', 'catalog/unknown-id', null],
      ['execute', 'flags/remove', 'error', 'catalog/unknown-id', null],
      ['execute', 'flags/remove', 'error', 'catalog/unknown-id', null],
      ['search', null, 'empty', null, null],
      ['execute', 'memory__create_entities', 'ok', null, null],
    ]);
    expect(events[0]).toMatchObject({ query: 'experiment ended', shown: [flags], kind: null });
    expect(events[3]).toMatchObject({ query: 'experiment ended', kind: 'playbook', source, shown: null });
    expect(events[3]!.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(events[9]).toMatchObject({
      kind: 'tool',
      source: 'memory',
      client: expect.stringMatching(/^test-/),
      user: null,
    });
    expect(new Set(events.map(({ session }) => session)).size).toBe(1);
    expect(
      events.filter(({ operation }) => operation !== 'get_schema').every(({ tokens, ms }) => tokens > 0 && ms > 0),
    ).toBe(true);
  });
});

describe.each(eras)('what a client of $era reads besides tools', ({ connect }) => {
  it('is an event each, with the playbook that it is', async () => {
    const { args, env, path, source, folder } = stage();
    mkdirSync(join(folder, 'skill', 'references'), { recursive: true });
    writeFileSync(join(folder, 'skill', 'SKILL.md'), `---\nname: skill\ndescription: A skill.\n---\nSteps.\n`);
    writeFileSync(join(folder, 'skill', 'references', 'a.md'), 'A.');
    const connected = await connect({ args, env });
    const client: Readable = connected.client;
    const failed = async (answer: Promise<unknown>): Promise<unknown> => expect(answer).rejects.toThrow(/./);
    await connected.call('search', { query: 'experiment ended' });
    await client.getPrompt({ name: 'flags_clean-up', arguments: { flag: 'planted-flag-value' } });
    await failed(client.getPrompt({ name: 'flags_clean-up', arguments: {} }));
    await failed(client.getPrompt({ name: 'nothing' }));
    await client.getPrompt({ name: 'review_playbook', arguments: { id: 'flags/clean-up' } });
    await client.readResource({ uri: 'playbook://deploy/roll-back' });
    await client.readResource({ uri: `skill://${source}/skill/references/a.md` });
    await failed(client.readResource({ uri: 'playbook://nothing' }));
    await failed(client.readResource({ uri: 'https://user:planted-password@example.com' }));
    await connected.close();
    const events = await usageIn(path);
    const flags = `${source}:flags/clean-up`;
    expect(events.map(({ operation, entry, outcome, code, rank }) => [operation, entry, outcome, code, rank])).toEqual([
      ['search', null, 'ok', null, null],
      ['prompt', flags, 'ok', null, 1],
      ['prompt', flags, 'error', 'tools/invalid-arguments', 1],
      ['prompt', 'nothing', 'error', 'catalog/unknown-id', null],
      ['prompt', null, 'ok', null, null],
      ['resource', `${source}:deploy/roll-back`, 'ok', null, null],
      ['resource', `${source}:skill`, 'ok', null, null],
      ['resource', 'nothing', 'error', 'catalog/unknown-id', null],
      ['resource', null, 'error', 'tools/unknown-resource', null],
    ]);
    expect(events[1]).toMatchObject({
      kind: 'playbook',
      source,
      query: 'experiment ended',
      digest: expect.any(String),
    });
    expect(events.filter(({ outcome }) => outcome === 'ok').every(({ tokens }) => tokens > 0)).toBe(true);
    expect(JSON.stringify(events)).not.toContain('planted');
  });
});

interface Readable {
  readonly getPrompt: (given: { name: string; arguments?: Record<string, string> }) => Promise<unknown>;
  readonly readResource: (given: { uri: string }) => Promise<unknown>;
}

it('counts first calls that come together as one piece of work', async () => {
  const { args, env, path } = stage();
  const client = await connectModern({ args, env });
  const queries = ['experiment ended', 'roll a release back', 'feature flag'];
  await Promise.all(queries.map((query) => client.call('search', { query })));
  await client.close();
  const events = await usageIn(path);
  expect(new Set(events.map(({ query }) => query))).toEqual(new Set(queries));
  expect(new Set(events.map(({ session }) => session)).size).toBe(1);
});

it('stores no value of an argument, in no file', async () => {
  const { home, args, env, path } = stage({ hasTools: true });
  const client = await connectModern({ args, env });
  await work(client);
  // The log beside the file is looked at as well, which is folded into it when the last process ends.
  while (!existsSync(join(home, 'state', 'usage.db-wal'))) await delay(20);
  const looked = (): string => filesIn(join(home, 'state')).join('\n');
  expect(looked()).not.toContain('planted');
  await client.close();
  expect((await usageIn(path)).length).toBeGreaterThan(0);
  const out = join(home, 'export.jsonl');
  runCli(['usage', 'export', '--out', out], { env });
  const exported = readFileSync(out, 'latin1');
  expect(exported).toContain('experiment ended');
  expect(`${looked()}${exported}`).not.toContain('planted');
});

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesIn(join(folder, entry.name)) : [readFileSync(join(folder, entry.name), 'latin1')],
  );
}

/** Searches once over a bare pipe, and ends. */
async function searchOnce(given: { args: readonly string[]; env: Record<string, string> }, meta: object = {}) {
  const server = pipe(given);
  for (const message of handshake) server.send(message);
  const params = { name: 'search', arguments: { query: 'experiment ended' }, _meta: meta };
  server.send({ id: 2, method: 'tools/call', params });
  const { result } = await server.answer(2);
  const code = await server.end();
  return { text: JSON.stringify(result), code, stderr: server.stderr() };
}

it('is written when stdin closes at once, and keeps the trace of the caller', async () => {
  const { args, env, path } = stage();
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  expect((await searchOnce({ args, env }, { traceparent })).code).toBe(0);
  expect(await usageIn(path)).toMatchObject([{ trace: '0af7651916cd43dd8448eb211c80319c', client: 'pipe' }]);
});

it('keeps the beginning of a long name that a client gives itself', async () => {
  const { args, env, path } = stage();
  const server = pipe({ args, env });
  const clientInfo = { name: 'n'.repeat(100_000), version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  server.send({ id: 1, method: 'initialize', params });
  server.send({ id: 2, method: 'tools/call', params: { name: 'search', arguments: { query: 'experiment ended' } } });
  await server.answer(2);
  await server.end();
  expect((await usageIn(path)).map(({ client }) => client?.length)).toEqual([200]);
});

it('is written when a signal ends the process', async () => {
  const { args, env, path } = stage();
  const server = pipe({ args, env });
  for (const message of handshake) server.send(message);
  server.send({ id: 2, method: 'tools/call', params: { name: 'search', arguments: { query: 'experiment ended' } } });
  await server.answer(2);
  server.child.kill('SIGTERM');
  await new Promise((resolve) => server.child.once('close', resolve));
  expect(await usageIn(path)).toHaveLength(1);
});

it.each([
  { name: 'the configuration', more: { usage: { store: 'off' } }, variables: {} },
  { name: 'the environment', more: {}, variables: { PLAYBOOK_MCP_USAGE: 'off' } },
])('is turned off by $name: nothing is written, and a report says so', async ({ more, variables }) => {
  const { home, args, env } = stage(more);
  const client = await connectModern({ args, env: { ...env, ...variables } });
  await client.call('search', { query: 'experiment ended' });
  const { content, isError } = await report(client, { id: 'flags/clean-up', problem: 'It is outdated.' });
  expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining('turned off')]);
  await client.close();
  expect(existsSync(join(home, 'state', 'usage.db'))).toBe(false);
});

it.each([
  { queries: 'hash', kept: /^sha256:/ },
  { queries: 'off', kept: undefined },
])('keeps queries as `usage.queries: $queries` says', async ({ queries, kept }) => {
  const { home, args, env, path } = stage({ usage: { queries } });
  await searchOnce({ args, env });
  const [event] = await usageIn(path);
  expect(event!.query).toEqual(kept === undefined ? null : expect.stringMatching(kept));
  expect(filesIn(join(home, 'state')).join('\n')).not.toContain('experiment ended');
});

const report = (client: Connected, args: object): ReturnType<Connected['call']> =>
  client.call('execute', { id: 'playbooks__report', arguments: { ...args } });

describe('playbooks__report', () => {
  it('is found, thanks, and stores what is wrong with the digest of the text', async () => {
    const { args, env, path, source } = stage();
    const client = await connectModern({ args, env });
    const found = await client.call('search', { query: 'a step of this playbook is outdated' });
    expect(JSON.stringify(found.content)).toContain('playbooks__report');
    const thanks = await report(client, { id: 'flags/clean-up', problem: 'There is no such file.', step: '1' });
    expect([thanks.isError, JSON.stringify(thanks.content)]).toEqual([undefined, expect.stringContaining('Thank you')]);
    expect(JSON.stringify(thanks.content)).toContain(path);
    const wrong = await report(client, { id: 'flags/clean', problem: 'x' });
    expect([wrong.isError, JSON.stringify(wrong.content)]).toEqual([true, expect.stringContaining('flags/clean-up')]);
    const tool = await report(client, { id: 'results__read', problem: 'x' });
    expect([tool.isError, JSON.stringify(tool.content)]).toEqual([true, expect.stringContaining('is a tool')]);
    await client.close();
    const reports = await reportsIn(path);
    expect(reports).toMatchObject([
      {
        entry: `${source}:flags/clean-up`,
        step: '1',
        problem: 'There is no such file.',
        client: 'test-modern',
        repo: null,
      },
    ]);
    expect(reports[0]!.digest).toMatch(/^[0-9a-f]{64}$/);
  });
});

it('notes since when each entry can be used, built-in ones aside', async () => {
  const { args, env, path, source } = stage();
  await searchOnce({ args, env });
  const reader = await readUsage({ kind: 'sqlite', path });
  const seen = await reader.seenEntries();
  await reader.close();
  expect(seen.filter(({ kind }) => kind === 'playbook').map(({ entry }) => entry)).toEqual([
    `${source}:deploy/roll-back`,
    `${source}:flags/clean-up`,
  ]);
  expect(seen.filter(({ source: of }) => of === 'playbook-mcp')).toEqual([]);
});

describe('a store that cannot be used', () => {
  it('is set aside where it is corrupt, and a new one begun', async () => {
    const { home, args, env, path } = stage();
    mkdirSync(join(home, 'state'));
    writeFileSync(path, 'no database at all '.repeat(500));
    const { text, code, stderr } = await searchOnce({ args, env });
    expect([text.includes('flags/clean-up'), code]).toEqual([true, 0]);
    expect(stderr).toContain('set aside');
    expect(await usageIn(path)).toHaveLength(1);
    const aside = readdirSync(join(home, 'state')).filter((name) => name.includes('.corrupt-'));
    expect(aside).toHaveLength(1);
    expect(readFileSync(join(home, 'state', aside[0]!), 'utf8')).toMatch(/^no database at all/);
  });

  it('is set aside where its pages are overwritten, whatever the first ones say', async () => {
    const { args, env, path } = stage();
    await searchOnce({ args, env });
    const bytes = readFileSync(path);
    bytes.fill(0xab, 4_096);
    writeFileSync(path, bytes);
    const { text, code, stderr } = await searchOnce({ args, env });
    expect([text.includes('flags/clean-up'), code]).toEqual([true, 0]);
    expect(stderr).toContain('set aside');
    expect(await usageIn(path)).toHaveLength(1);
  });

  it.each([
    { name: 'its folder cannot be made', block: (home: string) => writeFileSync(join(home, 'state'), '') },
    {
      name: 'something else is in its place',
      block: (home: string) => mkdirSync(join(home, 'state', 'usage.db'), { recursive: true }),
    },
  ])('does not disturb serving where $name, and is told', async ({ block }) => {
    const { home, args, env } = stage();
    block(home);
    const { text, code, stderr } = await searchOnce({ args, env });
    expect([text.includes('flags/clean-up'), code]).toEqual([true, 0]);
    expect(stderr).toMatch(/Usage cannot be recorded/);
  });

  it('refuses a report, and says why', async () => {
    const { home, args, env } = stage();
    mkdirSync(join(home, 'state', 'usage.db'), { recursive: true });
    const client = await connectModern({ args, env });
    const { content, isError, _meta } = await report(client, { id: 'flags/clean-up', problem: 'x' });
    expect([isError, _meta?.['playbook-mcp/error']]).toEqual([true, 'usage/unavailable']);
    expect(JSON.stringify(content)).toContain('not stored');
    await client.close();
  });
});
