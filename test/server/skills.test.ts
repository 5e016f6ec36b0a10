import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import * as z from 'zod';
import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '../tools/harness.ts';
import { text } from '../seed.ts';
import { connectLegacy, connectModern, seedFolder } from './product.ts';

const skill = (name: string, body = 'Steps.', more = ''): string =>
  `---\nname: ${name}\ndescription: Does ${name}. Use when needed.\n${more}---\n${body}\n`;

/** Skills of a workspace and of a central folder, and playbooks that are none. */
function stage() {
  const central = seedFolder({
    'deploy/rollback/SKILL.md': skill(
      'rollback',
      'See [forms](references/forms.md).',
      'license: MIT\nmetadata:\n  team: a\n',
    ),
    'deploy/rollback/references/forms.md': '\uFEFF# Forms\r\n',
    'deploy/rollback/scripts/run.bin': 'a\0b',
    'deploy/rollback/inner/SKILL.md': skill('inner'),
    'deploy/rollback/inner/more/a.txt': 'a',
    'other-name/SKILL.md': skill('not-the-folder'),
    'Upper/SKILL.md': skill('Upper'),
    'bad-metadata/SKILL.md': skill('bad-metadata', 'Steps.', 'metadata: [1, 2]\n'),
    'retired-one/SKILL.md': skill('retired-one', 'Steps.', 'status: retired\n'),
    'flat.md': text('Flat, and so no skill.'),
  });
  const cwd = seedFolder({
    '.git/HEAD': '',
    '.agents/skills/rollback/SKILL.md': skill('rollback', 'Of the workspace.'),
  });
  return { central, cwd, args: ['--no-starter', '--playbooks', central], name: central.split('/').at(-1)! };
}

describe('skills, for the official client of the extension', () => {
  let client: Client;
  let skills: SkillsClient;
  let at: ReturnType<typeof stage>;

  beforeAll(async () => {
    at = stage();
    ({ client } = await connectModern(at));
    skills = new SkillsClient(client);
  });

  it('are the playbooks that keep the rules of skills, of every source, each with all its files', async () => {
    expect([skills.supported, skills.directoryRead]).toEqual([true, true]);
    const listing = await skills.list();
    expect(listing).toMatchObject({ invalid: [], ttlMs: 0, cacheScope: 'private' });
    const root = `skill://${at.name}/deploy/rollback`;
    expect(listing.skills.map(({ uri }) => uri).sort()).toEqual(
      [`${root}/SKILL.md`, `${root}/inner/SKILL.md`, 'skill://workspace/rollback/SKILL.md'].sort(),
    );
    const outer = listing.skills.find(({ uri }) => uri === `${root}/SKILL.md`)!;
    expect(outer.frontmatter).toEqual({
      name: 'rollback',
      description: 'Does rollback. Use when needed.',
      license: 'MIT',
      metadata: { team: 'a' },
    });
    const files = ['SKILL.md', 'inner/SKILL.md', 'inner/more/a.txt', 'references/forms.md', 'scripts/run.bin'];
    expect(outer.resources === 'dynamic' ? [] : outer.resources.map(({ uri }) => uri)).toEqual(
      files.map((file) => `${root}/${file}`),
    );
    const own = listing.skills.find(({ uri }) => uri.startsWith('skill://workspace/'))!;
    expect(own._meta).toMatchObject({ 'playbook-mcp/source': expect.stringMatching(/^workspace:/) });
  });

  it('are read byte for byte as their digests say', async () => {
    const { skill: outer } = await skills.get(`skill://${at.name}/deploy/rollback/SKILL.md`);
    expect(await skills.read(outer)).toMatchObject({ verified: true, body: 'See [forms](references/forms.md).\n' });
    const read = async (file: string) => Buffer.from((await skills.read(outer, file)).bytes).toString();
    expect(await read('references/forms.md')).toBe('\uFEFF# Forms\r\n');
    expect(await read('scripts/run.bin')).toBe('a\0b');
    expect(await read('inner/more/a.txt')).toBe('a');
  });

  it('have folders that can be listed', async () => {
    const root = `skill://${at.name}/deploy/rollback`;
    const namesIn = async (uri: string) =>
      (await skills.readDirectory(uri)).resources.map(({ name, mimeType }) => [name, mimeType]);
    expect(await namesIn(root)).toEqual([
      ['SKILL.md', 'text/markdown'],
      ['inner', 'inode/directory'],
      ['references', 'inode/directory'],
      ['scripts', 'inode/directory'],
    ]);
    expect(await namesIn(`${root}/inner`)).toEqual([
      ['SKILL.md', 'text/markdown'],
      ['more', 'inode/directory'],
    ]);
    expect(await namesIn(`${root}/references`)).toEqual([['forms.md', 'text/markdown']]);
  });

  it('have their paths completed', async () => {
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'skill://{+path}' },
      argument: { name: 'path', value: 'workspace/' },
    });
    expect(completion.values).toEqual(['workspace/rollback/SKILL.md']);
  });

  it.each([
    { name: 'a skill that there is not', path: 'deploy/nothing/SKILL.md' },
    { name: 'a playbook that is no skill', path: 'flat/SKILL.md' },
    { name: 'a name that is not the folder’s', path: 'other-name/SKILL.md' },
    { name: 'a retired skill', path: 'retired-one/SKILL.md' },
    { name: 'a skill that breaks a rule', path: 'bad-metadata/SKILL.md' },
    { name: 'a file that is no SKILL.md', path: 'deploy/rollback/references/forms.md' },
    { name: 'a path upwards', path: 'deploy/rollback/..%2f..%2fflat.md' },
  ])('refuse $name', async ({ path }) => {
    const uri = `skill://${at.name}/${path}`;
    await expect(skills.get(uri)).rejects.toMatchObject({ code: -32602 });
    await expect(skills.readDirectory(uri)).rejects.toMatchObject({ code: -32602 });
  });

  it('have new digests as soon as a file is written, and go when their folder goes', async () => {
    const uri = 'skill://workspace/rollback/SKILL.md';
    const folder = join(at.cwd, '.agents', 'skills', 'rollback');
    const digests = async () => {
      const { resources } = (await skills.get(uri)).skill;
      return new Map(resources === 'dynamic' ? [] : resources.map((file) => [file.uri, file.digest]));
    };
    const before = await digests();
    writeFileSync(join(folder, 'SKILL.md'), skill('rollback', 'Another text.'));
    const after = await digests();
    expect(after.get(uri)).not.toBe(before.get(uri));
    expect(await skills.read((await skills.get(uri)).skill)).toMatchObject({ body: 'Another text.\n', verified: true });
    mkdirSync(join(folder, 'templates'));
    writeFileSync(join(folder, 'templates', 'a.md'), 'A');
    await until(async () => (await digests()).has('skill://workspace/rollback/templates/a.md'));
    rmSync(folder, { recursive: true });
    await until(async () => !(await skills.list()).skills.some((each) => each.uri === uri));
  });
});

describe('skills, for a client of the 2025 era', () => {
  it('are answered without the fields of later revisions', async () => {
    const { client } = await connectLegacy(stage());
    const listed = await client.request({ method: 'skills/list', params: {} }, z.looseObject({}));
    expect(listed).toMatchObject({ skills: [{}, {}, {}] });
    expect(Object.keys(listed)).toEqual(['skills']);
    const bad = client.request({ method: 'skills/list', params: { cursor: 'x' } }, z.looseObject({}));
    await expect(bad).rejects.toMatchObject({ code: -32602 });
  });
});
