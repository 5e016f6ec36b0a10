import { basename, delimiter, isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expandHome, homeDirectory } from '../config/paths.ts';
import type { Env } from '../config/types.ts';
import { PlaybookError } from '../errors.ts';
import { findGitRoot, isInside, isTooWide, realDirectoryOf } from './places.ts';

/** The repository, or plain directory, that an agent works in. Paths are absolute and without links. */
export interface Workspace {
  readonly directory: string;
  /** The git root at or above `directory`, else `directory` itself. */
  readonly root: string;
  /** Name of the root's folder. */
  readonly label: string;
  readonly hasGit: boolean;
}

/** Everything that may tell where the agent works. */
export interface WorkspaceRequest {
  /** The `workspace` argument of a call. */
  readonly argument?: string;
  /** `--workspace`, as written: when there are any, no argument leads out of them. */
  readonly allowed: readonly string[];
  readonly env: Env;
  /** `roots/list` of the client: `file:` URLs. */
  readonly roots?: readonly string[];
  readonly cwd: string;
  /** True over HTTP: the server's own surroundings say nothing about the caller, and only allowed directories are read. */
  readonly isRemote?: boolean;
}

/**
 * Finds the workspace: the argument; the first `--workspace`; `PLAYBOOK_WORKSPACE`, `CLAUDE_PROJECT_DIR`, the first of
 * `WORKSPACE_FOLDER_PATHS`; the client's roots; the process's directory, unless that is `/` or the home directory. Undefined where
 * none of them tells. What a person wrote must exist; what a client set and does not exist is passed over, since clients that
 * cannot expand a variable hand it over as it is.
 *
 * @throws PlaybookError workspace/not-found, workspace/not-allowed
 */
export async function resolveWorkspace(request: WorkspaceRequest): Promise<Workspace | undefined> {
  const { argument, allowed, env, isRemote = false } = request;
  const home = homeDirectory(env);
  const absolute = (written: string): string =>
    written.startsWith('file:') ? (pathOfRoot(written)[0] ?? written) : resolve(request.cwd, expandHome(written, home));
  if (argument !== undefined && argument !== '') {
    if (isRemote || allowed.length > 0) await checkAllowed(absolute(argument), allowed.map(absolute));
    return open(await existing(absolute(argument), 'the `workspace` argument'), env);
  }
  const [first] = allowed;
  if (first !== undefined) return open(await existing(absolute(first), '--workspace'), env);
  if (isRemote) return undefined;
  if (env.PLAYBOOK_WORKSPACE !== undefined && env.PLAYBOOK_WORKSPACE !== '') {
    return open(await existing(absolute(env.PLAYBOOK_WORKSPACE), 'PLAYBOOK_WORKSPACE'), env);
  }
  const candidates = [...editorFolders(env), ...(request.roots ?? []).map(pathOfRoot)];
  const found = await firstDirectory(candidates.map((folder) => expandHome(folder, home)).filter(isAbsolute));
  if (found !== undefined) return open(found, env);
  const own = await realDirectoryOf(request.cwd);
  return own === undefined || (await isTooWide(own, env)) ? undefined : open(own, env);
}

/** Those of the `--workspace` flags, as written, that are no directory now. */
export async function missingWorkspaces({
  allowed,
  env,
  cwd,
}: Pick<WorkspaceRequest, 'allowed' | 'env' | 'cwd'>): Promise<readonly string[]> {
  const home = homeDirectory(env);
  const places = await Promise.all(allowed.map((written) => realDirectoryOf(resolve(cwd, expandHome(written, home)))));
  return allowed.filter((_, at) => places[at] === undefined);
}

async function existing(directory: string, origin: string): Promise<string> {
  const real = await realDirectoryOf(directory);
  if (real !== undefined) return real;
  throw new PlaybookError('workspace/not-found', `There is no directory ${directory} (from ${origin}).`, {
    hint: 'Give the absolute path of the directory that you work in.',
  });
}

async function checkAllowed(directory: string, allowed: readonly string[]): Promise<void> {
  const places = await Promise.all(allowed.map(realDirectoryOf));
  // A directory that does not exist is judged by its spelling, so that the answer tells nothing about what lies elsewhere.
  const real = (await realDirectoryOf(directory)) ?? directory;
  if (places.some((place) => place !== undefined && isInside(real, place))) return;
  throw new PlaybookError('workspace/not-allowed', `The workspace ${directory} is not one that this server may read.`, {
    hint:
      allowed.length === 0
        ? 'Leave `workspace` out; the person who runs the server can allow directories with --workspace.'
        : `Use ${allowed.join(' or ')} or a directory below, or leave \`workspace\` out.`,
  });
}

async function open(directory: string, env: Env): Promise<Workspace> {
  const gitRoot = await findGitRoot(directory, env);
  const root = gitRoot ?? directory;
  return { directory, root, label: basename(root) || root, hasGit: gitRoot !== undefined };
}

/** Several folders stand separated by commas or as in `PATH`; a folder's own name may hold either, so the whole value comes first. */
function editorFolders(env: Env): readonly string[] {
  const { CLAUDE_PROJECT_DIR: project = '', WORKSPACE_FOLDER_PATHS: folders = '' } = env;
  return [project, folders, ...folders.split(','), ...folders.split(delimiter)].map((folder) => folder.trim());
}

/** The path of a `file:` URL, or empty for what has no path on this machine. */
function pathOfRoot(root: string): string {
  const url = URL.canParse(root) ? new URL(root) : undefined;
  if (url?.protocol !== 'file:' || !['', 'localhost'].includes(url.hostname)) return '';
  try {
    return fileURLToPath(`file://${url.pathname}`);
  } catch (error) {
    // An escaped slash, or an escape that is none.
    if (error instanceof TypeError || error instanceof URIError) return '';
    throw error;
  }
}

async function firstDirectory(candidates: readonly string[]): Promise<string | undefined> {
  for (const candidate of candidates) {
    const real = await realDirectoryOf(candidate);
    if (real !== undefined) return real;
  }
  return undefined;
}
