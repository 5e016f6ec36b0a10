import { join } from 'node:path';

import { stateDirs } from '../../config/paths.ts';
import type { Env, GitSourceConfig } from '../../config/types.ts';
import type { Diagnostic } from '../../model.ts';
import { isInside, realDirectoryOf } from '../places.ts';
import { cloneOf, type CloneStatus, readStatus, withoutCredentials } from './clone.ts';

/** What a git source gives now. */
interface GitFolder {
  /** The folder of its playbooks in the clone, without links, and the clone that its links may lead to; undefined where there is none. */
  readonly place: { readonly folder: string; readonly repository: string } | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Looks where a git source was fetched to; fetches nothing. */
export async function findGitFolder(source: GitSourceConfig, env: Env): Promise<GitFolder> {
  const clone = cloneOf(source, stateDirs(env).cache);
  const [status, repository] = await Promise.all([readStatus(clone), realDirectoryOf(clone.repository)]);
  if (repository === undefined) return { place: undefined, diagnostics: [notFetched(source, status)] };
  const folder = await realDirectoryOf(join(repository, source.path ?? '.'));
  const stale = status.failure === undefined ? [] : [notRefreshed(source, status)];
  if (folder === undefined || !isInside(folder, repository)) {
    return { place: undefined, diagnostics: [noSuchFolder(source), ...stale] };
  }
  return { place: { folder, repository }, diagnostics: stale };
}

function notFetched({ name, git, at }: GitSourceConfig, { failure }: CloneStatus): Diagnostic {
  const why = failure === undefined ? 'has not been fetched yet' : `could not be fetched: ${failure}`;
  return {
    rule: 'source-not-fetched',
    severity: failure === undefined ? 'info' : 'error',
    ...at,
    message: `The source \`${name}\` (${withoutCredentials(git)}) ${why}.`,
    hint:
      failure === undefined
        ? 'The server fetches it in the background; `playbook-mcp doctor` does so at once.'
        : 'Correct its `git` and `ref`, or see that `git fetch` works without being asked for a password; it is tried again by itself.',
  };
}

function notRefreshed({ name, git, at }: GitSourceConfig, { failure = '', refreshedAt }: CloneStatus): Diagnostic {
  const since = refreshedAt === undefined ? 'an earlier time' : new Date(refreshedAt).toISOString();
  return {
    rule: 'source-not-refreshed',
    severity: 'warning',
    ...at,
    message: `The source \`${name}\` (${withoutCredentials(git)}) could not be refreshed: ${failure}. The copy of ${since} is served.`,
    hint: 'It is tried again by itself.',
  };
}

function noSuchFolder({ name, path = '.', ref, at }: GitSourceConfig): Diagnostic {
  return {
    rule: 'source-not-found',
    severity: 'error',
    ...at,
    message: `The repository of the source \`${name}\` has no folder ${path}${ref === undefined ? '' : ` at ${ref}`}; the source is off.`,
    hint: 'Correct its `path`: a folder inside the repository.',
  };
}
