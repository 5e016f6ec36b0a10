import { mkdtempSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { remoteName, remoteUrlIn, repositoryNameOf } from '../../src/files/repository-name.ts';

function seed(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'repository-name-'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

const nameOf = (root: string): Promise<string> => repositoryNameOf({ root, label: basename(root), hasGit: true });
const config =
  '[core]\n\tbare = false\n[remote "fork"]\n\turl = git@example.com:me/shop.git\n[remote "origin"]\n\turl = https://ann:t0ken@GitHub.com/org/Shop.git\n\tfetch = +refs/*\n';

describe('the name of a repository', () => {
  it.each([
    { url: 'https://github.com/org/shop.git', name: 'github.com/org/shop' },
    { url: 'https://ann:t0ken@GitHub.com/org/Shop.git/', name: 'github.com/org/Shop' },
    { url: 'https://ann:pa/ss@host.example/org/shop', name: 'host.example/org/shop' },
    { url: 'git@github.com:org/shop.git', name: 'github.com/org/shop' },
    { url: 'ssh://git@host.example:2222/org/shop', name: 'host.example:2222/org/shop' },
    { url: 'https://host.example/org/shop?token=abc', name: 'host.example/org/shop' },
    { url: 'file:///srv/git/shop.git', name: '/srv/git/shop' },
    { url: '../shop.git', name: '../shop' },
  ])('of $url is $name', ({ url, name }) => {
    expect(remoteName(url)).toBe(name);
  });

  it('is that of origin, else of the first remote', () => {
    expect(remoteUrlIn(config)).toBe('https://ann:t0ken@GitHub.com/org/Shop.git');
    expect(remoteUrlIn(config.replace('"origin"', '"upstream"'))).toBe('git@example.com:me/shop.git');
    expect(remoteUrlIn('[core]\n\turl = x\n')).toBeUndefined();
  });

  it('is read from the files of git', async () => {
    expect(await nameOf(seed({ '.git/config': config }))).toBe('github.com/org/Shop');
  });

  it('is that of the main clone in a worktree', async () => {
    const root = seed({
      'main/.git/config': config,
      'main/.git/worktrees/w/commondir': '../..\n',
      'w/.git': 'gitdir: ../main/.git/worktrees/w\n',
    });
    expect(await nameOf(join(root, 'w'))).toBe('github.com/org/Shop');
  });

  it('is that of the folder where there is no remote, or no git', async () => {
    const root = seed({ '.git/config': '[core]\n' });
    expect(await nameOf(root)).toBe(basename(root));
    expect(await repositoryNameOf({ root: '/nowhere/x', label: 'x', hasGit: false })).toBe('x');
  });
});
