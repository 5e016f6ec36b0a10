import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ListRootsRequestSchema, ResourceListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { text } from '../seed.ts';
import { until } from '../tools/harness.ts';
import { connectModern, eras, legacyTransport, seedFolder } from './product.ts';

interface Listed {
  readonly uri: string;
  readonly name: string;
  readonly description?: string | undefined;
}

interface ResourceClient {
  readonly listResources: (params?: {
    cursor: string;
  }) => Promise<{ readonly resources: readonly Listed[]; readonly nextCursor?: string | undefined }>;
  readonly listTools: (params: { cursor: string }) => Promise<unknown>;
  readonly listResourceTemplates: (params?: { cursor: string }) => Promise<{
    readonly resourceTemplates: readonly { readonly uriTemplate: string }[];
  }>;
  readonly listPrompts: (params?: {
    cursor: string;
  }) => Promise<{ readonly prompts: readonly { readonly name: string }[]; readonly nextCursor?: string | undefined }>;
  readonly readResource: (given: { uri: string }) => Promise<{ readonly contents: readonly object[] }>;
  readonly complete: (given: {
    ref: { type: 'ref/resource'; uri: string };
    argument: { name: string; value: string };
  }) => Promise<{
    readonly completion: {
      readonly values: readonly string[];
      readonly total?: number | undefined;
      readonly hasMore?: boolean | undefined;
    };
  }>;
}

const png = Buffer.from('89504e470d0a1a0a00', 'hex');

/** A workspace and a central folder, with names that URIs must encode and files that must not be read. */
function stage(): { args: string[]; cwd: string; name: string } {
  const central = seedFolder({
    'deploy/rollback.md': `\uFEFF---\r\ndescription: Roll back.\r\n---\r\n# First\r\n\r\nOne.\r\n\r\n# Then\r\n\r\nTwo.\r\n`,
    'skill/SKILL.md': text('A skill.', 'See [forms](references/forms.md).'),
    'skill/references/forms.md': '# Forms\n',
    'skill/references/ü b.json': '{}',
    'skill/scripts/run.bin': 'a\0b',
    'shared.md': text('Shared, of the organisation.'),
    'a b/ü.md': text('With a name that is to be encoded.'),
    'old.md': text('Old.', 'Old.', 'status: deprecated\ndeprecated:\n  replacedBy: shared'),
    'gone.md': text('Gone.', 'Gone.', 'status: retired\ndeprecated:\n  replacedBy: shared'),
    'planned.md': text('Planned, of the organisation.', 'Planned.', 'status: draft'),
    'secret.txt': 'token',
  });
  writeFileSync(join(central, 'skill', 'logo.png'), png);
  mkdirSync(join(central, 'skill', '.git'));
  writeFileSync(join(central, 'skill', '.git', 'config'), 'token');
  const cwd = seedFolder({
    '.git/HEAD': '',
    '.playbooks/mine.md': text('Mine.'),
    '.playbooks/shared.md': text('Shared, of the workspace.'),
    '.playbooks/idea.md': text('An idea.', 'Idea.', 'status: draft'),
    '.playbooks/tool/SKILL.md': text('A skill of the workspace.'),
    '.playbooks/tool/plain.txt': 'plain',
  });
  symlinkSync('/etc/hostname', join(cwd, '.playbooks', 'tool', 'escape.txt'));
  return { args: ['--no-starter', '--playbooks', central], cwd, name: central.split('/').at(-1)! };
}

describe.each(eras)('resources, for a client of the $era era', ({ connect }) => {
  let client: ResourceClient;
  let source: string;

  beforeAll(async () => {
    const { args, cwd, name } = stage();
    source = name;
    ({ client } = await connect({ args, cwd }));
  });

  it('are the playbooks that search shows, by id and with its marks', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ name: id }) => id)).toEqual([
      'a b/ü',
      'deploy/rollback',
      'idea',
      'mine',
      'old',
      'shared',
      'skill',
      'tool',
      'workspace:shared',
    ]);
    const listed = new Map(resources.map((resource) => [resource.name, resource]));
    expect(listed.get('deploy/rollback')).toEqual({
      uri: 'playbook://deploy/rollback',
      name: 'deploy/rollback',
      title: 'rollback',
      description: 'Roll back.',
      mimeType: 'text/markdown',
    });
    expect(listed.get('idea')?.description).toMatch(/^An idea\. \[draft\] \[untrusted workspace:/);
    expect(listed.get('old')?.description).toBe('Old. [deprecated → shared]');
    expect(listed.get('shared')?.description).toBe('Shared, of the organisation. [shadows workspace:shared]');
    expect(listed.get('workspace:shared')?.uri).toBe('playbook://workspace%3Ashared');
    expect(listed.get('a b/ü')?.uri).toBe('playbook://a%20b/%C3%BC');
    for (const { uri } of resources) {
      expect(new URL(uri).href).toBe(uri);
      expect(await client.readResource({ uri })).toMatchObject({ contents: [{ uri, mimeType: 'text/markdown' }] });
    }
    for (const uri of ['playbook://workspace:shared', `playbook://${source}:shared`, 'playbook://shared']) {
      expect(JSON.stringify(await client.readResource({ uri }))).toContain(
        uri.includes('workspace') ? 'of the workspace' : 'of the organisation',
      );
    }
  });

  it('read a playbook as its author wrote it, a section of it, and its files, text and binary', async () => {
    const read = async (uri: string): Promise<unknown> => (await client.readResource({ uri })).contents[0];
    expect(await read('playbook://deploy/rollback')).toEqual({
      uri: 'playbook://deploy/rollback',
      mimeType: 'text/markdown',
      text: `\uFEFF---\r\ndescription: Roll back.\r\n---\r\n# First\r\n\r\nOne.\r\n\r\n# Then\r\n\r\nTwo.\r\n`,
    });
    expect(await read('playbook://deploy/rollback#then')).toMatchObject({ text: '# Then\n\nTwo.' });
    expect(await read('playbook://skill/references/forms.md')).toMatchObject({ text: '# Forms\n' });
    expect(await read('playbook://skill/references/%C3%BC%20b.json')).toMatchObject({ mimeType: 'application/json' });
    expect(await read('playbook://skill/logo.png')).toEqual({
      uri: 'playbook://skill/logo.png',
      mimeType: 'image/png',
      blob: png.toString('base64'),
    });
    expect(await read('playbook://skill/scripts/run.bin')).toMatchObject({ mimeType: 'application/octet-stream' });
  });

  it.each([
    { name: 'an unknown id', uri: 'playbook://deploy/rolback', says: /Closest: deploy\/rollback/ },
    { name: 'an unknown file', uri: 'playbook://skill/none.md', says: /not a supporting file/ },
    { name: 'an unknown section', uri: 'playbook://deploy/rollback#last', says: /deploy\/rollback#then/ },
    { name: 'a retired playbook', uri: 'playbook://gone', says: /retired.*shared/ },
    { name: 'a tool', uri: 'playbook://playbooks__propose', says: /is a tool/ },
    { name: 'nothing', uri: 'playbook://', says: /no entry/ },
    { name: 'a very long address', uri: `playbook://${'a/'.repeat(500_000)}`, says: /such an address/ },
    { name: 'an address that is no URI', uri: 'playbook://%E0%A4%A', says: /such an address/ },
    { name: 'a neighbour that is no playbook', uri: 'playbook://secret.txt', says: /no entry/ },
    { name: 'a path upwards', uri: 'playbook://skill/../secret.txt', says: /not a supporting file|no entry/ },
    { name: 'an encoded path upwards', uri: 'playbook://skill/%2e%2e%2fsecret.txt', says: /not a supporting file/ },
    { name: 'a path upwards as Windows writes it', uri: 'playbook://skill/..%5Csecret.txt', says: /not a supp/ },
    { name: 'an absolute path', uri: 'playbook://skill//etc/passwd', says: /not a supporting file/ },
    { name: 'a hidden file', uri: 'playbook://skill/.git/config', says: /not a supporting file/ },
    { name: 'a zero byte', uri: 'playbook://skill/a%00.md', says: /not a supporting file/ },
    { name: 'a link out of the repository', uri: 'playbook://tool/escape.txt', says: /not a supporting file/ },
  ])('refuse $name as not found, with its URI', async ({ uri, says }) => {
    await expect(client.readResource({ uri })).rejects.toMatchObject({
      code: -32602,
      data: { uri },
      message: expect.stringMatching(says),
    });
  });

  it('have a template, whose id is completed', async () => {
    const templates = (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate);
    expect(templates).toEqual(['playbook://{+id}', 'skill://{+path}']);
    const complete = async (uri: string, value: string, name = 'id') =>
      (await client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } })).completion;
    expect(await complete('playbook://{+id}', 'S')).toMatchObject({ values: ['shared', 'skill', 'workspace:shared'] });
    expect(await complete('playbook://{+id}', 'roll')).toEqual({
      values: ['deploy/rollback'],
      total: 1,
      hasMore: false,
    });
    await expect(complete('note://{id}', '')).rejects.toMatchObject({ code: -32602 });
  });

  it('refuse a cursor where there is one page', async () => {
    await expect(client.listResourceTemplates({ cursor: 'x' })).rejects.toMatchObject({ code: -32602 });
    await expect(client.listTools({ cursor: 'x' })).rejects.toMatchObject({ code: -32602 });
  });

  it('are 3,000 in pages, each once and in order', async () => {
    const ids = Array.from({ length: 3_000 }, (_, at) => `task-${String(at).padStart(4, '0')}`);
    const files = Object.fromEntries(ids.map((id) => [`${id}.md`, text(`Do ${id}.`)]));
    const many: ResourceClient = (await connect({ args: ['--no-starter', '--playbooks', seedFolder(files)] })).client;
    const seen: string[] = [];
    const prompts: string[] = [];
    for (const [list, into] of [
      [async (cursor: { cursor: string } | undefined) => namesOf(await many.listResources(cursor)), seen],
      [async (cursor: { cursor: string } | undefined) => namesOf(await many.listPrompts(cursor)), prompts],
    ] as const) {
      let page = await list(undefined);
      while (page.nextCursor !== undefined) {
        expect(page.names).toHaveLength(100);
        into.push(...page.names);
        page = await list({ cursor: page.nextCursor });
      }
      into.push(...page.names);
    }
    expect(seen).toEqual(ids);
    expect(prompts).toEqual(['review_playbook', ...ids]);
    const { total, values, hasMore } = (
      await many.complete({
        ref: { type: 'ref/resource', uri: 'playbook://{+id}' },
        argument: { name: 'id', value: '' },
      })
    ).completion;
    expect([total, values.length, hasMore]).toEqual([3_000, 100, true]);
    const { nextCursor = '' } = await many.listResources();
    for (const cursor of ['', 'nonsense', `${nextCursor}x`]) {
      await expect(many.listResources({ cursor })).rejects.toMatchObject({ code: -32602 });
    }
    // A cursor of one list belongs to no other.
    await expect(many.listPrompts({ cursor: nextCursor })).rejects.toMatchObject({ code: -32602 });
  });
});

function namesOf(page: Awaited<ReturnType<ResourceClient['listResources' | 'listPrompts']>>): {
  names: readonly string[];
  nextCursor: string | undefined;
} {
  const items: readonly { readonly name: string }[] = 'resources' in page ? page.resources : page.prompts;
  return { names: items.map(({ name }) => name), nextCursor: page.nextCursor };
}

it('say how long answers hold, and for whom', async () => {
  const { args, cwd } = stage();
  const { client } = await connectModern({ args, cwd });
  const changing = { ttlMs: 0, cacheScope: 'private' };
  expect(await client.listTools()).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'public' });
  expect(await client.listResourceTemplates()).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'public' });
  expect(await client.listResources()).toMatchObject(changing);
  expect(await client.listPrompts()).toMatchObject(changing);
  expect(await client.readResource({ uri: 'playbook://mine' })).toMatchObject(changing);
});

it('are of the workspace that a client of the 2025 era declares as its root, and followed there', async () => {
  const root = seedFolder({ '.git/HEAD': '', '.playbooks/here.md': text('Here.') });
  const client = new Client({ name: 'test-roots', version: '1' }, { capabilities: { roots: {} } });
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: pathToFileURL(root).href }] }));
  let changes = 0;
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void (changes += 1));
  await client.connect(legacyTransport({ args: ['--no-starter'] }));
  onTestFinished(() => client.close());
  const ids = async (): Promise<readonly string[]> => (await client.listResources()).resources.map(({ name }) => name);
  expect(await ids()).toEqual(['here']);
  await until(async () => {
    writeFileSync(join(root, '.playbooks', 'new.md'), text('New.'));
    return (await ids()).includes('new');
  });
  await until(() => changes > 0);
});
