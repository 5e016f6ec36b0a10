import { posix, win32 } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findGitRoot, isInside } from '../../src/files/places.ts';
import { plant } from './seed.ts';

describe('isInside', () => {
  const rows = [
    { name: 'the folder itself', child: '/a/b', parent: '/a/b', flavour: posix, expected: true },
    { name: 'a file below', child: '/a/b/c', parent: '/a/b', flavour: posix, expected: true },
    { name: 'a name that begins with dots', child: '/a/b/..c', parent: '/a/b', flavour: posix, expected: true },
    { name: 'a sibling whose name begins the same', child: '/a/bc', parent: '/a/b', flavour: posix, expected: false },
    { name: 'the folder above', child: '/a', parent: '/a/b', flavour: posix, expected: false },
    { name: 'everything under the root', child: '/a', parent: '/', flavour: posix, expected: true },
    {
      name: 'a file below on Windows, in any case',
      child: 'C:\\A\\b\\c',
      parent: 'c:\\a\\B',
      flavour: win32,
      expected: true,
    },
    { name: 'another drive of Windows', child: 'D:\\a\\b', parent: 'C:\\a', flavour: win32, expected: false },
    {
      name: 'another share of Windows',
      child: '\\\\host\\b\\x',
      parent: '\\\\host\\a',
      flavour: win32,
      expected: false,
    },
  ];
  it.each(rows)('is $expected for $name', ({ child, parent, flavour, expected }) => {
    expect(isInside(child, parent, flavour)).toBe(expected);
  });

  it('is true for whatever is joined below, and false for what is above', () => {
    const segment = fc.stringMatching(/^[a-z.]{1,4}$/).filter((name) => name !== '.' && name !== '..');
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1 }), fc.array(segment, { minLength: 1 }), (parent, below) => {
        const top = `/${parent.join('/')}`;
        const child = `${top}/${below.join('/')}`;
        expect(isInside(child, top, posix)).toBe(true);
        expect(isInside(top, child, posix)).toBe(false);
      }),
    );
  });
});

describe('findGitRoot', () => {
  it('finds the nearest folder with .git, which may be a file as in a worktree', async () => {
    const root = plant({
      '.git/HEAD': '',
      'sub/.git': 'gitdir: ../.git/modules/sub',
      'sub/deep/a.md': '',
      'other/a.md': '',
    });
    expect(await findGitRoot(`${root}/sub/deep`, {})).toBe(`${root}/sub`);
    expect(await findGitRoot(`${root}/other`, {})).toBe(root);
    expect(await findGitRoot(root, {})).toBe(root);
  });

  it('takes a repository at home for the project of home alone', async () => {
    const home = plant({ '.git/HEAD': '', 'notes/a.md': '' });
    expect(await findGitRoot(`${home}/notes`, { HOME: home, USERPROFILE: home })).toBeUndefined();
    expect(await findGitRoot(home, { HOME: home, USERPROFILE: home })).toBe(home);
  });
});
