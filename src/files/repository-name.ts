import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isSystemError } from './places.ts';
import type { Workspace } from './workspace.ts';

/**
 * What a workspace's repository is called, the same for everybody who has cloned it: the URL of its remote without scheme, credentials
 * and `.git` (`github.com/org/shop`); the name of its folder where it has no remote. Reads git's files and runs nothing.
 */
export async function repositoryNameOf({
  root,
  label,
  hasGit,
}: Pick<Workspace, 'root' | 'label' | 'hasGit'>): Promise<string> {
  const config = hasGit ? await readText(join(await commonDirOf(join(root, '.git')), 'config')) : undefined;
  const url = config === undefined ? undefined : remoteUrlIn(config);
  return (url === undefined ? '' : remoteName(url)) || label;
}

/** In worktrees and submodules `.git` is a file that names the directory, which may name another one. */
async function commonDirOf(path: string): Promise<string> {
  const gitDir = /^gitdir:\s*(.+?)\s*$/m.exec((await readText(path)) ?? '')?.[1];
  const directory = gitDir === undefined ? path : resolve(path, '..', gitDir);
  const common = (await readText(join(directory, 'commondir')))?.trim();
  return common === undefined || common === '' ? directory : resolve(directory, common);
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

/** The URL of `origin`, else of the first remote. */
export function remoteUrlIn(config: string): string | undefined {
  const urls = new Map<string, string>();
  let remote: string | undefined;
  for (const line of config.split('\n')) {
    if (/^\s*\[/.test(line)) remote = /^\s*\[remote\s+"(.+)"\]/i.exec(line)?.[1];
    const url = /^\s*url\s*=\s*"?([^"\s]+)/i.exec(line)?.[1];
    if (remote !== undefined && url !== undefined && !urls.has(remote)) urls.set(remote, url);
  }
  return urls.get('origin') ?? [...urls.values()][0];
}

/** `https://user:secret@github.com/org/shop.git` and `git@github.com:org/shop.git` are both `github.com/org/shop`. */
export function remoteName(url: string): string {
  const [, rest = url] = /^[a-z][a-z0-9+.-]*:\/\/(.*)$/i.exec(url) ?? [];
  const isUrl = rest !== url;
  const [path = ''] = rest.split(/[?#]/);
  // A password may hold a slash where somebody did not escape it: better a name that lacks its beginning than one that tells it.
  const user = (isUrl ? path : (path.split('/')[0] ?? '')).lastIndexOf('@');
  const withoutUser = path.slice(user + 1);
  // The short form of ssh has a colon before the path.
  const joined = isUrl ? withoutUser : withoutUser.replace(/^([^/:]{2,}):\/?/, '$1/');
  const name = joined.replace(/\/+$/, '').replace(/\.git$/i, '');
  const slash = name.indexOf('/');
  return slash < 0 ? name : name.slice(0, slash).toLowerCase() + name.slice(slash);
}
