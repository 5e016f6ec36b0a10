import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSourceFile, readSupportingFile } from '../../src/files/read.ts';
import { type FoundFile, scanSource } from '../../src/files/scan.ts';
import type { Source } from '../../src/model.ts';
import { plant, playbook, type Seed } from './seed.ts';

function sourceOf(root: string, kind: Source['kind'] = 'central'): Source {
  return { name: 'platform', kind, label: 'platform', folders: [root], isTrusted: kind !== 'workspace' };
}

async function onlyFile(root: string): Promise<FoundFile> {
  const { found } = await scanSource(sourceOf(root));
  expect(found).toHaveLength(1);
  return found[0]!;
}

describe('readSourceFile', () => {
  it('gives the bytes as they are', async () => {
    const bytes = Uint8Array.from([0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a, 0xff]);
    const root = plant({ 'a.md': bytes });
    const read = await readSourceFile(await onlyFile(root));
    expect(read).toMatchObject({
      kind: 'file',
      file: { id: 'a', path: join(root, 'a.md'), shape: 'file', supportingFiles: [] },
    });
    expect(read.kind === 'file' && Uint8Array.from(read.file.bytes)).toEqual(bytes);
  });

  const rows: readonly { name: string; change: (path: string) => void; rule: string }[] = [
    { name: 'vanished', change: (path) => rmSync(path), rule: 'unreadable-file' },
    { name: 'became a folder', change: (path) => (rmSync(path), mkdirSync(path)), rule: 'unreadable-file' },
    { name: 'grew', change: (path) => writeFileSync(path, 'x'.repeat(1024 * 1024 + 1)), rule: 'file-too-large' },
  ];
  it.each(rows)('gives a diagnostic for a file that $name since it was found', async ({ change, rule }) => {
    const root = plant({ 'a.md': playbook('a') });
    const found = await onlyFile(root);
    change(found.path);
    expect(await readSourceFile(found)).toMatchObject({
      kind: 'unreadable',
      diagnostic: { rule, severity: 'error', path: found.path, line: 1, column: 1 },
    });
  });

  // Root reads everything.
  it.skipIf(process.getuid?.() === 0)('gives a diagnostic for a file that may not be read', async () => {
    const root = plant({ 'a.md': playbook('a') });
    chmodSync(join(root, 'a.md'), 0);
    expect(await readSourceFile(await onlyFile(root))).toMatchObject({ diagnostic: { rule: 'unreadable-file' } });
  });
});

describe('readSupportingFile', () => {
  const skill = { 's/SKILL.md': playbook('s') };

  function read(root: string, path: string, kind: Source['kind'] = 'central'): ReturnType<typeof readSupportingFile> {
    return readSupportingFile({ source: sourceOf(root, kind), path: join(root, 's/SKILL.md') }, path);
  }

  const content: readonly { name: string; file: string; bytes: string | Uint8Array; expected: object }[] = [
    {
      name: 'text',
      file: 'references/forms.md',
      bytes: 'Zeile\r\nстрока',
      expected: { kind: 'text', text: 'Zeile\r\nстрока' },
    },
    { name: 'text without its BOM', file: 'a.txt', bytes: '\uFEFFa', expected: { kind: 'text', text: 'a' } },
    { name: 'nothing as text', file: 'empty', bytes: '', expected: { kind: 'text', text: '' } },
    {
      name: 'an image',
      file: 'a.PNG',
      bytes: Uint8Array.of(137, 80),
      expected: { kind: 'image', mimeType: 'image/png', base64: 'iVA=' },
    },
    { name: 'zero bytes as binary', file: 'a.bin', bytes: 'a\0b', expected: { kind: 'binary' } },
    {
      name: 'what is not UTF-8 as binary',
      file: 'latin1.txt',
      bytes: Uint8Array.of(0xe9, 0x20),
      expected: { kind: 'binary' },
    },
  ];
  it.each(content)('reads $name', async ({ file, bytes, expected }) => {
    const root = plant({ ...skill, [`s/${file}`]: bytes });
    const found = await read(root, file);
    expect(found).toMatchObject({ path: join(root, 's', file), ...expected });
    expect(Buffer.from(found.bytes)).toEqual(Buffer.from(bytes));
  });

  const refused: readonly { name: string; path: string; why: string; seed?: Seed }[] = [
    { name: 'a path upwards', path: '../other.txt', why: 'leads out' },
    { name: 'a path upwards in disguise', path: 'references/../../other.txt', why: 'leads out' },
    { name: 'a path upwards as Windows writes it', path: 'references\\..\\..\\other.txt', why: 'leads out' },
    { name: 'an absolute path', path: '/etc/passwd', why: 'relative' },
    { name: 'an absolute path of Windows', path: 'C:\\secret.txt', why: 'relative' },
    { name: 'a path on a drive of Windows', path: 'C:secret.txt', why: 'relative' },
    { name: 'a network path of Windows', path: '\\\\host\\share\\secret.txt', why: 'relative' },
    { name: 'a path with a zero byte', path: 'a\0.txt', why: 'control characters' },
    { name: 'a hidden folder', path: '.git/config', why: 'hidden', seed: { 's/.git/config': 'token' } },
    { name: 'a missing file', path: 'none.txt', why: 'no such file' },
    { name: 'a folder', path: 'references', why: 'not a file', seed: { 's/references/a.txt': '' } },
    { name: 'the folder itself', path: '', why: 'not a file' },
    {
      name: 'a file of more than 1 MiB',
      path: 'big.txt',
      why: 'more than',
      seed: { 's/big.txt': 'x'.repeat(1024 * 1024 + 1) },
    },
    {
      name: 'a link out of the source',
      path: 'link.txt',
      why: 'leads out',
      seed: { 's/link.txt': { link: '/etc/passwd' } },
    },
    {
      name: 'a folder linked out of the source',
      path: 'etc/passwd',
      why: 'leads out',
      seed: { 's/etc': { link: '/etc' } },
    },
  ];
  it.each(refused)('refuses $name', async ({ path, why, seed = {} }) => {
    const root = plant({ ...skill, 'other.txt': 'other', ...seed });
    await expect(read(root, path)).rejects.toMatchObject({
      code: 'files/unreadable',
      message: expect.stringContaining(why),
      hint: expect.any(String),
    });
  });

  it('reads a link to elsewhere in the source', async () => {
    const root = plant({ ...skill, 'shared/a.txt': 'a', 's/a.txt': { link: '../shared/a.txt' } });
    expect(await read(root, 'a.txt')).toMatchObject({ kind: 'text', text: 'a' });
  });

  it('reads the files of a skill whose folder is a link', async () => {
    const store = plant({ 'skill/SKILL.md': playbook('s'), 'skill/a.txt': 'a' });
    const root = plant({ s: { link: join(store, 'skill') } });
    expect(await read(root, 'a.txt')).toMatchObject({ text: 'a' });
  });

  it('reads the files of a skill that is linked file by file', async () => {
    const store = plant({ 's/SKILL.md': playbook('s'), 's/a.txt': 'a' });
    const root = plant({
      's/SKILL.md': { link: join(store, 's/SKILL.md') },
      's/a.txt': { link: join(store, 's/a.txt') },
    });
    expect(await read(root, 'a.txt')).toMatchObject({ text: 'a' });
  });

  it('reads no file of a workspace that is linked from elsewhere, however the skill is linked', async () => {
    const store = plant({ 's/SKILL.md': playbook('s'), 's/a.txt': 'a' });
    const root = plant({
      's/SKILL.md': { link: join(store, 's/SKILL.md') },
      's/a.txt': { link: join(store, 's/a.txt') },
    });
    await expect(read(root, 'a.txt', 'workspace')).rejects.toMatchObject({ code: 'files/unreadable' });
  });
});
