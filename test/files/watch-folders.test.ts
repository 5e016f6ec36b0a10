import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FolderWatches } from '../../src/files/watch-folders.ts';
import { plant } from './seed.ts';

const opened: FolderWatches[] = [];
afterEach(() => {
  for (const watches of opened.splice(0)) watches.close();
});

function open(): { watches: FolderWatches; changes: string[]; exhausted: string[] } {
  const changes: string[] = [];
  const exhausted: string[] = [];
  const watches = new FolderWatches({
    onChange: (folder, path) => changes.push(path ?? folder),
    onExhausted: (reason) => exhausted.push(reason),
  });
  opened.push(watches);
  return { watches, changes, exhausted };
}

describe('FolderWatches', () => {
  it('tells what changes in a folder, and nothing of what is hidden or lies below', async () => {
    const root = plant({ 'a.md': '', 'below/b.md': '' });
    const { watches, changes } = open();
    expect(watches.sync(new Set([root]))).toBe(true);
    writeFileSync(join(root, '.a.md.swp'), 'x');
    writeFileSync(join(root, 'below', 'b.md'), 'x');
    writeFileSync(join(root, 'a.md'), 'x');
    await vi.waitFor(() => expect(changes).toContain(join(root, 'a.md')));
    expect(new Set(changes)).toEqual(new Set([join(root, 'a.md')]));
  });

  it('says whether it has begun to watch anything', () => {
    const root = plant({ 'below/b.md': '' });
    const { watches } = open();
    expect(watches.sync(new Set([root]))).toBe(true);
    expect(watches.sync(new Set([root]))).toBe(false);
    expect(watches.sync(new Set([root, join(root, 'below')]))).toBe(true);
    expect(watches.sync(new Set([root]))).toBe(false);
    expect(watches.isWatched(join(root, 'below'))).toBe(false);
  });

  it.skipIf(process.platform !== 'linux').each([
    { name: 'removed', replace: (folder: string) => rmSync(folder, { recursive: true }) },
    { name: 'moved away', replace: (folder: string) => renameSync(folder, `${folder}-old`) },
  ])('watches anew what takes the place of a folder that was $name, and of what lay below it', async ({ replace }) => {
    const root = plant({ 'c/skill/b.md': '' });
    const folders = new Set([root, join(root, 'c'), join(root, 'c', 'skill')]);
    const { watches, changes } = open();
    watches.sync(folders);
    replace(join(root, 'c'));
    mkdirSync(join(root, 'c', 'skill'), { recursive: true });
    await vi.waitFor(() => expect(watches.isWatched(join(root, 'c', 'skill'))).toBe(false));
    expect(watches.sync(folders)).toBe(true);
    changes.length = 0;
    writeFileSync(join(root, 'c', 'skill', 'new.md'), 'x');
    await vi.waitFor(() => expect(changes).toContain(join(root, 'c', 'skill', 'new.md')));
  });

  it('passes over a folder that has gone since it was found', () => {
    const root = plant({});
    const { watches, exhausted } = open();
    expect(watches.sync(new Set([join(root, 'gone')]))).toBe(false);
    expect(exhausted).toEqual([]);
  });
});
