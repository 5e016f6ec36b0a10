import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textOf, type ToolResult } from '../../scripts/demo/path.ts';
import { Runtime } from '../../src/server/runtime.ts';
import { text } from '../seed.ts';
import { until } from '../tools/harness.ts';
import {
  type Connected,
  configFile,
  connectModern,
  type eras,
  erasInFull,
  seedFolder,
  type StartOptions,
} from './product.ts';

const rotate = {
  id: 'signing/rotate-key',
  description: 'Rotate the signing key of the gateway. Use when it leaks or a year has passed.',
  instructions:
    '1. Make the new pair: `gateway keys new --bits 4096`.\n2. Publish it beside the old one and wait until each replica of `{{region}}` has it.\n3. Sign with the new one, then take the old one away.\n\n## Done when\n`gateway keys list` prints one key, younger than an hour.',
};

const body =
  'Drain the queue before anything else: `queue drain orders --wait`.\n\nStop the consumers one by one, newest first, since the oldest holds the lease.\n\n' +
  'Then move the offsets back by the number that the incident report names, and start the consumers in the opposite order.\n\n## Done when\nThe lag is below a hundred for five minutes.';

/** In parts, so that no scanner takes it for a real one. */
const token = ['ghp_k3JfQ9', 'zT7wLmX2vBnR5', 'yHcD8sGpA4eUo6iKq'].join('');

/** A git repository without a commit; only `.git` tells that it is one. */
const repository = (files: Readonly<Record<string, string>> = {}): string =>
  seedFolder({ '.git/HEAD': 'ref: refs/heads/main\n', ...files });

interface Proposing extends Connected {
  readonly propose: (given: Record<string, unknown>, workspace?: string) => Promise<ToolResult>;
}

async function proposing(
  cwd: string,
  more: Pick<StartOptions, 'args' | 'isAlone'> & { readonly connect?: (typeof eras)[number]['connect'] } = {},
): Promise<Proposing> {
  const { args = [], connect = connectModern, ...others } = more;
  const product = await connect({ args: ['--no-starter', ...args], cwd, ...others });
  return {
    ...product,
    propose: (given, workspace) =>
      product.call('execute', { id: 'playbooks__propose', arguments: given, ...(workspace && { workspace }) }),
  };
}

const shared = new Map<unknown, Promise<Proposing>>();

/** The same from the workspace of a call: one product, started elsewhere, does for many repositories. */
async function proposingTo(
  workspace: string,
  connect: (typeof eras)[number]['connect'] = connectModern,
): Promise<Proposing> {
  const product = shared.get(connect) ?? proposing(seedFolder({}), { connect });
  shared.set(connect, product);
  const { call, propose, ...rest } = await product;
  return {
    ...rest,
    call: (name, args) => call(name, { workspace, ...args }),
    propose: (given, other = workspace) => propose(given, other),
  };
}

const codeOf = (result: ToolResult): unknown => result._meta?.['playbook-mcp/error'];

describe.each(erasInFull)('a proposal of a client of the $era era', ({ connect }) => {
  it('is written as a draft and found in its own repository only, marked', async () => {
    const [own, other] = [repository(), repository()];
    const { call, propose } = await proposing(own, { connect });
    const search = async (workspace: string): Promise<string> =>
      textOf(await call('search', { query: 'rotate the signing key', workspace }));
    const answer = await propose({
      ...rotate,
      tags: ['domain:security', 'action:rotate'],
      parameters: [{ name: 'region', description: 'where: one of ours', required: true, enum: ['eu', 'us'] }],
      examples: ['the signing key leaked: what now?'],
    });
    const path = join(own, '.playbooks', 'signing', 'rotate-key.md');
    expect(answer.isError).toBeFalsy();
    expect(textOf(answer)).toContain(`Saved as a draft: ${path}`);
    expect(textOf(answer)).toContain('status: active');
    expect(readFileSync(path, 'utf8')).toContain('status: draft\n');
    await until(async () => /^signing\/rotate-key\(region\*\).*\[draft\]/m.test(await search(own)));
    expect(await search(other)).not.toContain('signing/rotate-key');
    const read = textOf(await call('execute', { id: 'signing/rotate-key', arguments: { region: 'eu' } }));
    expect(read).toContain('each replica of `eu` has it');
  });

  it('is refused where another one at the same time tells the same, loaded or not', async () => {
    const { propose } = await proposingTo(repository(), connect);
    const answers = await Promise.all(['one', 'two'].map((id) => propose({ ...rotate, id })));
    expect(new Set(answers.map(codeOf))).toEqual(new Set([undefined, 'catalog/duplicate']));
  });

  it('is told every mistake at once, and nothing is written', async () => {
    const own = repository();
    const { propose } = await proposingTo(own, connect);
    const wrong = await propose({ instructions: 1, tag: ['x'] });
    for (const field of ['id', 'description', 'instructions', 'tag']) expect(textOf(wrong)).toContain(`- ${field}`);
    const answer = await propose({
      ...rotate,
      id: 'Signing/../Rotate',
      parameters: [{ name: 'a b' }],
      instructions: 'See [the other](playbook://no/such).\n\ntoken: ' + token,
    });
    expect(answer.isError).toBe(true);
    for (const problem of [/^- id: /m, /parameters/, /line 1: broken-reference/, /line 3: secret/])
      expect(textOf(answer)).toMatch(problem);
    expect(readdirSync(own)).toEqual(['.git']);
  });

  it('that another playbook tells already is answered with that one and the difference', async () => {
    const central = seedFolder({ 'queue/replay.md': text('Replay orders after an incident.', body) });
    const own = repository();
    const { propose } = await proposing(own, { connect, args: ['--playbooks', central] });
    const answer = await propose({
      id: 'orders/replay-again',
      description: 'Replay orders. Use after an incident.',
      instructions: body.replace('below a hundred', 'below two hundred'),
    });
    expect(codeOf(answer)).toBe('catalog/duplicate');
    expect(textOf(answer)).toMatch(
      /^Nothing was written: queue\/replay of .* has nearly the same text \(overlap \d+ %\)/,
    );
    expect(textOf(answer)).toContain('-The lag is below a hundred for five minutes.');
    expect(textOf(answer)).toContain('+The lag is below two hundred for five minutes.');
    expect(readdirSync(own)).toEqual(['.git']);
  });
});

describe('a proposed id', () => {
  let withCentral: Promise<Proposing> | undefined;
  const central = {
    'deploy.md': text('Deploy the service.', 'Ship.'),
    'gone.md': text('Ship by tape.', 'Tape.', 'status: retired\ndeprecated: { reason: no tapes, replacedBy: deploy }'),
    'named.md': text('Celebrate.', 'Cheer.', 'name: party'),
  };

  it.each([
    { name: 'of a playbook elsewhere', id: 'deploy', says: /"deploy" is taken by the playbook deploy of/ },
    { name: 'of a retired one', id: 'gone', says: /is retired: no tapes.* replaced by deploy/ },
    { name: 'that the configuration retires', id: 'old', says: /the configuration retires "old" \(too old\)/ },
    { name: 'that is the name of another one', id: 'party', says: /"party" is the name of another entry/ },
  ])('$name is refused with the reason', async ({ id, says }) => {
    const config = configFile({}, { retired: { old: { reason: 'too old' } } });
    withCentral ??= proposing(repository(), { args: ['--playbooks', seedFolder(central), '--config', config] });
    const answer = await (await withCentral).propose({ ...rotate, id });
    expect(codeOf(answer)).toBe('catalog/taken-id');
    expect(textOf(answer)).toMatch(says);
  });

  it.each([
    '../x',
    'a/../../x',
    '/etc/x',
    'a//b',
    'a\\b',
    'CON',
    'a/nul',
    'x y',
    'Deploy',
    'a__b',
    'README',
    '.x',
    'x.',
  ])('such as %j is refused', async (id) => {
    const own = repository();
    const { propose } = await proposingTo(own);
    const answer = await propose({ ...rotate, id });
    expect(codeOf(answer)).toBe('tools/invalid-arguments');
    expect(textOf(answer)).toContain('- id: ');
    expect(readdirSync(own)).toEqual(['.git']);
  });

  it('may end with .md, which is not doubled', async () => {
    const own = repository();
    const { propose } = await proposingTo(own);
    expect((await propose({ ...rotate, id: 'rotate.md' })).isError).toBeFalsy();
    expect(readdirSync(join(own, '.playbooks'))).toEqual(['rotate.md']);
  });
});

describe('the place of a proposal', () => {
  it('is the nearest folder that holds playbooks, in the shape that they have', async () => {
    const skill = (name: string): string => text(`About ${name}.`, name, `name: ${name}`);
    const root = repository({
      '.playbooks/top.md': text('On top.'),
      'app/.playbooks/notes.txt': 'no playbook',
      'app/.claude/skills/one/SKILL.md': skill('one'),
      'app/.claude/skills/two/SKILL.md': skill('two'),
    });
    const { propose } = await proposingTo(root);
    expect((await propose(rotate, join(root, 'app'))).isError).toBeFalsy();
    expect(existsSync(join(root, 'app/.claude/skills/signing/rotate-key/SKILL.md'))).toBe(true);
  });

  it('is a folder of its own inside a skill, whose other files are no playbooks', async () => {
    const root = repository({
      '.playbooks/a.md': text('A.'),
      '.playbooks/b.md': text('B.'),
      '.playbooks/pdf/SKILL.md': text('A skill.'),
    });
    const { call, propose } = await proposingTo(root);
    expect(textOf(await propose({ ...rotate, id: 'pdf/rotate' }))).toContain('pdf/rotate/SKILL.md');
    await until(async () => textOf(await call('search', { query: 'rotate the signing key' })).includes('pdf/rotate'));
  });

  it('is never beyond a link that leaves the repository', async () => {
    const outside = seedFolder({ 'keep.txt': '' });
    const root = repository({ '.playbooks/here.md': text('Here.') });
    symlinkSync(outside, join(root, '.playbooks', 'signing'));
    const { propose } = await proposingTo(root);
    const answer = await propose(rotate);
    expect(codeOf(answer)).toBe('files/unwritable');
    expect(textOf(answer)).toContain('leads out of');
    const bare = repository();
    symlinkSync(outside, join(bare, '.playbooks'));
    const other = await (await proposingTo(bare)).propose(rotate);
    expect(other.isError).toBe(true);
    expect(readdirSync(outside)).toEqual(['keep.txt']);
  });

  it('is never a file that is there, in whatever case', async () => {
    const root = repository({ '.playbooks/Signing/ROTATE-KEY.md': 'not a playbook' });
    const answer = await (await proposingTo(root)).propose(rotate);
    expect(codeOf(answer)).toBe('files/exists');
    expect(readdirSync(join(root, '.playbooks'))).toEqual(['Signing']);
  });

  it('is none where no workspace is known, or repositories are not served', async () => {
    const { propose } = await proposing('/');
    expect(codeOf(await propose(rotate))).toBe('workspace/unknown');
    for (const policy of ['none', 'trusted']) {
      const config = configFile({}, { workspace: { policy } });
      const answer = await (await proposing(repository(), { args: ['--config', config] })).propose(rotate);
      expect(answer.isError).toBe(true);
      expect(codeOf(answer)).toMatch(/^workspace\//);
    }
  });
});

describe('two proposals of one id', () => {
  it('at once, by two processes, leave the file of one', async () => {
    const root = repository();
    const both = await Promise.all([1, 2].map(() => proposing(root, { isAlone: true })));
    await Promise.all(both.map(({ call }) => call('search', {})));
    const answers = await Promise.all(
      both.map(({ propose }, at) =>
        propose({ ...rotate, description: `Way ${at} to rotate keys. Use when they leak.` }),
      ),
    );
    expect(answers.filter(({ isError }) => isError !== true)).toHaveLength(1);
    const files = readdirSync(join(root, '.playbooks', 'signing'));
    expect(files).toEqual(['rotate-key.md']);
    const winner = answers.findIndex(({ isError }) => isError !== true);
    expect(readFileSync(join(root, '.playbooks/signing/rotate-key.md'), 'utf8')).toContain(`Way ${winner}`);
  });
});

describe('playbooks__propose', () => {
  it('is found by who wants to keep what they learned, and says that it writes', async () => {
    const { call } = await connectModern({ cwd: repository() });
    for (const query of ['save what I learned as a playbook', 'write a new playbook from this session'])
      expect(textOf(await call('search', { query }))).toContain('playbooks__propose(id*, description*, instructions*');
    const schema = textOf(await call('get_schema', { ids: ['playbooks__propose'] }));
    expect(schema).toContain('Annotations: writes, not destructive, closed-world');
  });

  it('names what is merely on a like subject', async () => {
    const root = repository({
      '.playbooks/tls.md': text('Rotate the TLS key of the gateway. Use before it expires.', 'Ask the CA.'),
    });
    const answer = await (await proposingTo(root)).propose(rotate);
    expect(textOf(answer)).toMatch(/On like subjects.*:\n- (?:workspace:)?tls: Rotate the TLS key/);
  });
});

describe('a runtime that allows no proposals', () => {
  it('has no such entry', async () => {
    const runtime = await Runtime.open({
      flags: { playbooks: [], workspaces: [], starter: false },
      env: { PLAYBOOK_MCP_HOME: seedFolder({}) },
      cwd: repository(),
      log: () => undefined,
      allowsProposals: false,
    });
    const { catalog } = await runtime.snapshot();
    await runtime.close();
    expect(catalog.byId.has('playbooks__propose')).toBe(false);
  });
});
