import { join, relative, sep } from 'node:path';
import type { Env } from '../../config/types.ts';
import { messageOf, PlaybookError } from '../../errors.ts';
import { runGit } from './run-git.ts';

/** A file of a repository that a change touches. Paths are absolute and without links. */
export interface FileChange {
  readonly kind: 'added' | 'changed' | 'renamed' | 'deleted';
  readonly path: string;
  /** Where a renamed file was. */
  readonly oldPath?: string;
}

/** What the working tree has that its base has not. */
export interface Changes {
  /** Top folder of the repository. */
  readonly root: string;
  /** Hash of the commit that is compared with. */
  readonly base: string;
  /** The ref that it was found by. */
  readonly ref: string;
  readonly files: readonly FileChange[];
}

export interface ChangesRequest {
  /** Any directory of the repository. */
  readonly directory: string;
  /** A ref; the default branch, looked for, where absent. */
  readonly base?: string | undefined;
  /** Whether files that git does not know yet count as added. */
  readonly includeUntracked: boolean;
  readonly env: Env;
}

type Git = (...args: readonly string[]) => Promise<string>;

/**
 * Finds what has changed since the working tree's branch left another one: commits, staged and unstaged edits, new files.
 *
 * @throws PlaybookError `check/no-repository`, `check/no-base`, `check/remote-unreachable`.
 */
export async function findChanges({ directory, base, includeUntracked, env }: ChangesRequest): Promise<Changes> {
  const gitIn = (cwd: string): Git => {
    return (...args) => runGit(args, { cwd, env, signal: new AbortController().signal });
  };
  const root = await topOf(gitIn(directory), directory);
  const git = gitIn(root);
  const ref = await baseRef(git, base, env);
  const commit = await mergeBase(git, ref);
  // Neither a diff driver nor a text conversion that the repository's configuration names is run.
  const diff = await atBase(root, env, () =>
    git('diff', '--raw', '-z', '-M', '--no-ext-diff', '--no-textconv', commit, '--'),
  );
  const untracked = includeUntracked ? await git('ls-files', '--others', '--exclude-standard', '-z') : '';
  const added = untracked.split('\0').filter((path) => path !== '');
  return {
    root,
    base: commit,
    ref,
    files: [...changesIn(diff, root), ...added.map((path): FileChange => ({ kind: 'added', path: join(root, path) }))],
  };
}

/**
 * A file as it was in the base of some changes.
 *
 * @param path absolute
 * @throws PlaybookError `check/no-base`, `check/remote-unreachable` where it cannot be read.
 */
export async function readAtBase({ root, base }: Changes, path: string, env: Env): Promise<string> {
  const signal = new AbortController().signal;
  const inTree = relative(root, path).split(sep).join('/');
  return atBase(root, env, () => runGit(['cat-file', 'blob', `${base}:${inTree}`], { cwd: root, env, signal }));
}

/** Reads what the base holds; a partial clone fetches it from its remote when it is first read. */
async function atBase(root: string, env: Env, read: () => Promise<string>): Promise<string> {
  try {
    return await read();
  } catch (error) {
    const reason = messageOf(error);
    if (!(await isPartialClone(root, env))) {
      throw new PlaybookError('check/no-base', `What the change is compared with cannot be read: ${reason}.`, {
        hint: 'See what `git fsck` says of the repository, or clone it anew.',
        cause: error,
      });
    }
    throw new PlaybookError(
      'check/remote-unreachable',
      `This is a partial clone, and what it lacks of the base cannot be fetched: ${reason}.`,
      {
        hint: 'Try again when the remote can be reached, or make the clone whole (`git fetch --refetch --no-filter`; no `filter` in actions/checkout).',
        cause: error,
      },
    );
  }
}

/** @see git-clone(1), `--filter`: such a clone remembers which remote has promised the rest. */
async function isPartialClone(root: string, env: Env): Promise<boolean> {
  try {
    const signal = new AbortController().signal;
    await runGit(['config', '--get-regexp', String.raw`^(remote\..*\.promisor|extensions\.partialclone)$`], {
      cwd: root,
      env,
      signal,
    });
    return true;
  } catch {
    // git exits with 1 where no such setting is there.
    return false;
  }
}

async function topOf(git: Git, directory: string): Promise<string> {
  try {
    return (await git('rev-parse', '--show-toplevel')).replace(/\r?\n$/, '');
  } catch (error) {
    throw new PlaybookError(
      'check/no-repository',
      `${directory} is in no git repository that can be read: ${messageOf(error)}`,
      {
        hint: 'Run it in the repository whose change is reviewed, or name it with --workspace.',
        cause: error,
      },
    );
  }
}

async function baseRef(git: Git, asked: string | undefined, env: Env): Promise<string> {
  const target = env['GITHUB_BASE_REF'];
  const guesses = ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master'];
  const candidates = asked === undefined ? [...(target ? [`origin/${target}`] : []), ...guesses] : [asked];
  for (const candidate of candidates) if (await isCommit(git, candidate)) return candidate;
  const what = asked === undefined ? `the default branch (none of ${candidates.join(', ')} is there)` : `"${asked}"`;
  throw new PlaybookError('check/no-base', `There is nothing to compare with: ${what}.`, { hint: await hintFor(git) });
}

async function isCommit(git: Git, ref: string): Promise<boolean> {
  try {
    await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
    return true;
  } catch {
    // Whatever git says of it, it cannot be compared with.
    return false;
  }
}

async function mergeBase(git: Git, ref: string): Promise<string> {
  try {
    const hash = (await git('rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`)).trim();
    return (await git('merge-base', hash, 'HEAD')).trim();
  } catch (error) {
    throw new PlaybookError('check/no-base', `No commit is known that HEAD and ${ref} both come from.`, {
      hint: await hintFor(git),
      cause: error,
    });
  }
}

async function hintFor(git: Git): Promise<string> {
  const isShallow = (await git('rev-parse', '--is-shallow-repository')).trim() === 'true';
  return isShallow
    ? 'This is a shallow clone, which lacks history: fetch it whole (`git fetch --unshallow`; `fetch-depth: 0` of actions/checkout).'
    : 'Name a branch or commit with --base.';
}

const KINDS: ReadonlyMap<string, FileChange['kind']> = new Map([
  ['A', 'added'],
  ['C', 'added'],
  ['D', 'deleted'],
  ['R', 'renamed'],
]);

/** Modes: of a submodule, which is no file, and of what is not there. */
const [SUBMODULE, ABSENT] = ['160000', '000000'];

/**
 * @see git-diff(1), `-z` of `--raw`: `:mode mode hash hash status`, path, and for renames and copies a second path, each ended by NUL.
 */
function changesIn(diff: string, root: string): readonly FileChange[] {
  const parts = diff.split('\0');
  const changes: FileChange[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [before = '', after = '', , , status = ''] = (parts[at] ?? '').slice(1).split(' ');
    const oldPath = join(root, parts[at + 1] ?? '');
    if (/^[RC]/.test(status)) at += 1;
    const path = join(root, parts[at + 1] ?? '');
    const kind = kindOf(before, after) ?? KINDS.get(status[0] ?? '') ?? 'changed';
    if (kind === 'none') continue;
    changes.push(kind === 'renamed' ? { kind, path, oldPath } : { kind, path });
  }
  return changes;
}

/** What a change of mode is to the files of this repository, where it has to do with a submodule. */
function kindOf(before: string, after: string): FileChange['kind'] | 'none' | undefined {
  const [wasSubmodule, isSubmodule] = [before === SUBMODULE, after === SUBMODULE];
  if (!wasSubmodule && !isSubmodule) return undefined;
  if (wasSubmodule) return isSubmodule || after === ABSENT ? 'none' : 'added';
  return before === ABSENT ? 'none' : 'deleted';
}
