import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { search } from '../../src/search/search.ts';
import { type Layer, LiveLayer } from '../../src/server/live-layer.ts';
import { source, text } from '../seed.ts';
import { until, watchCount } from '../tools/harness.ts';
import { seedFolder } from './product.ts';

const live: LiveLayer[] = [];
afterEach(() => {
  for (const layer of live.splice(0)) layer.close();
});

interface Opened {
  readonly folder: string;
  readonly layer: LiveLayer;
  /** Files parsed by each load so far. */
  readonly parsed: number[];
  readonly log: string[];
}

/** A layer of one folder, followed. */
async function open(files: Readonly<Record<string, string>>): Promise<Opened> {
  const folder = seedFolder({ 'keep.txt': '', ...files });
  const parsed: number[] = [];
  const log: string[] = [];
  const layer = openOn(folder, {
    log: (level, message, fields) => {
      if (level === 'debug') parsed.push(Number(fields['parsed']));
      else log.push(message);
    },
  });
  layer.follow();
  await layer.current;
  // Folders are watched from now on; what one more load would find has been found.
  await until(() => parsed.length >= 2);
  return { folder, layer, parsed, log };
}

type Options = ConstructorParameters<typeof LiveLayer>[1];

function openOn(folder: string, more: Partial<Options> = {}): LiveLayer {
  const origin = { sources: [source('platform', { folders: [folder] })], synonyms: {}, diagnostics: [] };
  const layer = new LiveLayer(origin, {
    find: () => Promise.resolve(origin),
    isFixed: () => false,
    log: () => undefined,
    ...more,
  });
  live.push(layer);
  return layer;
}

const idsOf = ({ playbooks }: Layer): readonly string[] => playbooks.map(({ id }) => id);

const found = ({ segment }: Layer, query: string): readonly string[] =>
  search([segment], query).hits.map(({ key }) => key);

describe('a layer that follows its files', () => {
  it.each([
    { name: 'a file that is saved', change: (folder: string) => writeFileSync(join(folder, 'a.md'), text('Zebra.')) },
    {
      name: 'a file that replaces another by rename, as editors save',
      change: (folder: string) => {
        writeFileSync(join(folder, 'a.md.tmp'), text('Zebra.'));
        renameSync(join(folder, 'a.md.tmp'), join(folder, 'a.md'));
      },
    },
  ])('has $name, and parses no other', async ({ change }) => {
    const { folder, layer, parsed } = await open({ 'a.md': text('Deploy.'), 'b.md': text('Roll back.') });
    const before = parsed.length;
    change(folder);
    await until(async () => found(await layer.current, 'zebra').includes('platform:a'));
    expect(parsed.slice(before).reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(found(await layer.current, 'deploy')).toEqual([]);
  });

  it('has what lies in folders that are made later, at any depth', async () => {
    const { folder, layer } = await open({ 'a.md': text('Deploy.') });
    mkdirSync(join(folder, 'x', 'y', 'skill'), { recursive: true });
    writeFileSync(join(folder, 'x', 'y', 'skill', 'SKILL.md'), text('Zebra.'));
    await until(async () => idsOf(await layer.current).includes('x/y/skill'));
    writeFileSync(join(folder, 'x', 'y', 'skill', 'forms.txt'), 'text');
    await expect
      .poll(async () => (await layer.current).playbooks.flatMap(({ supportingFiles }) => supportingFiles))
      .toContain('forms.txt');
  });

  it('loses what is deleted, and follows what is renamed', async () => {
    const { folder, layer } = await open({
      'a.md': text('Deploy.'),
      'old/b.md': text('Roll back.'),
      'c.md': text('Stay.'),
    });
    rmSync(join(folder, 'a.md'));
    renameSync(join(folder, 'old'), join(folder, 'new'));
    await until(async () => idsOf(await layer.current).join() === 'c,new/b');
    expect(found(await layer.current, 'roll back')).toEqual(['platform:new/b']);
  });

  it.each([
    { name: 'removed', leave: (folder: string) => rmSync(folder, { recursive: true }) },
    { name: 'moved away', leave: (folder: string) => renameSync(folder, `${folder}-old`) },
  ])('follows a source whose folder is $name, and comes back', async ({ leave }) => {
    const { folder, layer } = await open({ 'a.md': text('Deploy.') });
    leave(folder);
    await expect.poll(async () => idsOf(await layer.current), { timeout: 5_000 }).toEqual([]);
    mkdirSync(folder);
    writeFileSync(join(folder, 'b.md'), text('Zebra.'));
    await expect.poll(async () => idsOf(await layer.current), { timeout: 5_000 }).toEqual(['b']);
    writeFileSync(join(folder, 'b.md'), text('Okapi.'));
    await expect.poll(async () => found(await layer.current, 'okapi'), { timeout: 5_000 }).toEqual(['platform:b']);
  });

  it('keeps serving the last good version of a file that an edit breaks, says so, and heals', async () => {
    const { folder, layer, log } = await open({ 'a.md': text('Deploy.', 'Good body.') });
    writeFileSync(join(folder, 'a.md'), '---\ndescription: [broken\n---\nNew body.\n');
    await until(async () => (await layer.current).diagnostics.length > 0);
    const broken = await layer.current;
    expect(broken.playbooks.map(({ body }) => body)).toEqual(['Good body.\n']);
    expect(broken.diagnostics.map(({ rule }) => rule)).toContain('last-good-version');
    expect(log.join()).toContain('a.md:3:');
    writeFileSync(join(folder, 'a.md'), text('Deploy.', 'Mended body.'));
    await until(async () => (await layer.current).diagnostics.length === 0);
    expect((await layer.current).playbooks.map(({ body }) => body)).toEqual(['Mended body.\n']);
  });

  it('is the very same where what changed is no part of it', async () => {
    const { folder, layer, parsed } = await open({ 'a.md': text('Deploy.') });
    const before = await layer.current;
    const loads = parsed.length;
    writeFileSync(join(folder, 'notes.txt'), 'nothing');
    await until(() => parsed.length > loads);
    expect(await layer.current).toBe(before);
  });

  it('takes a checkout of a thousand files in a few loads', async () => {
    const { folder, layer, parsed } = await open({ 'a.md': text('Deploy.') });
    const loads = parsed.length;
    for (let i = 0; i < 1_000; i += 1) {
      mkdirSync(join(folder, `area-${i % 20}`), { recursive: true });
      writeFileSync(join(folder, `area-${i % 20}`, `p${i}.md`), text(`Playbook number ${i}.`));
    }
    await until(async () => (await layer.current).playbooks.length === 1_001);
    expect(parsed.length - loads).toBeLessThan(60);
    expect(parsed.slice(loads).reduce((sum, count) => sum + count, 0)).toBe(1_000);
  }, 30_000);

  it('sees what changes behind a link, to a file or to a folder', async () => {
    const elsewhere = seedFolder({ 'one.md': text('Deploy.'), 'more/two.md': text('Roll back.') });
    const { folder, layer } = await open({});
    symlinkSync(join(elsewhere, 'one.md'), join(folder, 'one.md'));
    symlinkSync(join(elsewhere, 'more'), join(folder, 'more'));
    await until(async () => (await layer.current).playbooks.length === 2);
    writeFileSync(join(elsewhere, 'one.md'), text('Zebra.'));
    writeFileSync(join(elsewhere, 'more', 'two.md'), text('Okapi.'));
    await expect.poll(async () => found(await layer.current, 'zebra okapi')).toHaveLength(2);
  });

  it('looks again and again where the system has no watches left, and says so', async () => {
    const exhausted = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC', syscall: 'watch' });
    const folder = seedFolder({ 'a.md': text('Deploy.') });
    const log: string[] = [];
    const layer = openOn(folder, {
      log: (level, message) => void (level === 'debug' || log.push(message)),
      watch: () => {
        throw exhausted;
      },
    });
    layer.follow();
    await until(() => log.length > 0);
    expect(log.join()).toMatch(/ENOSPC.*every few seconds.*max_user_watches/);
    writeFileSync(join(folder, 'b.md'), text('Zebra.'));
    await until(async () => found(await layer.current, 'zebra').includes('platform:b'));
    expect(log).toHaveLength(1);
  }, 20_000);

  it.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
    'keeps what a folder held that cannot be read any more',
    async () => {
      const { folder, layer } = await open({ 'area/a.md': text('Deploy.'), 'b.md': text('Roll back.') });
      chmodSync(join(folder, 'area'), 0);
      await until(async () => (await layer.current).diagnostics.length > 0);
      expect(idsOf(await layer.current)).toEqual(['area/a', 'b']);
      chmodSync(join(folder, 'area'), 0o755);
    },
  );

  it.skipIf(process.platform !== 'linux')('watches folders, and none of dependencies', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`node_modules/p${i}/lib/readme.md`, 'x']));
    const before = watchCount(process.pid);
    const { folder } = await open({ ...files, 'skill/SKILL.md': text('Deploy.'), '.git/HEAD': 'ref' });
    expect(existsSync(join(folder, 'node_modules', 'p299'))).toBe(true);
    expect(watchCount(process.pid) - before).toBe(2);
  });
});

/** What a person, an editor or git may do to a file. */
type Operation =
  | { readonly kind: 'write'; readonly path: string; readonly word: string }
  /** Never a file that was a playbook: its last good version would stay. */
  | { readonly kind: 'plain'; readonly path: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  | { readonly kind: 'delete-folder'; readonly path: string };

const paths = fc
  .tuple(
    fc.constantFrom('', 'a/', 'a/b/', 'c/', 'c/skill/'),
    fc.constantFrom('one.md', 'two.md', 'SKILL.md', 'notes.txt'),
  )
  .map(([folder, file]) => folder + file);
const words = fc.constantFrom('deploy', 'rollback', 'zebra', 'okapi', 'kubernetes', 'flag');
const operations: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('write' as const), path: paths, word: words }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('plain' as const), path: fc.constantFrom('plain.md', 'a/b/plain.md') }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), path: paths }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename' as const), path: paths, to: paths }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('delete-folder' as const),
      path: fc.constantFrom('a', 'a/b', 'c', 'c/skill'),
    }),
  },
);

function apply(folder: string, operation: Operation): void {
  const path = join(folder, operation.path);
  switch (operation.kind) {
    case 'write':
      mkdirSync(dirname(path), { recursive: true });
      return writeFileSync(path, text(`Use it for ${operation.word}.`));
    case 'plain':
      mkdirSync(dirname(path), { recursive: true });
      return writeFileSync(path, 'No front matter.\n');
    case 'delete':
    case 'delete-folder':
      return rmSync(path, { recursive: true, force: true });
    case 'rename':
      if (!existsSync(path)) return;
      mkdirSync(dirname(join(folder, operation.to)), { recursive: true });
      return renameSync(path, join(folder, operation.to));
  }
}

/** Everything of a layer that an agent could see, in a form that can be compared. */
function seenIn(layer: Layer): unknown {
  return {
    playbooks: layer.playbooks.map(({ id, digest, body, supportingFiles, shape }) => [
      id,
      digest,
      body,
      supportingFiles,
      shape,
    ]),
    diagnostics: layer.diagnostics.filter(({ rule }) => !['last-good-version', 'no-front-matter'].includes(rule)),
    hits: ['deploy', 'rollback zebra', 'okapi', 'kubernetis', 'flag', 'one'].map((query) =>
      search([layer.segment], query),
    ),
  };
}

describe('after a thousand random operations', () => {
  it('is what a fresh load gives', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(operations, { minLength: 100, maxLength: 100 }),
        fc.infiniteStream(fc.nat({ max: 12 })),
        async (steps, pauses) => {
          const { folder, layer } = await open({});
          for (const step of steps) {
            apply(folder, step);
            const [pause] = pauses.take(1);
            // Some in one batch, some while a load is going on, some apart.
            if ((pause ?? 0) > 9) await delay((pause ?? 0) * 2);
          }
          const fresh = seenIn(await openOn(folder).current);
          await expect.poll(async () => seenIn(await layer.current), { timeout: 3_000 }).toEqual(fresh);
          layer.close();
        },
      ),
      { numRuns: 10, endOnFailure: true },
    );
  }, 60_000);
});
