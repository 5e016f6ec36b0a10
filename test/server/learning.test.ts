import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runCli } from '../cli/run-cli.ts';
import { configFile, connectModern, type Connected, handshake, pipe, seedFolder } from './product.ts';

const playbook = (description: string, more = ''): string => `---\ndescription: ${description}\n${more}---\nStep 1.\n`;

const PLAYBOOKS = {
  'undo.md': playbook('Roll the shop back to the release before, step by step, with the database left as it is.'),
  'announce.md': playbook('Announce a release to everybody.'),
  ...Object.fromEntries(
    Array.from({ length: 8 }, (_, number) => [
      `thing-${number}.md`,
      playbook(`Configure thing ${number} of the office, such as lamps and plants.`),
    ]),
  ),
};

/** Words of which `announce` has one, and `undo` the same one in a longer text. */
const ODD_WORDS = 'revert a release that broke checkout';

interface Stage {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

function stage(config: object = {}, files: Readonly<Record<string, string>> = PLAYBOOKS): Stage {
  const folder = seedFolder(files);
  return {
    args: ['--no-starter', '--playbooks', folder, '--config', configFile({}, config)],
    env: { PLAYBOOK_MCP_HOME: seedFolder({}) },
  };
}

const hitsOf = (result: Awaited<ReturnType<Connected['call']>>): readonly string[] =>
  ((result._meta?.['playbook-mcp/hits'] ?? []) as { id: string }[]).map(({ id }) => id);

async function search({ call }: Connected, query = ODD_WORDS): Promise<readonly string[]> {
  return hitsOf(await call('search', { query }));
}

/** Sessions that ask in odd words and then take what does not come first. @returns what the first of them was listed */
async function work(on: Stage, sessions = 3): Promise<readonly string[]> {
  const listed: (readonly string[])[] = [];
  for (let session = 0; session < sessions; session += 1) {
    const client = await connectModern(on);
    listed.push(await search(client));
    await client.call('execute', { id: 'undo' });
    await client.close();
  }
  return listed[0]!;
}

/** What the command lists, which waits until it has learned what there is to learn. */
function listedByCommand(on: Stage): readonly string[] {
  const { stdout } = runCli(['search', ...on.args, '--json', ODD_WORDS], { env: on.env });
  return (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id);
}

/** What a new process lists, once it has learned what there is to learn; as it is where that never is as expected. */
async function listedLater(on: Stage, isAsExpected: (ids: readonly string[]) => boolean) {
  const client = await connectModern(on);
  await client.tools();
  let ids = await search(client);
  for (const until = Date.now() + 15_000; !isAsExpected(ids) && Date.now() < until; await delay(50)) {
    ids = await search(client);
  }
  await client.close();
  return ids;
}

const isUndoFirst = ([first]: readonly string[]): boolean => first === 'undo';

describe('a search in words that have led to an execute', () => {
  it('ranks that entry first after a restart', async () => {
    const on = stage();
    expect(await work(on)).toEqual(['announce', 'undo']);
    expect(await listedLater(on, isUndoFirst)).toEqual(['undo', 'announce']);
  });

  it('is answered by the command line as an agent is', async () => {
    const on = stage();
    await work(on);
    expect(listedByCommand(on)).toEqual(['undo', 'announce']);
  });

  it.each([
    { name: 'search.learn is false', config: { search: { learn: false } } },
    { name: 'queries are hashed', config: { usage: { queries: 'hash' } } },
    { name: 'queries are left out', config: { usage: { queries: 'off' } } },
  ])('ranks as before where $name', async ({ config }) => {
    const on = stage(config);
    await work(on);
    expect(listedByCommand(on)).toEqual(['announce', 'undo']);
  });

  it('ranks as before where nothing is recorded, whatever was', async () => {
    const on = stage();
    await work(on);
    const silent = { ...on, env: { ...on.env, PLAYBOOK_MCP_USAGE: 'off' } };
    expect(listedByCommand(silent)).toEqual(['announce', 'undo']);
  });

  it('lists nothing that has been retired since', async () => {
    const on = stage();
    await work(on);
    writeFileSync(join(on.args[2]!, 'undo.md'), playbook('Roll the shop back.', 'status: retired\n'));
    expect(listedByCommand(on)).toEqual(['announce']);
  });

  it('is learned while the process runs, when the configuration asks for it', async () => {
    const on = stage({ search: { learn: false } });
    await work(on);
    const client = await connectModern(on);
    expect(await search(client)).toEqual(['announce', 'undo']);
    writeFileSync(on.args[4]!, '{}');
    await expect.poll(() => search(client), { timeout: 20_000, interval: 100 }).toEqual(['undo', 'announce']);
    writeFileSync(on.args[4]!, '{ "search": { "learn": false } }');
    await expect.poll(() => search(client), { timeout: 20_000, interval: 100 }).toEqual(['announce', 'undo']);
    await client.close();
  }, 60_000);
});

describe('what was learned in one repository', () => {
  function repository(name: string): string {
    const files = Object.entries(PLAYBOOKS).map(([path, text]) => [`playbooks/${path}`, text] as const);
    const folder = seedFolder({ 'readme.txt': name, ...Object.fromEntries(files) });
    execFileSync('git', ['init', '-q', folder]);
    execFileSync('git', ['-C', folder, 'remote', 'add', 'origin', `https://git.example.com/org/${name}.git`]);
    return folder;
  }

  it('ranks its playbooks, and those of the same id in no other one', async () => {
    const env = { PLAYBOOK_MCP_HOME: seedFolder({}) };
    const inRepository = (folder: string): Stage => ({ args: ['--no-starter', '--workspace', folder], env });
    const [shop, blog] = [inRepository(repository('shop')), inRepository(repository('blog'))];
    expect(await work(shop)).toEqual(['announce', 'undo']);
    expect(await listedLater(shop, isUndoFirst)).toEqual(['undo', 'announce']);
    expect(listedByCommand(blog)).toEqual(['announce', 'undo']);
  }, 60_000);
});

describe('a store that cannot be read', () => {
  it('is told once, and fails no search', async () => {
    const on = stage({ usage: { store: 'postgres://nobody@127.0.0.1:1/none' } });
    const server = pipe(on);
    for (const message of handshake) server.send(message);
    server.send({ id: 2, method: 'tools/call', params: { name: 'search', arguments: { query: ODD_WORDS } } });
    expect(hitsOf((await server.answer(2)).result!)).toEqual(['announce', 'undo']);
    await expect.poll(server.stderr, { timeout: 20_000 }).toMatch(/Search does not learn from use: .*ECONNREFUSED/);
    server.send({ id: 3, method: 'tools/call', params: { name: 'search', arguments: { query: ODD_WORDS } } });
    expect(hitsOf((await server.answer(3)).result!)).toEqual(['announce', 'undo']);
    server.child.kill('SIGKILL');
  }, 40_000);
});
